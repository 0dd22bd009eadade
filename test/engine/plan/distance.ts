/** How far an operation's results are from the reference's. */
import type { OpCase } from "../../../src/engine/check/opMakers.ts";

/** Allowed of `caseDistance`: float32 that adds in another order, with a graphics card's own exp and division. */
export const ALLOWED = 5e-6;

/** One array: relative to its largest expected number, which is what rounding scales with; Infinity where words differ. */
export function caseDistance(
  { op }: OpCase,
  store: string,
  actual: Float32Array,
  expected: Float32Array,
): number {
  if (op.op === "sample") return drawnDistance(actual, expected, store);
  if (op.op !== "headStats") return relative(actual, expected);
  // A difference of logarithms near 1, which may come out as 0.
  if (store === "out") return relative(actual, expected, 1);
  // Without a reference its words mean nothing; the last is the kernel's own.
  const used = (_: number, i: number) => i % 8 < 4 || (i % 8 < 7 && op.zr !== undefined);
  return relative(actual.filter(used), expected.filter(used));
}

/** One loop over the millions of numbers of the largest tiles: lists of them took longer than the kernels. */
function relative(actual: Float32Array, expected: Float32Array, least = 1e-3): number {
  let [size, worst] = [least, 0];
  for (let i = 0; i < expected.length; i++) {
    const x = expected[i]!;
    if (Number.isFinite(x)) size = Math.max(size, Math.abs(x));
    const error = actual[i] === x ? 0 : Math.abs(actual[i]! - x);
    if (!(error <= worst)) worst = Number.isNaN(error) ? Infinity : error;
  }
  return worst / size;
}

const bits = (x: Float32Array) => new Int32Array(x.buffer, x.byteOffset, x.length);
const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.from(a).every((x, i) => x === b[i]);

/** Ids and counters to the bit; log-probs as numbers. */
function drawnDistance(actual: Float32Array, expected: Float32Array, store: string): number {
  const [ours, theirs] = [bits(actual), bits(expected)];
  if (store !== "drawn") return same(ours, theirs) ? 0 : Infinity;
  const ids = (_: number, i: number) => i % 2 === 0;
  if (!same(ours.filter(ids), theirs.filter(ids))) return Infinity;
  const apart = Array.from(
    expected.filter((_, i) => i % 2 === 1),
    (x, i) => {
      const got = actual[2 * i + 1]!;
      if (Number.isNaN(x)) return Number.isNaN(got) ? 0 : Infinity;
      return Number.isNaN(got) ? Infinity : Math.abs(got - x);
    },
  );
  return Math.max(...apart);
}
