// @vitest-environment happy-dom
/** Each wrong answer of a lesson gets what its mistake deserves: a sentence of its own, which the page shows, true of the lesson's numbers. */
import { cleanup, fireEvent, render } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { COURSE } from "../../../src/app/course/course.ts";
import { QuizCell } from "../../../src/app/book/cells/quiz/QuizCell.tsx";
import { parseNotebook } from "../../../src/notebook/document.ts";
import { questionsIn, type CellQuestion } from "../../../src/notebook/cells/quiz/questions.ts";
import { judgeAnswer } from "../../../src/notebook/quiz.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { lessonText, quizOf, recordedRun } from "../../fixtures/lesson.ts";

afterEach(cleanup);

let log: RunLog;
beforeAll(async () => {
  log = await recordedRun("nano");
});

const asked = COURSE.map((name) => ({
  name,
  questions: questionsIn(parseNotebook(lessonText(name)).notebook.cells),
}));

/** What must have a sentence; of numbers, any wrong one. @param turns of a question's episode */
function wrongsOf({ kind, options, answer }: CellQuestion, turns: number): number[] {
  const upTo = { choice: options.length, order: options.length, turn: turns, number: 0 }[kind];
  const right = kind === "order" ? 1 : answer;
  return Array.from({ length: upTo }, (_, i) => i + 1).filter((one) => one !== right);
}

/** Answers wrong on the page; an item of an order is put first. Without roles, which are slow to find. */
function answer(page: HTMLElement, { kind, options }: CellQuestion, wrong: string): void {
  const press = (what: string) => fireEvent.click(page.querySelector(what)!);
  if (kind === "choice") fireEvent.click(page.querySelectorAll("[type=radio]")[Number(wrong) - 1]!);
  else if (kind === "order")
    for (const move of ["down", ...options.map(() => "up")])
      press(`[data-item="${wrong}"] [data-move=${move}]`);
  else fireEvent.change(page.querySelector("input")!, { target: { value: wrong } });
  fireEvent.submit(page.querySelector("form")!);
}

describe.each(asked)("lesson $name", ({ questions }) => {
  it("has a sentence for each wrong option or turn, and for some wrong number", () => {
    for (const question of questions) {
      const [method, iteration, episode] = (question.at ?? "grpo,1,1").split(",");
      const { turns } = log.episodes(method!, Number(iteration))[Number(episode) - 1]!;
      const known = Object.keys(question.feedback).map(Number);
      expect(known.length).toBeGreaterThan(0);
      if (question.kind !== "number")
        expect([question.id, known]).toEqual([question.id, wrongsOf(question, turns.length)]);
    }
  });

  it("shows them, short and without the answer", () => {
    for (const question of questions)
      for (const [wrong, said] of Object.entries(question.feedback)) {
        const page = render(createElement(QuizCell, { cell: question })).container;
        answer(page, question, wrong);
        const shown = page.querySelector("[data-testid=verdict]")!.textContent;
        expect([question.id, shown]).toEqual([question.id, expect.stringContaining(said)]);
        expect(said.split(" ").length).toBeLessThan(20);
        const numbers = said.replaceAll("−", "-").match(/-?\d+(\.\d+)?/g) ?? [];
        if (question.kind === "number" && question.answer % 1 !== 0)
          expect(
            numbers.filter((one) => Math.abs(Number(one)) === Math.abs(question.answer)),
          ).toEqual([]);
        if (question.kind === "choice")
          expect(said).not.toContain(question.options[question.answer - 1]);
        cleanup();
      }
  });
});

/** Wrong sums, computed; each is met by a word of its sentence. */
const MISTAKES: [lesson: string, id: string, given: number, said: string][] = [
  ["credit", "third", 10.418 - 0.002, "itself earned"],
  ["credit", "third", 0.1 + 10.418 - 0.002, "negative"],
  ["credit", "total", 10.6 - 0.457, "adds"],
  ["credit", "equal", 10.6 / 4, "equal share"],
  ["credit", "equal", 2.47 / 4, "divide"],
  ["weights", "own", 1 - 0.207, "by the credit"],
  ["weights", "own", 2 * 0.207, "the 1"],
  ["weights", "right", 2 * (1 - 0.451), "had been sampled"],
  ["weights", "right", 2 * 0.451, "subtracted"],
  ["weights", "right", -0.451, "the credit"],
  ["weights", "bias-half", 0.3 * 0.7 * -4, "without any trust"],
  ["weights", "bias-half", 0.3 * 0.7 * 0.5 * 4, "too little"],
  ["weights", "bias-half", 0.3 * 0.5 * -4, "bad turn"],
  ["weights", "bias-half", 0.5 * -4, "two chances"],
  ["weights", "flat", 1.3, "other side"],
  ["weights", "flat", 1 - 0.2, "lower limit"],
  ["critic", "delta", 10.9 + 2.226, "Subtract"],
  ["critic", "delta-four", -0.1 + 2.226 - 2.453, "γ"],
  ["critic", "delta-four", 0.99 * 2.226 - 2.453, "own reward"],
  ["critic", "delta-four", 0.1 + 0.99 * 2.226 - 2.453, "cost"],
  ["critic", "delta-four", -0.1 + 2.453 - 0.99 * 2.226, "minus"],
  ["critic", "advantage", -0.349 + 8.674, "everything"],
  ["critic", "advantage", -0.349 + 0.99 * 8.674, "γ alone"],
  ["critic", "advantage", -0.349 + 0.9 * 8.674, "λ alone"],
  ["critic", "advantage", 0.891 * 8.674, "own TD error"],
  ["critic", "notice", 5 * 0.9, "one turn"],
  ["critic", "notice", 5 * 0.9 ** 3, "three turns"],
  ["turns", "fade", 0.9 ** 13, "λ alone"],
  ["turns", "fade", 0.99 ** 13, "γ alone"],
  ["turns", "fade", 0.891 ** 3, "over turns"],
  ["turns", "fade", 0.891 ** 14, "14 steps"],
  ["turns", "whole", 10.4 + 0.438, "Subtract"],
  ["turns", "whole", 10.9 - 0.438, "costs"],
  ["turns", "whole", 10.4 - 4.958, "turn 1"],
  ["turns", "ratio", (1.0001 + 1.0008 + 1.2198 + 1.0001) / 4, "the mean"],
  ["turns", "ratio", 1.0001 + 1.0008 + 1.2198 + 1.0001, "sum"],
  ["turns", "ratio", 1.221 ** 0.25, "geometric"],
  ["grpo", "advantage", 10.6 - 0.8875, "Now divide"],
  ["grpo", "advantage", 10.6 / 3.924, "mean first"],
  ["grpo", "advantage", (10.6 + 0.8875) / 3.924, "positive"],
  ["grpo", "advantage", (10.6 - 0.8875) / (3.924 * Math.sqrt(7 / 8)), "eight"],
  ["grpo", "advantage", (10.6 - 0.8875) / 3.924 ** 2, "variance"],
  ["grpo", "cheapest", -0.7 + 0.8625, "Now divide"],
  ["grpo", "cheapest", (-0.7 - 0.8625) / 0.0916, "adds"],
  ["grpo", "cheapest", -0.7 / 0.0916, "before you divide"],
  ["estimator", "best", 0.3 * 10.7 + 0.7 * -0.8, "mean reward"],
  ["estimator", "best", (10.7 - 0.8) / 2, "halfway"],
  ["estimator", "mean", 32.4 - 2.2, "sum"],
  ["estimator", "mean", (10.7 - 0.8) / 2, "two episodes"],
  ["estimator", "mean", (32.4 / 3 - 2.2 / 5) / 2, "two means"],
  ["estimator", "mean", (32.4 + 2.2) / 8, "negative"],
  ["estimator", "credit", -0.8 + 3.775, "Subtract"],
  ["estimator", "credit", -0.2 - 3.775, "turn's reward"],
  ["clip", "product", Math.exp(0.4703), "below 1"],
  ["clip", "product", Math.exp(-0.4703 / 4), "divides"],
  ["clip", "mean", Math.exp(-0.4703) / 4, "not the ratio"],
  ["clip", "mean", -0.4703 / 4, "exponential"],
  ["clip", "gspo", Math.exp(-0.2072), "product"],
  ["clip", "gspo", Math.exp(-0.2072 / 5), "by turns"],
  ["clip", "gspo", -0.2072 / 18, "exponential"],
  ["clip", "gspo", Math.exp(0.2072 / 18), "below 1"],
  ["drift", "share", 4.929 ** 2 / 5.096, "many turns"],
  ["drift", "share", 4.929 / 5.096, "Square the sum"],
  ["drift", "share", (5 * 5.096) / 4.929 ** 2, "turned"],
  ["drift", "episode", Math.exp(-0.1), "by turn"],
  ["drift", "episode", Math.exp(-8 * 0.01), "counted turns"],
  ["drift", "episode", Math.exp(-80 * 0.1), "Square"],
  ["drift", "norm", (1.5 + 0.6) / 4, "do not add"],
  ["drift", "norm", Math.hypot(1.5, 0.6), "by N"],
  ["drift", "norm", (1.5 ** 2 + 0.6 ** 2) / 4, "root"],
  ["drift", "norm", Math.hypot(1.5, 0.6) / 2, "all tokens"],
  ["drift", "norm", Math.hypot(1.5, 0.6, 0.7) / 4, "not clipped"],
  ["truth", "first", 1.92 - 3.15, "own reward"],
  ["truth", "first", 0.2 + 1.92 - 3.15, "negative"],
  ["truth", "first", -0.2 + 3.15 - 1.92, "minus"],
  ["truth", "first", -0.2 + 1.92, "before the turn"],
  ["truth", "third", 10.8 + 1.64, "do not add"],
  ["truth", "interval", 0.78 / 4, "sixteen"],
  ["truth", "limit", 1 / 2.25, "square root"],
  ["truth", "limit", 1 / Math.sqrt(1.25), "Add the 1"],
  ["shaping", "gain", 2 * 2 + 4 * 0.1, "Subtract"],
  ["shaping", "gain", 2 * 2 - 2 * 0.1, "two turns"],
  ["shaping", "gain", 2 - 4 * 0.1, "two more"],
  ["shaping", "away", -4 - 2, "adds"],
  ["shaping", "sum", -2 + 1 + 2, "last turn"],
  ["shaping", "sum", 1 + 2 + 1, "negative"],
  ["shaping", "sum", -2 - 4 - 3 - 1, "potentials"],
  ["table", "mean", 9.8 / 4, "one less"],
  ["table", "mean", (9.8 + 7.4 + 5.1 + 5.5 + 1.6) / 5, "seed 1"],
  ["table", "mean", (7.4 + 5.1 + 5.5 + 1.6) / 4, "left out"],
  ["table", "mean", (7.4 + 5.1 + 5.5 + 1.6) / 5, "left out"],
  ["table", "half", 2.776 * 6.88, "square root"],
  ["table", "half", (2.776 * 6.88) / 5, "not by 5"],
  ["table", "half", (2 * 2.776 * 6.88) / Math.sqrt(5), "width"],
  ["table", "half", 6.88 / Math.sqrt(5), "Student's t"],
  ["table", "half", (1.96 * 6.88) / Math.sqrt(5), "1.96"],
  ["table", "seeds", (2.8 * 6.88) / 1.95, "Square it"],
  ["table", "seeds", (6.88 / 1.95) ** 2, "2.8"],
  ["table", "seeds", 2.8 * (6.88 / 1.95) ** 2, "as well"],
  ["clinic", "limit", (0.075 + 0.264 + 0.282 + 0.491 + 0.317) / 5, "the mean"],
  ["clinic", "limit", 0.4 * (0.075 + 0.264 + 0.282 + 0.491 + 0.317), "sum"],
  ["clinic", "limit", (0.4 * (0.282 + 0.491 + 0.317 + 0.101 + 0.018)) / 5, "19 and 20"],
  ["clinic", "limit", 0.4 * 0.541, "first ten"],
  ["clinic", "d-limit", Math.log2(64), "bits"],
  ["clinic", "d-limit", Math.log10(64), "decimal"],
  ["model", "product", 0.207 + 0.465, "sum"],
  ["model", "product", -1.576 - 0.767, "log-prob"],
  ["model", "hot", 58 / 64, "equally"],
  ["sees", "read", 259 + 4 * 126, "wrote itself"],
  ["sees", "read", 259 + 4 * (126 + 28) + 28, "in turn 5"],
  ["sees", "read", 259 + 5 * (126 + 28), "before turn 6"],
  ["sees", "read", 5 * 259, "rules"],
  ["sees", "bootstrapped", -0.2 - 5.517, "without"],
  ["sees", "bootstrapped", -0.2 + 2.247 - 5.517, "γ multiplies"],
  ["sees", "bootstrapped", 0.2 + 0.99 * 2.247 - 5.517, "cost"],
  ["sees", "bootstrapped", 0.2 - 0.99 * 2.247 + 5.517, "minus"],
  ["thinking", "worth", 0.4 * 11.5, "always"],
  ["thinking", "worth", 0.5 * 0.4, "in chance"],
  ["thinking", "worth", 0.5 * 0.4 * 9.9, "failed"],
  ["thinking", "worth", 0.5 * 11.5, "One factor"],
  ["thinking", "sixty", 1 + 60 * 0.01, "added"],
  ["thinking", "sixty", 1.01, "geometric mean"],
  ["thinking", "sixty", 60 * 1.01, "sum"],
  ["thinking", "growth", 69.4 / 28.6, "one direction"],
  ["thinking", "growth", 1.207 / 0.7855, "measured"],
  ["thinking", "growth", Math.sqrt(28.6 / 69.4), "of the mean"],
  ["close", "four", 1 / 8, "pass@1"],
  ["close", "four", 1 - (7 / 8) ** 4, "putting them back"],
  ["close", "k-one", Math.log(2), "policy comes first"],
  ["close", "k-one", 2 - 1 - Math.log(2), "third"],
  ["close", "k-one", 0.1 - 0.2, "logarithms"],
  ["close", "k-three", Math.log(1.5), "first"],
  ["close", "k-three", 0.5 * Math.log(1.5) ** 2, "second"],
  ["close", "k-three", 1.5 - 1 - Math.log(1.5), "exponent"],
  ["close", "k-three", 2 / 3 - 1, "Add x"],
  ["close", "odds", Math.exp(2), "odds"],
  ["close", "odds", Math.exp(1) / 3, "price of 1"],
  ["close", "odds", Math.exp(0.5) / 3, "divided"],
  ["close", "odds", 3 * Math.exp(2), "C against B"],
  ["close", "entropy", 1.5, "bits"],
  ["close", "entropy", Math.log(3), "three equal"],
  ["close", "entropy", -1.04, "never negative"],
  ["shop", "earns", (2 + 1 + 1) / 5, "one option"],
  ["shop", "earns", (2 + 0 + 1) / 4, "below"],
  ["shop", "earns", (2 + 0 + 0) / 5, "fair"],
  ["shop", "pay", 1 - 0.9, "shrinks"],
  ["shop", "pay", 1 - 0.99 * 0.9, "new Φ, not"],
  ["shop", "pay", 0.9 - 0.99, "minus"],
  ["shop", "delta", 0.09 - 0.99 * 0.113 - 0.125, "adds"],
  ["shop", "delta", 0.09 + 0.99 * 0.113 + 0.125, "lowers"],
  ["shop", "delta", -0.99 * 0.113 + 0.125, "was paid"],
  ["shop", "grpo", 1 - 0.65, "Now divide"],
  ["shop", "grpo", 0.65 / 0.3505, "divided the mean"],
  ["shop", "grpo", 1 / 0.3505, "mean first"],
];

it.each(MISTAKES)("%s, %s: %f", (lesson, id, given, said) => {
  const judged = judgeAnswer(quizOf(lesson, id), String(given));
  expect(judged).toMatchObject({ verdict: "wrong", feedback: expect.stringContaining(said) });
});
