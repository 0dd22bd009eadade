/**
 * A scale without outliers: of all points, not only those drawn, the few farthest from the middle do not count where
 * they lie far from all others.
 */
import type { Window } from "./curveTypes.ts";
import type { Curve } from "./curveTypes.ts";
import { firstAtLeast } from "../numeric/downsample.ts";
import type { Axis } from "./scale.ts";

/** Share of the points that a scale may leave outside. */
const OUTER_SHARE = 0.02;

/** How many times the middle half's width a point must lie from the middle to be left outside. */
const FAR = 3;

export interface Trim {
  /** On a logarithmic scale far is a large factor. */
  log: boolean;
}

/** Every number of lines within the window, drawn or not; of smoothed ones also the numbers behind them. */
export function* pointsIn(curves: readonly Curve[], [low, high]: Window): Generator<number> {
  for (const { x, y, raw, rawY } of curves) {
    for (let i = firstAtLeast(x, low); i < x.length && x[i]! <= high; i++) {
      if (typeof y[i] === "number") yield y[i]!;
      if (raw && typeof rawY[i] === "number") yield rawY[i]!;
    }
  }
}

/** Lowest and highest of what is left; nothing where there is nothing. */
export function trimmed(curves: readonly Curve[], window: Window, { log }: Trim): number[] {
  const all = Float64Array.from(pointsIn(curves, window)).sort();
  const values = log ? all.subarray(all.findLastIndex((value) => value <= 0) + 1) : all;
  if (values.length === 0) return [];
  const place = log ? Math.log : (value: number) => value;
  const middle = place(values[values.length >> 1]!);
  const spread = place(quartile(values, 3)) - place(quartile(values, 1));
  let [first, last] = [0, values.length - 1];
  for (let left = mostOutside(values.length, spread); left > 0; left--) {
    const below = middle - place(values[first]!);
    const above = place(values[last]!) - middle;
    if (!(Math.max(below, above) > FAR * spread)) break;
    if (below > above) first++;
    else last--;
  }
  return [values[first]!, values[last]!];
}

/** How many may go. Where half of the points are one number nothing says what is far: no more than the share goes. */
function mostOutside(count: number, spread: number): number {
  return Math[spread > 0 ? "ceil" : "floor"](count * OUTER_SHARE);
}

/** Of numbers in order. */
function quartile(values: Float64Array, quarters: 1 | 3): number {
  return values[Math.round(((values.length - 1) * quarters) / 4)]!;
}

/** How many points of the runs, before smoothing, the picture has no place for. */
export function countOutside(
  curves: readonly Curve[],
  [left, right]: Window,
  { domain: [low, high], log }: Pick<Axis, "domain" | "log">,
): number {
  let count = 0;
  for (const { x, rawY } of curves)
    for (let i = firstAtLeast(x, left); i < x.length && x[i]! <= right; i++) {
      const value = rawY[i];
      // A logarithm's missing places have a sentence of their own.
      if (typeof value !== "number" || (log && value <= 0)) continue;
      if (value < low || value > high) count++;
    }
  return count;
}
