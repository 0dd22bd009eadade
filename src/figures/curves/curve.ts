/** A line over the iterations as data: its points, what is read of them, and the same in words and as a table. */
import {
  firstAtLeast,
  keptIndices,
  MAX_POINTS,
  nearestIndex,
  type Point,
} from "../../numeric/downsample.ts";
import type { Window } from "../../numeric/scale.ts";

/** Low and high end of an interval at an x. */
export interface BandPoint {
  x: number;
  low: number;
  high: number;
}

export interface Curve {
  id: string;
  name: string;
  /** Whose colour, dash and marker it has, unless it has a look of its own. */
  method: string;
  /** Among the looks of its figure; absent: its method's. */
  look?: string;
  /** How prominent it is: the run that panels show, another run, a ghost behind them, the sender's of a link, or the baseline. */
  weight: "main" | "other" | "ghost" | "sender" | "baseline";
  /** Label of the line if one chart has lines of several runs; "" for none. */
  mark: string;
  /** All points; x ascending. Nothing is left out of these. */
  x: readonly number[];
  y: readonly (number | null)[];
  /** Which iteration a point belongs to. */
  iteration: readonly number[];
  /** How many runs a point is the mean of. */
  n: readonly number[];
  /** Which of them are drawn. */
  kept: readonly number[];
  points: readonly Point[];
  /** The numbers before smoothing, as far as they are drawn; null if the line is the raw one. */
  raw: readonly Point[] | null;
  /** All numbers before smoothing. */
  rawY: readonly (number | null)[];
  /** Null without an interval. */
  band: readonly BandPoint[] | null;
  /** Whether intervals are bars at points far apart; a band along the line when absent. */
  bars?: boolean;
  crashes: readonly { x: number; cause: string }[];
  /** In words: how many seeds, how many of them crashed; "" for a single run. */
  note: string;
}

export type CurveParts = Pick<Curve, "id" | "name" | "x" | "y"> & Partial<Curve>;

/** A curve of a single run, not smoothed, with at most `most` drawn points, unless `parts` says otherwise. */
export function curveFrom(parts: CurveParts, most: number = MAX_POINTS): Curve {
  const { x, y } = parts;
  const kept = parts.kept ?? keptIndices(x, y, most);
  return {
    method: parts.id,
    weight: "main",
    mark: "",
    iteration: x,
    n: x.map(() => 1),
    kept,
    points: kept.map((i) => ({ x: x[i]!, y: y[i] ?? null })),
    raw: null,
    rawY: y,
    band: null,
    crashes: [],
    note: "",
    ...parts,
  };
}

/** The point of a curve that is closest to an x; undefined if it has none, or has ended before. */
export function readAt(
  { x, y, iteration, n }: Curve,
  at: number,
): { x: number; y: number | null; iteration: number; n: number } | undefined {
  const i = nearestIndex(x, at);
  if (i < 0) return undefined;
  const spacing = x.length > 1 ? (x.at(-1)! - x[0]!) / (x.length - 1) : 1;
  if (at < x[0]! - spacing || at > x.at(-1)! + spacing / 2) return undefined;
  return { x: x[i]!, y: y[i] ?? null, iteration: iteration[i]!, n: n[i]! };
}

/** Mean of a curve's numbers in a stretch of x; undefined without any, null if one is not finite. */
export function meanWithin({ x, rawY }: Curve, [low, high]: Window): number | null | undefined {
  let sum = 0;
  let n = 0;
  for (let i = firstAtLeast(x, low); i < x.length && x[i]! <= high; i++, n++) {
    const value = rawY[i] ?? null;
    if (value === null) return null;
    sum += value;
  }
  return n === 0 ? undefined : sum / n;
}

/** Height at which a crash is marked: of the last finite number up to there, or 0. */
export function crashHeightOf({ x, y }: Pick<Curve, "x" | "y">, at: number): number {
  for (let i = firstAtLeast(x, at + 1e-9) - 1; i >= 0; i--)
    if (y[i] !== null && y[i] !== undefined) return y[i]!;
  return 0;
}

/** A curve in one sentence. */
export function describeCurve(
  curve: Curve,
  xName: string,
  format: (value: number) => string,
  formatX: (x: number) => string,
): string {
  const { name, x, y, note, crashes } = curve;
  const crash = crashes[0] ? ` A run crashed at ${xName} ${formatX(crashes[0].x)}.` : "";
  const more = (note === "" ? "" : ` (${note})`) + ":";
  const finite = x.flatMap((at, i) => (y[i] === null ? [] : [{ x: at, y: y[i]! }]));
  const [first, last] = [finite[0], finite.at(-1)];
  if (!first || !last) return `${name}${more} no numbers yet.${crash}`;
  const place = (point: { x: number; y: number }) =>
    `${format(point.y)} at ${xName} ${formatX(point.x)}`;
  if (finite.length === 1) return `${name}${more} ${place(first)}.${crash}`;
  const best = finite.reduce((a, b) => (b.y > a.y ? b : a));
  return (
    `${name}${more} from ${place(first)} to ${place(last)}, ` +
    `highest ${format(best.y)} at ${formatX(best.x)}.${lastInterval(curve, format)}${crash}`
  );
}

/** The interval at a curve's end, with how many runs are in it; "" without one. */
function lastInterval({ band, x, n }: Curve, format: (value: number) => string): string {
  const last = band?.findLast(({ low }) => Number.isFinite(low));
  if (!last) return "";
  const runs = n[x.indexOf(last.x)]!;
  return ` Interval at its end: ${format(last.low)} to ${format(last.high)} (n = ${runs}).`;
}

/** The newest point of a line, a number or not; undefined if it has none. */
export function latestOf({
  y,
  iteration,
}: Curve): { value: number | null; iteration: number } | undefined {
  const i = y.length - 1;
  return i < 0 ? undefined : { value: y[i] ?? null, iteration: iteration[i]! };
}

// How far one line is above another: at the same iteration, or at the same place on another axis.

type ComparedLine = Pick<Curve, "x" | "y" | "iteration">;

interface CurveDifference {
  value: number;
  /** Where it was taken, on the axis. */
  x: number;
}

/** A line's height at x, straight between its points; null beyond its ends and beside a gap. */
export function heightAt({ x, y }: Pick<ComparedLine, "x" | "y">, at: number): number | null {
  const i = firstAtLeast(x, at);
  if (i === x.length) return null;
  if (x[i] === at) return y[i] ?? null;
  const [before, after] = [y[i - 1] ?? null, y[i] ?? null];
  if (before === null || after === null) return null;
  return before + ((after - before) * (at - x[i - 1]!)) / (x[i]! - x[i - 1]!);
}

/** The baseline's height beside a curve's i-th point; null if it has none. */
export function heightBeside(
  curve: ComparedLine,
  baseline: ComparedLine,
  byIteration: boolean,
): (i: number) => number | null {
  if (!byIteration) return (i) => heightAt(baseline, curve.x[i]!);
  const heights = new Map(baseline.iteration.map((n, i) => [n, baseline.y[i] ?? null]));
  return (i) => heights.get(curve.iteration[i]!) ?? null;
}

/** At the curve's last point that has the baseline beside it; undefined if none has. */
export function differenceTo(
  curve: ComparedLine,
  baseline: ComparedLine,
  byIteration: boolean,
): CurveDifference | undefined {
  const base = heightBeside(curve, baseline, byIteration);
  for (let i = curve.y.length - 1; i >= 0; i--) {
    const own = curve.y[i] ?? null;
    const other = own === null ? null : base(i);
    if (own !== null && other !== null) return { value: own - other, x: curve.x[i]! };
  }
  return undefined;
}
