/** What a chart of curves draws: lines with bands, the raw numbers faint below, marks where a run ended. */
import { finite } from "../numeric/finite.ts";
import type { NumberTable } from "../ui/tablesIn.ts";
import { trimmed, type Trim } from "./outliers.ts";
import {
  firstAtLeast,
  keptIndices,
  MAX_POINTS,
  nearestIndex,
  type Point,
} from "../numeric/downsample.ts";
import type { Scale } from "./scale.ts";
import type { BandPoint, Curve, Window } from "./curveTypes.ts";

type CurveParts = Pick<Curve, "id" | "name" | "colour" | "dash" | "x" | "y"> & Partial<Curve>;

/** A curve of a single run as it stands: unsmoothed, of at most `most` drawn points; `parts` may say otherwise. */
export function curveFrom(parts: CurveParts, most: number = MAX_POINTS): Curve {
  const { x, y } = parts;
  const kept = parts.kept ?? keptIndices(x, y, most);
  return {
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

/** An SVG path through points; gaps, and places that a scale does not have, break it. */
export function curvePath(points: readonly Point[], x: Scale, y: Scale): string {
  let path = "";
  let pen = "M";
  for (const point of points) {
    const [left, top] = [x.at(point.x), point.y === null ? NaN : y.at(point.y)];
    if (!Number.isFinite(left) || !Number.isFinite(top)) {
      pen = "M";
      continue;
    }
    path += `${pen}${round(left)},${round(top)}`;
    pen = "L";
  }
  return path;
}

/** Points that stand between two gaps: a line would not show them. */
export function lonelyPoints(points: readonly Point[]): Point[] {
  const isGap = (i: number) => (points[i]?.y ?? null) === null;
  return points.filter((_, i) => !isGap(i) && isGap(i - 1) && isGap(i + 1));
}

/** The closed shape of a band, one piece for each stretch without a gap. */
export function bandPath(band: readonly BandPoint[], x: Scale, y: Scale, floor: number): string {
  const height = (value: number) => (Number.isFinite(y.at(value)) ? y.at(value) : floor);
  return stretches(band)
    .map((piece) => {
      const upper = piece.map((p) => `${round(x.at(p.x))},${round(height(p.high))}`);
      const lower = piece.map((p) => `${round(x.at(p.x))},${round(height(p.low))}`).reverse();
      return `M${[...upper, ...lower].join("L")}Z`;
    })
    .join("");
}

function stretches(band: readonly BandPoint[]): BandPoint[][] {
  const pieces: BandPoint[][] = [[]];
  for (const point of band) {
    if (Number.isFinite(point.low) && Number.isFinite(point.high)) pieces.at(-1)!.push(point);
    else pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}

const round = (value: number) => Math.round(value * 10) / 10;

/** The point of a curve that is closest to an x; undefined where it has none, or has ended before. */
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

/** Mean of a curve's numbers in a stretch of x; undefined without any, null where one is not finite. */
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

/**
 * One row for each place on x that a curve has a point at, one column for each curve, and two more for the ends of its interval where
 * it has one. Numbers are whole, before smoothing; a cell is null where there is none.
 */
export function tableOfCurves(curves: readonly Curve[], xName: string): NumberTable {
  const columns = curves.flatMap(columnsOf);
  const places = new Set(curves.flatMap(({ x }) => [...x]));
  const head = [xName, ...columns.map(({ name }) => name)];
  const rows = [...places]
    .sort((a, b) => a - b)
    .map((x): (number | null)[] => [x, ...columns.map(({ at }) => at.get(x) ?? null)]);
  return { head, rows };
}

interface NumberColumn {
  name: string;
  at: ReadonlyMap<number, number | null>;
}

function columnsOf({ name, note, x, rawY, band }: Curve): NumberColumn[] {
  const full = note === "" ? name : `${name}, ${note}`;
  const own = { name: full, at: new Map(x.map((at, i) => [at, rawY[i] ?? null])) };
  if (!band) return [own];
  const end = (which: "low" | "high") => ({
    name: `${full}, ${which}`,
    at: new Map(band.map((point) => [point.x, finite(point[which])])),
  });
  return [own, end("low"), end("high")];
}
