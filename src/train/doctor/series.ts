/** What a detector remembers of one metric: its beginning and its end, so that memory does not grow with the run. */

export interface SeriesPoint {
  iteration: number;
  value: number;
}

/** Plain data, kept in checkpoints. */
export interface KeptSeries {
  /** The first points. */
  head: SeriesPoint[];
  /** The last of the later points. */
  tail: SeriesPoint[];
}

/** RAGEN's base is the mean of the first ten (ragen/trainer/agent_trainer.py). */
export const BASE_POINTS = 10;
const TAIL_POINTS = 24;

export function appendPoint(series: KeptSeries, point: SeriesPoint): void {
  if (series.head.length < BASE_POINTS) {
    series.head.push(point);
    return;
  }
  series.tail.push(point);
  if (series.tail.length > TAIL_POINTS) series.tail.shift();
}

/** The last `count` points and those before them, oldest first; forgotten points lie in between. */
export function splitAt(
  { head, tail }: KeptSeries,
  count: number,
): { before: SeriesPoint[]; window: SeriesPoint[] } {
  const all = [...head, ...tail];
  const at = Math.max(0, all.length - count);
  return { before: all.slice(0, at), window: all.slice(at) };
}
