/**
 * Compressed-row segments: segment s of a packed array x [n] is x[start[s]] .. x[start[s+1]-1].
 * start has one entry more than there are segments; sums run in index order.
 */

/** Running sums with a leading 0: compressed-row offsets. [n+1] */
export function offsets(counts: readonly number[]): Int32Array {
  const starts = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => (starts[i + 1] = starts[i]! + count));
  return starts;
}

/** Offsets 0, 1, .., n: every element is its own segment. [n+1] */
export function singletons(n: number): Int32Array {
  return Int32Array.from({ length: n + 1 }, (_, i) => i);
}

/**
 * Offsets of outer segments counted in the elements of inner ones, e.g. trajectories in tokens.
 * [S+1]
 */
export function composeOffsets(outer: Int32Array, inner: Int32Array): Int32Array {
  return outer.map((i) => inner[i]!);
}

/** Number of elements of each segment. [S] */
export function segmentLengths(start: Int32Array): Float64Array {
  return Float64Array.from({ length: start.length - 1 }, (_, s) => start[s + 1]! - start[s]!);
}

/** Sum of each segment. [n] -> [S] */
export function segmentSum(x: Float64Array, start: Int32Array): Float64Array {
  const sums = new Float64Array(start.length - 1); // [S]
  for (let s = 0; s < sums.length; s++) {
    for (let i = start[s]!; i < start[s + 1]!; i++) sums[s]! += x[i]!;
  }
  return sums;
}

/** Mean of each segment; NaN for an empty one. [n] -> [S] */
export function segmentMean(x: Float64Array, start: Int32Array): Float64Array {
  return segmentSum(x, start).map((sum, s) => sum / (start[s + 1]! - start[s]!)); // [S]
}

/** Repeats each segment's number over its elements. [S] -> [n] */
export function broadcast(perSegment: Float64Array, start: Int32Array): Float64Array {
  const x = new Float64Array(start.at(-1)!); // [n]
  for (let s = 0; s < perSegment.length; s++) {
    x.fill(perSegment[s]!, start[s]!, start[s + 1]!);
  }
  return x;
}

/** Joins the chosen segments, in the given order. [n] -> [sum of their lengths] */
export function gatherSegments<T extends Float64Array | Int32Array>(
  x: T,
  start: Int32Array,
  chosen: ArrayLike<number>,
): T {
  const parts = Array.from(chosen, (s) => x.subarray(start[s]!, start[s + 1]!));
  const Packed = x.constructor as new (length: number) => T;
  const out = new Packed(parts.reduce((n, part) => n + part.length, 0)); // [sum of lengths]
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Offsets of the chosen segments once they are joined. [chosen+1] */
export function gatherOffsets(start: Int32Array, chosen: ArrayLike<number>): Int32Array {
  const out = new Int32Array(chosen.length + 1); // [chosen+1]
  for (let i = 0; i < chosen.length; i++) {
    out[i + 1] = out[i]! + start[chosen[i]! + 1]! - start[chosen[i]!]!;
  }
  return out;
}
