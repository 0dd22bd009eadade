/** Lines as a chart's curves: what is drawn of them, their bands, their crashes. */
import type { BandPoint } from "../../charts/curveTypes.ts";
import type { Curve } from "../../charts/curveTypes.ts";
import { keptIndices, MAX_BAND_POINTS, MAX_POINTS, type Point } from "../../numeric/downsample.ts";
import { xOf } from "./axes.ts";
import type { Intervals } from "./intervals.ts";
import { lineData, middleOf, type LineData } from "./lineData.ts";
import { runLines, type CurveJob, type CurveSettings, type RunLine } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { words } from "./words.ts";

export interface BuiltCurves {
  curves: Curve[];
  /** Names of lines with points that have no place on the axis. */
  lost: string[];
  /** Whether intervals are missing that will be there next time. */
  unfinished: boolean;
}

/** points: the most that are drawn of a line; absent for what the screen has room for. */
export function buildCurves(
  job: CurveJob,
  metric: Metric,
  intervals: Intervals,
  points?: number,
): BuiltCurves {
  const built = runLines(job).map((line) => {
    const data = lineData(line, metric, job.settings);
    const curve = curveOf(line, data, job.settings, intervals, points);
    return { curve, lost: data.lost ? [line.name] : [] };
  });
  return {
    curves: built.map(({ curve }) => curve),
    lost: built.flatMap(({ lost }) => lost),
    unfinished: intervals.unfinished,
  };
}

function curveOf(
  line: RunLine,
  data: LineData,
  settings: CurveSettings,
  intervals: Intervals,
  points?: number,
): Curve {
  const { id, name, colour, dash, marker, weight, mark } = line;
  const { x, y, raw, iteration, n } = data;
  const hasBand = line.group.runs.length > 1 && settings.interval !== "none";
  const most = points ?? (hasBand ? MAX_BAND_POINTS : MAX_POINTS);
  const kept = keptIndices(x, y, most, settings.domain);
  const drawn = kept.map((i): Point => ({ x: x[i]!, y: y[i]! }));
  const behind = settings.smoothing > 0 ? keptIndices(x, raw, most, settings.domain) : null;
  return {
    id,
    name,
    colour,
    dash,
    marker,
    weight,
    mark,
    x,
    y,
    iteration,
    n,
    kept,
    points: drawn,
    raw: behind && behind.map((i): Point => ({ x: x[i]!, y: raw[i]! })),
    rawY: raw,
    band: hasBand ? bandOf(data, kept, settings, intervals) : null,
    crashes: crashesOf(line, settings),
    note: noteOf(line),
  };
}

function bandOf(
  { x, samples }: LineData,
  kept: readonly number[],
  settings: CurveSettings,
  intervals: Intervals,
): BandPoint[] {
  const middle = middleOf(settings);
  return kept.map((i) => {
    const values = samples[i] ?? [];
    const found = values.length < 2 ? null : intervals.of(values, settings.interval, middle);
    return { x: x[i]!, low: found?.low ?? NaN, high: found?.high ?? NaN };
  });
}

function crashesOf({ group, algorithm }: RunLine, { axis }: CurveSettings): Curve["crashes"] {
  return group.runs.flatMap(({ log }) =>
    log.crashes
      .filter((crash) => crash.algorithm === algorithm)
      .flatMap(({ iteration, cause }) => {
        const x = xOf(log, algorithm, axis, iteration);
        return x === null ? [] : [{ x, cause }];
      }),
  );
}

function noteOf({ group: { runs }, algorithm }: RunLine): string {
  if (runs.length < 2) return "";
  const crashed = runs.filter(({ log }) => log.crashes.some((c) => c.algorithm === algorithm));
  const seeds = words.seedsNote(runs.length);
  return crashed.length === 0
    ? seeds
    : `${seeds}, ${words.crashedNote(crashed.length, runs.length)}`;
}
