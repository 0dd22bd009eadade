// @vitest-environment happy-dom
/** Answers stay with the notebook that the browser keeps, else in the tab; of notebooks from elsewhere nothing is written. */
import "fake-indexeddb/auto";
import { beforeEach, expect, it, vi } from "vitest";
import { browserShelf } from "../../src/runtime/shelf/notebooks.ts";
import {
  answersInBrowser,
  answersInTab,
  isPassed,
  listOfAnswers,
  QuizAnswers,
  readAnswerList,
  UNANSWERED,
  type QuizAnswer,
} from "../../src/store/quizAnswers.ts";

beforeEach(() => sessionStorage.clear());

const answer = { given: "2", verdict: "right", hinted: true } as const;
const read = (answers: QuizAnswers, question: string) =>
  answers.store.getState().answers.get(question);

it("are read again with their notebook, by what was asked, and gone with it", async () => {
  const shelf = browserShelf("test-answers");
  const place = answersInBrowser(shelf, "abcd");
  new QuizAnswers(place).change("Q", answer);
  await vi.waitFor(async () => expect(await shelf.answers("abcd")).toHaveLength(1));
  const again = new QuizAnswers(place);
  // What is answered before the browser has answered stays.
  again.change("R", { ...answer, given: "3" });
  await vi.waitFor(() => expect(read(again, "Q")).toEqual(answer));
  expect([read(again, "R")?.given, read(again, "S")]).toEqual(["3", undefined]);
  await vi.waitFor(async () => expect(await shelf.answers("abcd")).toHaveLength(2));
  expect(await shelf.answers("other")).toEqual([]);
  await shelf.drop("abcd");
  expect(await shelf.answers("abcd")).toEqual([]);
});

it("of a lesson stay in the tab; with no place nothing is written", async () => {
  new QuizAnswers(answersInTab("A lesson")).change("Q", answer);
  const again = new QuizAnswers(answersInTab("A lesson"));
  await vi.waitFor(() => expect(read(again, "Q")).toEqual(answer));
  expect(sessionStorage.length).toBe(1);
  const foreign = new QuizAnswers(null);
  foreign.change("Q", answer);
  expect(read(foreign, "Q")).toEqual(answer);
  expect(sessionStorage.length).toBe(1);
});

it("are checked wherever they come from, and listed where they say something", () => {
  const given = { question: "Q", ...answer };
  const wrong = [null, 7, {}, { ...given, verdict: "x" }, { ...given, given: 2 }];
  expect([...readAnswerList([...wrong, { ...given, hinted: 1, more: true }])]).toEqual([
    ["Q", { ...answer, hinted: false }],
  ]);
  for (const one of [null, "x", { length: 1 }]) expect(readAnswerList(one).size).toBe(0);
  const open = { given: "", verdict: "open", hinted: false } as const;
  const all = new Map<string, QuizAnswer>([
    ["Q", answer],
    ["R", open],
  ]);
  expect(listOfAnswers(all)).toEqual([given]);
});

it("are passed once given or skipped, until one starts over", () => {
  const answers = new QuizAnswers(answersInTab("Skipped"));
  expect(isPassed(read(answers, "Q"))).toBe(false);
  answers.skip("Q");
  expect(isPassed(read(answers, "Q"))).toBe(true);
  expect(listOfAnswers(answers.store.getState().answers)).toEqual([
    { question: "Q", given: "", verdict: "open", hinted: false, seen: true },
  ]);
  const kept = readAnswerList([{ question: "Q", given: "", verdict: "open", seen: true }]);
  expect(isPassed(kept.get("Q"))).toBe(true);
  expect(isPassed({ given: "1", verdict: "wrong", hinted: false })).toBe(true);
  answers.change("Q", UNANSWERED);
  expect(isPassed(read(answers, "Q"))).toBe(false);
});
