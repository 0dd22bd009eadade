import { expect, test } from "vitest";
import { Eta } from "../../src/runtime/eta.ts";

test("what is left is the rate of the last while times what is to do", () => {
  const eta = new Eta();
  expect(eta.note(0, 10, 0)).toBeNull();
  expect(eta.note(0, 10, 900)).toBeNull();
  expect(eta.note(1, 10, 1000)).toBeCloseTo(9);
  expect(eta.note(1, 10, 1500)).toBeCloseTo(8.5);
  expect(eta.note(2, 10, 2000)).toBeCloseTo(8);
});

test("a pause is not work, and a slow start is forgotten", () => {
  const eta = new Eta();
  eta.note(0, 100, 0);
  eta.note(1, 100, 60_000); // compiling
  for (let n = 2; n <= 20; n++) eta.note(n, 100, 60_000 + (n - 1) * 1000);
  eta.skip(1_000_000);
  expect(eta.note(21, 100, 60_000 + 20_000 + 1_000_000)).toBeCloseTo(79);
});

test("another kind of work starts again", () => {
  const eta = new Eta();
  eta.note(10, 50, 0);
  eta.note(50, 50, 4000);
  expect(eta.note(0, 6, 5000)).toBeNull();
  expect(eta.note(1, 6, 7000)).toBeCloseTo(10);
});
