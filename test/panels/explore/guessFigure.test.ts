/** Credit by hand: the truth stays hidden until it is asked for, and both distances are right. */
import { expect, it } from "vitest";
import { guessFigure } from "../../../src/panels/explore/guessFigure.ts";

const data = { truth: [0, 0, 8, 0], half: [1, 1, 1, 1] };
const guess = { turn1: 1, turn2: 0, turn3: 6, turn4: 1 };
const valuesOf = (reveal: number) =>
  guessFigure.show({ ...guess, reveal }, data).rows.map(({ values }) => values);

it("hides the truth, and what follows from it, until it is asked for", () => {
  const [yours, ...others] = valuesOf(0);
  expect(yours).toEqual([1, 0, 6, 1]);
  expect(others).toEqual([Array(4).fill(null), Array(4).fill(null)]);
  expect(guessFigure.show({ ...guess, reveal: 0 }, data).says).toContain("shared out 8.00");
});

it("says how far the guess and equal shares are from the truth", () => {
  expect(valuesOf(1).slice(1)).toEqual([[2, 2, 2, 2], data.truth]);
  // (1 + 0 + 2 + 1) / 4 and (2 + 2 + 6 + 2) / 4.
  expect(guessFigure.show({ ...guess, reveal: 1 }, data).says).toBe(
    "You miss the truth by 1.00 a turn; equal shares miss it by 3.00.",
  );
});

it("shares out what the episode earned, where the cell says it", () => {
  const { rows } = guessFigure.show({ reveal: 1 }, { ...data, rewards: [-1, 0, 0, 5] });
  expect(rows[1]!.values).toEqual([1, 1, 1, 1]);
});
