import { describe, expect, it } from "vitest";
import {
  apply,
  levelChange,
  metricChange,
  type StoryRule,
} from "../../../src/reading/story/changes.ts";

const trackOf = (y: number[]) => ({ metric: "m", x: y.map((_, i) => i + 1), y });
const steady = Array.from({ length: 15 }, (_, i) => 1 + 0.05 * Math.sin(i * 7));
const rule: StoryRule = { metric: "m", side: "above", limit: 2, last: 3 };

function changeIn(y: number[], one = rule) {
  const ruled = apply(one, trackOf(y));
  return metricChange(one, ruled, ruled.held.indexOf(true));
}

describe("the onset", () => {
  it("of a jump is the jump", () => {
    const change = changeIn([...steady, 3, 3, 3, 3]);
    expect(change).toMatchObject({ before: 15, onset: 16, since: 16, to: 3 });
  });

  it("of a ramp is where it leaves the range of its beginning, long before the limit", () => {
    const ramp = Array.from({ length: 12 }, (_, i) => 1 + 0.2 * (i + 1));
    const change = changeIn([...steady, ...ramp]);
    expect(change.onset).toBe(16);
    expect(change.since).toBe(21);
  });

  it("of what has always been beyond the limit is the first iteration", () => {
    expect(changeIn([3, 3, 3, 3, 3])).toMatchObject({ before: 1, onset: 1, since: 1 });
  });

  it("is not moved by one value that leaves the range and comes back", () => {
    const spiked = steady.map((value, i) => (i === 12 ? 2.5 : value));
    expect(changeIn([...spiked, 3, 3, 3]).onset).toBe(16);
  });
});

it("a limit in multiples of the beginning needs a beginning", () => {
  const twice: StoryRule = { ...rule, limit: { timesBase: 2 } };
  expect(apply(twice, trackOf([1, 5, 5, 5])).held).toEqual([false, false, false, false]);
  expect(apply(twice, trackOf([...steady, 5, 5, 5])).held.indexOf(true)).toBe(17);
});

it("two levels are told apart, with an interval that noise widens", () => {
  const clear = levelChange(trackOf([...steady, ...steady.map((x) => x + 3)]))!;
  expect(clear).toEqual({ at: 16, from: 15, to: 16 });
  const noisy = steady.map((_, i) => 1 + Math.sin(i * 12.9));
  const vague = levelChange(trackOf([...noisy, ...noisy.map((x) => x + 1)]))!;
  expect(vague.to - vague.from).toBeGreaterThan(2);
  expect(levelChange(trackOf([1, 2, 3]))).toBeNull();
  expect(levelChange(trackOf(steady))).toBeNull();
});

it("a limit relative to the first three values sees what changes within the first third", () => {
  const rising = Array.from({ length: 24 }, (_, i) => -30 * Math.exp(-i / 6));
  const up: StoryRule = { metric: "m", side: "above", limit: { sigmas: 3 }, last: 3 };
  expect(apply(up, trackOf(rising)).held).not.toContain(true);
  expect(apply({ ...up, base: "start" }, trackOf(rising)).held.indexOf(true)).toBeLessThan(10);
});

it("a limit relative to the highest stretch before sees a decline that begins at once", () => {
  const falling = Array.from({ length: 16 }, (_, i) => Math.max(6, 10 - i));
  const low: StoryRule = { metric: "m", side: "below", limit: { timesBase: 0.7 }, last: 3 };
  expect(apply(low, trackOf(falling)).held).not.toContain(true);
  const held = apply({ ...low, base: "highest" }, trackOf(falling)).held;
  // The highest three are 10, 9 and 8: the limit is 6.3.
  expect(held.indexOf(true)).toBe(falling.findIndex((y) => y < 6.3) + 2);
  expect(held.at(-1)).toBe(true);
});
