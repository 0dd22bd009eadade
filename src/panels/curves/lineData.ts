/** The numbers of one line: of a run, or of seeds together. Nothing is left out, and no gap is averaged away. */
import { smooth } from "../../charts/smooth.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { xOf } from "./axes.ts";
import { middles, type Middle } from "./intervals.ts";
import type { CurveSettings, RunLine } from "./lines.ts";
import type { Metric } from "./metrics.ts";

export interface LineData {
  x: number[];
  iteration: number[];
  /** As drawn: smoothed where that is asked. */
  y: (number | null)[];
  /** Before smoothing. */
  raw: (number | null)[];
  /** Runs with a number there. */
  n: number[];
  /** The numbers of all seeds at a point, as drawn; null at a gap. */
  samples: (readonly number[] | null)[];
  /** Whether points had no place on the axis. */
  lost: boolean;
}

type LineSettings = Pick<CurveSettings, "axis" | "smoothing" | "seeds">;

export function middleOf({ seeds }: Pick<CurveSettings, "seeds">): Middle {
  return seeds === "iqm" ? "iqm" : "mean";
}

export function lineData(line: RunLine, metric: Metric, settings: LineSettings): LineData {
  const columns = line.group.runs.map(({ log }) => columnOf(log, line.algorithm, metric, settings));
  const first = columns[0];
  if (columns.length === 1 && first) return single(first);
  return together(columns, middleOf(settings));
}

interface LineColumn {
  iteration: readonly number[];
  x: (number | null)[];
  raw: readonly (number | null)[];
  y: (number | null)[];
}

function columnOf(
  log: RunLog,
  algorithm: string,
  metric: Metric,
  settings: LineSettings,
): LineColumn {
  const { x: iteration, y: raw } = log.series(algorithm, metric.key, metric.source);
  const x = iteration.map((n) => xOf(log, algorithm, settings.axis, n));
  return { iteration, x, raw, y: smooth(raw, settings.smoothing) };
}

function single({ iteration, x, raw, y }: LineColumn): LineData {
  const data = noData();
  iteration.forEach((n, i) => {
    const value = y[i] ?? null;
    add(data, n, x[i] ?? null, value, raw[i] ?? null, value === null ? null : [value], 1);
  });
  return data;
}

function noData(): LineData {
  return { x: [], iteration: [], y: [], raw: [], n: [], samples: [], lost: false };
}

function add(
  data: LineData,
  iteration: number,
  x: number | null,
  y: number | null,
  raw: number | null,
  samples: readonly number[] | null,
  n: number,
): void {
  if (x === null) {
    data.lost = true;
    return;
  }
  data.iteration.push(iteration);
  data.x.push(x);
  data.y.push(y);
  data.raw.push(raw);
  data.samples.push(samples);
  data.n.push(n);
}

/** Iteration by iteration; where a run has none (it has crashed, or is not that far), the others go on. */
function together(columns: readonly LineColumn[], middle: Middle): LineData {
  const places = columns.map(({ iteration }) => new Map(iteration.map((n, i) => [n, i])));
  const all = new Set(columns.flatMap(({ iteration }) => [...iteration]));
  const data = noData();
  for (const n of [...all].sort((a, b) => a - b)) {
    const here = columns.flatMap((column, c) => {
      const i = places[c]!.get(n);
      return i === undefined ? [] : [{ x: column.x[i], y: column.y[i], raw: column.raw[i] }];
    });
    const samples = allNumbers(here.map(({ y }) => y));
    const raws = allNumbers(here.map(({ raw }) => raw));
    const xs = allNumbers(here.map(({ x }) => x));
    const of = (values: number[] | null) => (values === null ? null : middles[middle](values));
    add(data, n, xs && middles.mean(xs), of(samples), of(raws), samples, here.length);
  }
  return ascending(data);
}

/** Null as soon as one is no number: a gap is never averaged. */
function allNumbers(values: readonly (number | null | undefined)[]): number[] | null {
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.length === values.length ? numbers : null;
}

/** The mean place can fall back where a run that was ahead has ended; order is what lines and tables need. */
function ascending(data: LineData): LineData {
  if (data.x.every((x, i) => i === 0 || x >= data.x[i - 1]!)) return data;
  const order = data.x.map((_, i) => i).sort((a, b) => data.x[a]! - data.x[b]! || a - b);
  const pick = <T>(column: readonly T[]) => order.map((i) => column[i]!);
  return {
    x: pick(data.x),
    iteration: pick(data.iteration),
    y: pick(data.y),
    raw: pick(data.raw),
    n: pick(data.n),
    samples: pick(data.samples),
    lost: data.lost,
  };
}
