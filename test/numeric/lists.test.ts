import { expect, test } from "vitest";
import { append, greatest, least, textOfCodes } from "../../src/numeric/lists.ts";

const LONG = 300_000;
const long = Array.from({ length: LONG }, (_, i) => i % 60_000);

test("lists that overflow the stack as arguments have a largest, a smallest and a text", () => {
  expect(() => Math.max(...long)).toThrow(RangeError);
  expect([greatest(long), least(long)]).toEqual([59_999, 0]);
  const list = [1];
  append(list, long);
  expect(list).toHaveLength(LONG + 1);
  const text = textOfCodes(long);
  expect([text.length, text.charCodeAt(4095), text.charCodeAt(4096)]).toEqual([LONG, 4095, 4096]);
});

test("of an empty list, and of NaN, they are what Math.max and Math.min are", () => {
  for (const list of [[], [NaN, 1], [1, NaN], [-0, 0], [0, -0], [-Infinity], [3]]) {
    expect(greatest(list)).toBe(Math.max(...list));
    expect(least(list)).toBe(Math.min(...list));
  }
  expect(greatest(Float32Array.of(1, 5, 2))).toBe(5);
});
