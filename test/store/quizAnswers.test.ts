// @vitest-environment happy-dom
/** Answers of questions stay in the tab, beside the notebook; of notebooks from elsewhere nothing is written. */
import { beforeEach, expect, it } from "vitest";
import { keepAnswer, readAnswer } from "../../src/store/quizAnswers.ts";

beforeEach(() => sessionStorage.clear());

const answer = { given: "2", verdict: "right", hinted: true } as const;
const place = (name: string, isForeign = false) => ({ name, body: "question: Q", isForeign });

it("is read again while the question is the same", () => {
  keepAnswer(place("a/q"), answer);
  expect(readAnswer(place("a/q"))).toEqual(answer);
  expect(readAnswer({ ...place("a/q"), body: "question: R" }).verdict).toBe("open");
  expect(readAnswer(place("b/q")).verdict).toBe("open");
  expect(sessionStorage.length).toBe(1);
});

it("is in memory alone for a notebook from elsewhere, and nowhere without a place", () => {
  keepAnswer(place("c/q", true), answer);
  expect(readAnswer(place("c/q", true))).toEqual(answer);
  keepAnswer(null, answer);
  expect(readAnswer(null).verdict).toBe("open");
  expect(sessionStorage.length).toBe(0);
});

it("is checked where it comes from storage", () => {
  const kept = (value: unknown) =>
    sessionStorage.setItem("turnbook-quiz:d/q", JSON.stringify(value));
  kept({ ...answer, body: "question: Q" });
  expect(readAnswer(place("d/q"))).toEqual(answer);
  for (const wrong of [null, 7, {}, { ...answer, verdict: "x", body: "question: Q" }]) {
    kept(wrong);
    expect(readAnswer(place("d/q")).verdict).toBe("open");
  }
});
