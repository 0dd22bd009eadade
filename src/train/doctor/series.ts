/** What a detector remembers of one metric: its beginning and its end, so that a long run needs no more than a short. */

export interface Point {
  iteration: number;
  value: number;
}

/** Plain data, kept in checkpoints. */
export interface Series {
  /** The first points. */
  head: Point[];
  /** The last of those after them. */
  tail: Point[];
}

/** RAGEN's base is the mean of the first ten (ragen/trainer/agent_trainer.py). */
export const BASE_POINTS = 10;
const TAIL_POINTS = 24;

export function append(series: Series, point: Point): void {
  if (series.head.length < BASE_POINTS) {
    series.head.push(point);
    return;
  }
  series.tail.push(point);
  if (series.tail.length > TAIL_POINTS) series.tail.shift();
}

/** The last `count` points and what came before them, oldest first; what is forgotten stands between them. */
export function split({ head, tail }: Series, count: number): { before: Point[]; window: Point[] } {
  const all = [...head, ...tail];
  const at = Math.max(0, all.length - count);
  return { before: all.slice(0, at), window: all.slice(at) };
}
