/**
 * Fewer points for the same picture: the lowest and the highest of each bucket. Bucket widths are
 * powers of two on the x axis itself, so that one more point changes at most the last bucket until
 * all widths double.
 */

export interface Point {
  x: number;
  /** Null if not finite: it breaks the line and is never averaged away. */
  y: number | null;
}

export const MAX_POINTS = 250;
/** With bands each point is drawn three times. */
export const MAX_BAND_POINTS = 120;
/** A bucket contributes up to three points: lowest, highest, and one gap. The newest point is always kept too. */
const POINTS_PER_BUCKET = 3;

/** At most `max` points; x ascending, as given. */
export function downsample(
  x: readonly number[],
  y: readonly (number | null)[],
  max: number = MAX_POINTS,
): Point[] {
  return keptIndices(x, y, max).map((i) => ({ x: x[i]!, y: y[i] ?? null }));
}

/**
 * Indices of the kept points, ascending; with a window only those in it and one beyond either end.
 */
export function keptIndices(
  x: readonly number[],
  y: readonly (number | null)[],
  max: number = MAX_POINTS,
  window?: readonly [number, number] | null,
): number[] {
  const length = Math.min(x.length, y.length);
  const [from, n] = window ? indexWindow(x, length, window) : [0, length];
  if (n - from <= max) return Array.from({ length: n - from }, (_, i) => from + i);
  const kept = new Set<number>([n - 1]);
  const width = bucketWidth(x[from]!, x[n - 1]!, Math.floor((max - 1) / POINTS_PER_BUCKET));
  for (let start = from; start < n;) {
    const end = bucketEnd(x, start, n, width);
    for (const i of extremes(y, start, end)) kept.add(i);
    start = end;
  }
  return [...kept].sort((a, b) => a - b);
}

/** First index and the index after the last: lines continue beyond the picture's edges. */
function indexWindow(
  x: readonly number[],
  length: number,
  [low, high]: readonly [number, number],
): [number, number] {
  const first = firstAtLeast(x, low, length);
  const after = firstAtLeast(x, high, length);
  return [Math.max(0, first - 1), Math.min(length, after + 2)];
}

/** Index of the first x that is not below `value`; `length` if all are. */
export function firstAtLeast(x: readonly number[], value: number, length = x.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the x that is closest to `value`; -1 if there is none. */
export function nearestIndex(x: readonly number[], value: number): number {
  const at = firstAtLeast(x, value);
  if (at === 0) return x.length === 0 ? -1 : 0;
  if (at === x.length) return at - 1;
  return value - x[at - 1]! <= x[at]! - value ? at - 1 : at;
}

/** Smallest power of two that covers [first, last] with at most `buckets` aligned buckets. */
function bucketWidth(first: number, last: number, buckets: number): number {
  const span = last - first;
  let width = span > 0 ? 2 ** Math.floor(Math.log2(span / buckets)) : 1;
  while (Math.floor(last / width) - Math.floor(first / width) + 1 > buckets) width *= 2;
  return width;
}

function bucketEnd(x: readonly number[], start: number, n: number, width: number): number {
  const bucket = Math.floor(x[start]! / width);
  let end = start + 1;
  while (end < n && Math.floor(x[end]! / width) === bucket) end++;
  return end;
}

function extremes(y: readonly (number | null)[], start: number, end: number): number[] {
  let low = -1;
  let high = -1;
  let gap = -1;
  for (let i = start; i < end; i++) {
    const value = y[i] ?? null;
    if (value === null) gap = i;
    else {
      if (low < 0 || value < y[low]!) low = i;
      if (high < 0 || value > y[high]!) high = i;
    }
  }
  return [low, high, gap].filter((i) => i >= 0);
}
