/** Questions: what each kind needs, when an answer is right, and how items are mixed and moved. */
import { expect, it } from "vitest";
import { readFields, remarksOf } from "../../src/notebook/cellFields.ts";
import { parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { fromJupyter, toJupyter } from "../../src/notebook/jupyter.ts";
import { isRightAnswer, judgeAnswer, movedTo, orderGiven } from "../../src/notebook/quiz.ts";

const quizOf = (body: string) => readFields("quiz", body).value!;
const said = (body: string) =>
  remarksOf("quiz", body).map(({ line, message }) => `${line}: ${message}`);

it("need what their kind is about, and nothing else", () => {
  expect(said("question: Q\nkind: order\noptions: [a, b, c]")).toEqual([]);
  expect(said("question: Q\nkind: order\noptions: [a]")).toEqual([
    "3: options needs at least two.",
  ]);
  expect(said("question: Q\nkind: order\noptions: [a, b, a]")).toEqual([
    '3: options must differ; "a" is there twice.',
  ]);
  expect(said("question: Q\nkind: turn\nat: grpo,100,14\nanswer: 4")).toEqual([]);
  expect(said("question: Q\nkind: turn\nanswer: 4")).toEqual(["1: at is missing."]);
  expect(said("question: Q\nkind: turn\nat: grpo,100\nanswer: 4")).toEqual([
    "3: at must be method, iteration and episode, as in turn-ppo,26,7.",
  ]);
  expect(said("question: Q\nkind: turn\nat: grpo,100,14\nanswer: 0")).toEqual([
    "4: answer is 0; it must be the number of a turn, from 1.",
  ]);
  for (const kind of ["number", "turn\nat: a,1,1", "choice\noptions: [a, b]"])
    expect(said(`question: Q\nkind: ${kind}`)).toEqual(["1: answer is missing."]);
});

it("are answered by a number, a turn or an order", () => {
  const order = quizOf("question: Q\nkind: order\noptions: [a, b, c]");
  expect(isRightAnswer(order, "1,2,3")).toBe(true);
  for (const wrong of ["", "1,2", "2,1,3"]) expect(isRightAnswer(order, wrong)).toBe(false);
  const turn = quizOf("question: Q\nkind: turn\nat: grpo,100,14\nanswer: 4");
  expect(["4", "3", "4.0001", ""].map((given) => isRightAnswer(turn, given))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const zero = quizOf("question: Q\nkind: number\nanswer: 0");
  expect(isRightAnswer(zero, " ")).toBe(false);
});

it("read numbers as people type them, and judge nothing that they cannot read", () => {
  const quiz = (answer: number, unit = "", tolerance = 0) => ({
    ...quizOf("question: Q\nkind: number\nanswer: 0"),
    ...{ answer, unit, tolerance },
  });
  const right = (answer: number, given: string, unit = "") =>
    isRightAnswer(quiz(answer, unit), given);
  for (const [answer, ...texts] of [
    [1000, "1000", "1 000", "1 000", "1'000", "1,000.0", "1.000,0", "1e3"],
    [1234567, "1,234,567", "1.234.567", "1 234 567"],
    [-0.349, "-0.349", "−0.349", "–0,349", "-.349", " -0,349 "],
    [0.5, "0.5", "0,5", "0,500", "+0.5", "50 %", "50%"],
  ] as const)
    for (const text of texts) expect([text, right(answer, text)]).toEqual([text, true]);
  expect([right(12, "12 tokens", "tokens"), right(25, "25 %", "%")]).toEqual([true, true]);
  expect(right(16, "16,000")).toBe(false);
  const verdict = (answer: number, given: string) => judgeAnswer(quiz(answer), given);
  for (const two of ["16,000", "2,475", "-1,000"])
    expect(verdict(16, two)).toEqual({ verdict: "unread", why: "two" });
  for (const none of [
    "",
    "five",
    "12 tokens",
    "1,00,000",
    "1.2.3",
    "2/3",
    "Infinity",
    "NaN",
    "0x10",
  ])
    expect([none, verdict(16, none)]).toEqual([none, { verdict: "unread", why: "none" }]);
});

it("say what a wrong answer misses", () => {
  const quiz = {
    ...quizOf("question: Q\nkind: number\nanswer: -0.349\ntolerance: 0.005"),
  };
  const miss = (given: string) => {
    const judged = judgeAnswer(quiz, given);
    return judged.verdict === "wrong" ? judged.miss.kind : judged.verdict;
  };
  expect(["0.349", "-3.49", "-0.36", "2", "-2", "-0.35"].map(miss)).toMatchObject([
    ...["sign", "power", "near", "high", "low", "right"],
  ]);
  const order = quizOf("question: Q\nkind: order\noptions: [a, b, c]");
  expect(judgeAnswer(order, "1,3,2")).toMatchObject({
    verdict: "wrong",
    miss: { kind: "items", right: 1, of: 3 },
  });
});

it("mix their items always the same way, never in the right order, and forget what is not an order", () => {
  for (let n = 2; n <= 12; n++)
    for (const question of ["Which first?", "Größe?", "a"]) {
      const options = Array.from({ length: n }, (_, i) => String(i));
      const quiz = { ...quizOf("question: Q\nkind: order\noptions: [a, b]"), question, options };
      const order = orderGiven(quiz, "");
      expect(order.toSorted((a, b) => a - b)).toMatchObject(options.map((_, i) => i + 1));
      expect(isRightAnswer(quiz, order.join(","))).toBe(false);
      expect(orderGiven(quiz, "1,1,2")).toMatchObject(order);
      expect(orderGiven(quiz, order.toReversed().join(","))).toMatchObject(order.toReversed());
    }
  expect(movedTo([3, 1, 2], 0, 1)).toMatchObject([1, 3, 2]);
  expect(movedTo([3, 1, 2], 0, 9)).toMatchObject([1, 2, 3]);
  expect(movedTo([3, 1, 2], 2, -1)).toMatchObject([2, 3, 1]);
});

const TEXT = `\`\`\`experiment id=first
preset: nano
\`\`\`

\`\`\`experiment id=second
preset: nano
\`\`\`

\`\`\`quiz id=turn of=second
question: Which turn?
kind: turn
at: grpo,100,14
answer: 4
\`\`\`

\`\`\`quiz id=order
question: Sort
kind: order
options: [a, b]
\`\`\`
`;

it("may name an experiment, and are written and exported as they are read", () => {
  const { notebook, remarks } = parseNotebook(TEXT);
  expect(remarks).toEqual([]);
  const shown = notebook.cells.map((cell) => (cell.type === "prose" ? null : cell.of));
  expect(shown).toEqual([null, null, "second", null]);
  expect(serialiseNotebook(notebook)).toBe(TEXT);
  expect(fromJupyter(toJupyter(notebook))).toBe(TEXT);
  const lost = parseNotebook("```quiz id=q of=gone\n```\n");
  expect(lost.remarks.map(({ message }) => message)).toEqual([
    'The cell q refers to "gone", which is not an experiment here.',
  ]);
  expect(lost.notebook.cells[0]).toMatchObject({ of: null, ofWritten: "gone" });
});
