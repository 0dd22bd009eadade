/** What the y axis of a chart must include, and what lies outside it. */
import { firstAtLeast } from "../../numeric/downsample.ts";
import type { Axis, Window } from "../../numeric/scale.ts";
import { crashHeightOf, type Curve } from "./curve.ts";

const within = ({ x }: { x: number }, [low, high]: Window) => x >= low && x <= high;

function* lineHeights(curves: readonly Curve[], window: Window): Generator<number> {
  for (const curve of curves) {
    for (const point of [...curve.points, ...(curve.raw ?? [])])
      if (point.y !== null && within(point, window)) yield point.y;
    for (const { x } of curve.crashes) if (within({ x }, window)) yield crashHeightOf(curve, x);
  }
}

function* bandHeights(curves: readonly Curve[], window: Window): Generator<number> {
  for (const { band } of curves)
    for (const point of band ?? [])
      if (within(point, window) && Number.isFinite(point.low)) yield* [point.low, point.high];
}

/** Of the lines' own height, how much room intervals get above and below: two seeds' would flatten all else. */
const BAND_ROOM = 0.5;

interface Heights {
  /** What the axis must hold. */
  values: number[];
  /** Whether an interval goes on beyond that. */
  cut: boolean;
}

/** What is drawn within a window of x; `trim` leaves out what would flatten the rest. */
export function heightsOf(
  curves: readonly Curve[],
  window: Window,
  trim: Trim | null = null,
): Heights {
  const lines = trim ? trimmed(curves, window, trim) : [...lineHeights(curves, window)];
  const low = lines.reduce((a, b) => Math.min(a, b), Infinity);
  const high = lines.reduce((a, b) => Math.max(a, b), -Infinity);
  const room = (high - low) * BAND_ROOM;
  const bands = [...bandHeights(curves, window)];
  // Bars are read against 0.
  if (curves.some(({ bars }) => bars)) return { values: [0, ...lines, ...bands], cut: false };
  // Where the lines are flat there is only the interval to see.
  if (!(room > 0)) return { values: [...lines, ...bands], cut: false };
  const kept = bands.map((value) => Math.max(low - room, Math.min(high + room, value)));
  return { values: [...lines, ...kept], cut: kept.some((value, i) => value !== bands[i]) };
}

/** How many numbers a logarithmic scale has no place for. */
export function belowLog(curves: readonly Curve[]): number {
  let count = 0;
  for (const { y } of curves) for (const value of y) if (value !== null && value <= 0) count++;
  return count;
}

/*
 * A scale without outliers: of all points, not only those drawn, the few farthest from the middle do not count where
 * they lie far from all others.
 */

/** Share of the points that a scale may leave outside. */
const OUTER_SHARE = 0.02;

/** How many times the middle half's width a point must lie from the middle to be left outside. */
const FAR = 3;

interface Trim {
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

/** Lowest and highest of the remaining numbers; empty without any. */
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
