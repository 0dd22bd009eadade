/** One meaning of a collapse for all summaries. */
import { expect, it } from "vitest";
import { isScore, resultCollapsed } from "../../src/spec/collapse.ts";

/** A run that starts at 24 % solved, reward 2, all turns valid. */
const ended = (success: number | null, reward: number | null, valid?: number) =>
  resultCollapsed({
    points: [
      [0, scores(0.24, 2, 1)],
      [100, scores(success, reward, valid)],
    ],
  });

const scores = (success: number | null, reward: number | null, valid?: number) => ({
  "val-env/sokoban/success": success,
  "val-env/sokoban/reward": reward,
  ...(valid !== undefined && { "val-env/sokoban/action_is_valid": valid }),
});

it("is less than half of what was solved at the start, with less reward", () => {
  expect(ended(0.119, 0.9, 1)).toBe(true);
  expect(ended(0.12, 0.9, 1)).toBe(false);
  // A shop's policy that buys more and finds less earns more.
  expect(ended(0.05, 2.1, 1)).toBe(false);
});

it("is fewer than half of the turns valid, whatever is solved", () => {
  // Turn-PPO at class size, seed 4.
  expect(ended(0.32, 3.02, 0.176)).toBe(true);
  expect(ended(0.32, 3.02, 0.5)).toBe(false);
});

it("is not said of a policy that never had valid turns, nor of what was not measured", () => {
  const points = [0.2, 0.4].map((valid, i) => [i, scores(0, -0.5, valid)] as const);
  expect(resultCollapsed({ points })).toBe(false);
  expect(ended(0.3, 3)).toBe(false);
  expect(ended(null, null)).toBe(false);
  expect(resultCollapsed({ points: [] })).toBe(false);
});

it("is every run whose numbers were no longer finite", () => {
  expect(resultCollapsed({ points: [], crashedAt: 3 })).toBe(true);
});

it("reads an evaluation's own scores only", () => {
  expect(isScore("val-env/webshop/success", "success")).toBe(true);
  expect(isScore("val-env/webshop/success_purchase", "success")).toBe(false);
  expect(isScore("train/success", "success")).toBe(false);
});
