import { expect, it } from "vitest";
import { stretchAt as stretchOf } from "../../src/numeric/stretch.ts";

const MOST = 12;
const stretchAt = (turn: number, count: number) => stretchOf(turn, count, MOST);

it("is all of a short list, and of a long one the part with the cursor's place", () => {
  expect(stretchAt(3, 5)).toEqual({ from: 0, to: 5 });
  expect(stretchAt(0, 0)).toEqual({ from: 0, to: 0 });
  const seen = new Set<number>();
  for (let turn = 0; turn < 50; turn++) {
    const { from, to } = stretchAt(turn, 50);
    expect(from <= turn && turn < to && to - from <= MOST).toBe(true);
    for (let h = from; h < to; h++) seen.add(h);
  }
  expect(seen.size).toBe(50);
  expect(stretchAt(49, 50)).toEqual({ from: 48, to: 50 });
  // A cursor beyond the end, as one of another episode.
  expect(stretchAt(80, 50)).toEqual({ from: 48, to: 50 });
});

it("stays where it is while the cursor moves in it", () => {
  const { from, to } = stretchAt(17, 50);
  for (let turn = from; turn < to; turn++) expect(stretchAt(turn, 50)).toEqual({ from, to });
  expect(stretchAt(to, 50).from).toBe(to);
});
