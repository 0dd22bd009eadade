import { expect, it } from "vitest";
import { settleCause } from "../../../src/reading/story/settle.ts";

const seeds = (asIs: readonly number[], changed: readonly number[], first = 0.25) =>
  asIs.map((value, i) => ({ first, asIs: value, changed: changed[i]! }));

it("a cause stands if the change helps, with the interval above zero", () => {
  const settled = settleCause(seeds([0.1, 0.12, 0.08], [0.26, 0.27, 0.25]));
  expect(settled.verdict).toBe("stands");
  expect(settled.difference.mean).toBeCloseTo(0.16, 12);
  // Student's t of 2 degrees of freedom, 4.303, times 0.01 / sqrt(3).
  expect(settled.difference.low).toBeCloseTo(0.16 - 4.303 * (0.01 / Math.sqrt(3)), 4);
});

it("it does not stand if at most half of what was lost comes back", () => {
  expect(settleCause(seeds([0.1, 0.12, 0.08], [0.11, 0.12, 0.09])).verdict).toBe("does-not-stand");
});

it("else it cannot be told, and the seeds that would tell are said", () => {
  const vague = settleCause(seeds([0.1, 0.2, 0.05], [0.25, 0.22, 0.03]));
  expect(vague.verdict).toBe("cannot-tell");
  expect(vague.says).toMatch(/^This cannot tell\. About \d+ seeds would tell\.$/);
  expect(settleCause(seeds([0.1], [0.3])).says).toBe("This cannot tell. One seed has no spread.");
  const sound = settleCause(seeds([0.3, 0.32, 0.31], [0.3, 0.31, 0.33]));
  expect(sound.says).toContain("On these seeds nothing was lost.");
});
