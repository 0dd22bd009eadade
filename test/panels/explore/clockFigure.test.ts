/** Two clocks: the same episode by turns and by tokens, each number as by hand. */
import { expect, it } from "vitest";
import { clocksFigure } from "../../../src/panels/explore/clockFigure.ts";

/** Two turns of two and three tokens; the critics expect 1 and 2 before turns, nothing before tokens. */
const data = { rewards: [-1, 8], values: [1, 2], lengths: [2, 3], tokenValues: [0, 0, 0, 0, 0] };
const shown = (at: Record<string, number>) => clocksFigure.show(at, data);

it("fades by a step a turn, and by a step a token", () => {
  const [byTurn, first, last] = shown({ gamma: 1, lambda: 0.5 }).rows.map(({ values }) => values);
  // By turns: δ2 = 8 − 2 = 6; δ1 = −1 + 2 − 1 = 0, and half of 6.
  expect(byTurn).toEqual([3, 6]);
  // By tokens: 8 is 4 steps after the first token and −1 one step, 8 is 2 steps after the first of turn 2.
  expect(first).toEqual([8 / 16 - 1 / 2, 8 / 4]);
  expect(last).toEqual([-1 + 8 / 8, 8]);
});

it("fades nowhere with γ = λ = 1: credit is the return less the value", () => {
  const [byTurn, first] = shown({ gamma: 1, lambda: 1 }).rows.map(({ values }) => values);
  expect(byTurn).toEqual([7 - 1, 8 - 2]);
  expect(first).toEqual([7, 8]);
  expect(shown({ gamma: 1, lambda: 1 }).says).toContain("1 step before the last turn");
});
