/**
 * Fewer points for the same picture: the lowest and the highest of each bucket. Bucket widths are powers of two
 * on the x axis itself, so that one more point changes at most the last bucket until all widths double.
 */

export interface Point {
  x: number;
  /** Null was not finite: it breaks the line and is never averaged away. */
  y: number | null;
}

export const MAX_POINTS = 250;
/** A bucket gives up to three points: lowest, highest, and one gap. The newest point is always kept too. */
const POINTS_PER_BUCKET = 3;

/** At most `max` points; x ascending, as given. */
export function downsample(
  x: readonly number[],
  y: readonly (number | null)[],
  max: number = MAX_POINTS,
): Point[] {
  const n = Math.min(x.length, y.length);
  const at = (i: number): Point => ({ x: x[i]!, y: y[i] ?? null });
  if (n <= max) return Array.from({ length: n }, (_, i) => at(i));
  const kept = new Set<number>([n - 1]);
  const width = bucketWidth(x[0]!, x[n - 1]!, Math.floor((max - 1) / POINTS_PER_BUCKET));
  for (let start = 0; start < n;) {
    const end = bucketEnd(x, start, n, width);
    for (const i of extremes(y, start, end)) kept.add(i);
    start = end;
  }
  return [...kept].sort((a, b) => a - b).map(at);
}

/** Smallest power of two that covers [first, last] with at most `buckets` aligned buckets. */
function bucketWidth(first: number, last: number, buckets: number): number {
  let width = 1;
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
