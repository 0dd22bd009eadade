/** Lines as curves: their numbers on the axis, which of them are drawn, their bands, their crashes. */
import { keptIndices, MAX_BAND_POINTS, MAX_POINTS, type Point } from "../../numeric/downsample.ts";
import { smooth } from "../../numeric/smooth.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { xOf } from "./axes.ts";
import type { BandPoint, Curve } from "./curve.ts";
import { middles, type Intervals, type Middle } from "./intervals.ts";
import type { CurveSettings, RunLine } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { words } from "./words.ts";

interface BuiltCurves {
  curves: Curve[];
  /** Names of lines with points that have no place on the axis. */
  lost: string[];
  /** Whether intervals are missing that will be there next time. */
  unfinished: boolean;
}

/** points: the most that are drawn of a line; absent for what the screen has room for. */
export function buildCurves(
  lines: readonly RunLine[],
  metric: Metric,
  settings: CurveSettings,
  intervals: Intervals,
  points?: number,
): BuiltCurves {
  const built: BuiltCurves = { curves: [], lost: [], unfinished: false };
  for (const line of lines) {
    const own = line.plain ? { ...settings, smoothing: 0 } : settings;
    const all = pointsOf(line, metric, own);
    const placed = all.filter(isPlaced).filter(({ n }) => n >= (line.needs ?? 1));
    if (line.optional && placed.every(({ y }) => y === null)) continue;
    if (!all.every(isPlaced)) built.lost.push(line.name);
    built.curves.push(curveOf(line, placed, own, intervals, points));
  }
  return { ...built, unfinished: intervals.unfinished };
}

interface LinePoint {
  iteration: number;
  /** Null if it has no place on the axis. */
  x: number | null;
  /** As drawn: smoothed where that is asked. */
  y: number | null;
  /** Before smoothing. */
  raw: number | null;
  /** The numbers of all runs, as drawn; null at a gap. */
  samples: readonly number[] | null;
  /** Runs with a number there. */
  n: number;
}

type PlacedPoint = LinePoint & { x: number };

const isPlaced = (point: LinePoint): point is PlacedPoint => point.x !== null;

/** Iteration by iteration; where a run has none (it has crashed, or is not that far), the others go on. */
function pointsOf({ logs, method }: RunLine, metric: Metric, settings: CurveSettings): LinePoint[] {
  const runs = logs.map((log) => numbersOf(log, method, metric, settings));
  const middle = middleOf(settings);
  if (runs.length === 1) return runs[0]!.map((own) => pointOf([own], middle));
  const at = new Map<number, RunPoint[]>();
  for (const own of runs.flat()) at.set(own.iteration, [...(at.get(own.iteration) ?? []), own]);
  const inOrder = [...at.values()].sort(([a], [b]) => a!.iteration - b!.iteration);
  return inOrder.map((here) => pointOf(here, middle));
}

const middleOf = ({ seeds }: CurveSettings): Middle => (seeds === "iqm" ? "iqm" : "mean");

/** One run's. */
type RunPoint = Pick<LinePoint, "iteration" | "x" | "y" | "raw">;

function numbersOf(
  log: RunLog,
  method: string,
  { key, source }: Metric,
  { axis, smoothing }: CurveSettings,
): RunPoint[] {
  const series = log.series(method, key, source);
  const y = smooth(series.y, smoothing);
  return series.x.map((iteration, i) => ({
    iteration,
    x: xOf(log, method, axis, iteration),
    y: y[i] ?? null,
    raw: series.y[i] ?? null,
  }));
}

function pointOf(here: readonly RunPoint[], middle: Middle): LinePoint {
  const samples = allNumbers(here.map(({ y }) => y));
  return {
    iteration: here[0]!.iteration,
    x: middleOfAll(allNumbers(here.map(({ x }) => x)), "mean"),
    y: middleOfAll(samples, middle),
    raw: middleOfAll(allNumbers(here.map(({ raw }) => raw)), middle),
    samples,
    n: here.length,
  };
}

/** Null if any of them is not a number: a gap is never averaged. */
function allNumbers(values: readonly (number | null)[]): number[] | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === values.length ? numbers : null;
}

function middleOfAll(values: readonly number[] | null, middle: Middle): number | null {
  if (values === null) return null;
  return values.length === 1 ? values[0]! : middles[middle](values);
}

function curveOf(
  line: RunLine,
  placed: readonly PlacedPoint[],
  settings: CurveSettings,
  intervals: Intervals,
  most?: number,
): Curve {
  // The mean place can fall back where a run that was ahead has ended; order is what lines and tables need.
  const data = placed.toSorted((a, b) => a.x - b.x);
  const column = <K extends keyof LinePoint>(name: K) => data.map((point) => point[name]);
  const [x, y, rawY] = [data.map((point) => point.x), column("y"), column("raw")];
  const hasBand = line.logs.length > 1 && settings.interval !== "none";
  // Where every point is wanted, those out of sight are, too.
  const window = most === Infinity ? null : settings.domain;
  const drawn = (heights: readonly (number | null)[]) =>
    keptIndices(x, heights, most ?? (hasBand ? MAX_BAND_POINTS : MAX_POINTS), window);
  const at = (i: number, heights: readonly (number | null)[]): Point => ({
    x: x[i]!,
    y: heights[i]!,
  });
  const kept = drawn(y);
  const { id, method, look, name, weight, mark } = line;
  return {
    id,
    method,
    ...(look !== undefined && { look }),
    name,
    weight,
    mark,
    x,
    y,
    rawY,
    iteration: column("iteration"),
    n: column("n"),
    kept,
    points: kept.map((i) => at(i, y)),
    raw: settings.smoothing > 0 ? drawn(rawY).map((i) => at(i, rawY)) : null,
    band: hasBand ? kept.map((i) => bandPoint(data[i]!, settings, intervals)) : null,
    // Of recorded seeds the panel says in words how many crashed.
    crashes: line.needs === undefined ? crashesOf(line, settings) : [],
    note: noteOf(line),
  };
}

function bandPoint(
  { x, samples }: PlacedPoint,
  settings: CurveSettings,
  intervals: Intervals,
): BandPoint {
  const found =
    samples && samples.length > 1
      ? intervals.of(samples, settings.interval, middleOf(settings))
      : null;
  return { x, low: found?.low ?? NaN, high: found?.high ?? NaN };
}

const crashedIn = (log: RunLog, method: string) =>
  log.crashes.filter(({ algorithm }) => algorithm === method);

function crashesOf({ logs, method }: RunLine, { axis }: CurveSettings): Curve["crashes"] {
  return logs.flatMap((log) =>
    crashedIn(log, method).flatMap(({ iteration, cause }) => {
      const x = xOf(log, method, axis, iteration);
      return x === null ? [] : [{ x, cause }];
    }),
  );
}

function noteOf({ logs, method, note }: RunLine): string {
  if (note !== undefined || logs.length < 2) return note ?? "";
  const crashed = logs.filter((log) => crashedIn(log, method).length > 0).length;
  const seeds = words.seedsNote(logs.length);
  return crashed === 0 ? seeds : `${seeds}, ${words.crashedNote(crashed, logs.length)}`;
}
