/** Where runs of one setting ended: one that crashed counts with its last finite number, as in a sweep's summary. */
import { finite, firstAndLast } from "../../numeric/finite.ts";
import { greatest } from "../../numeric/lists.ts";
import { mean, tInterval, type Interval } from "../../numeric/statistics.ts";
import { hasCollapsed, isScore } from "../../spec/collapse.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { metricOf, type Metric } from "./metrics.ts";
import { words } from "./words.ts";

interface RunsEnd {
  /** Mean over the runs, in the metric's unit. */
  value: number;
  /** Of the mean, 95 %, Student's t, cut to what is possible; null for fewer than two runs. */
  interval: Interval | null;
  /** The last iteration that any of them has a number for. */
  iteration: number;
}

/** Null if no run has a number. */
export function endOfRuns(logs: readonly RunLog[], method: string, metric: Metric): RunsEnd | null {
  const all = logs.map((log) => log.series(method, metric.key, metric.source));
  const ends = all.flatMap(({ y }) => firstAndLast(y).last ?? []);
  if (ends.length === 0) return null;
  const measured = all.flatMap(({ x, y }) => x.filter((_, i) => finite(y[i]) !== null));
  return {
    value: mean(ends),
    interval: ends.length > 1 ? possible(tInterval(ends), metric) : null,
    iteration: greatest(measured),
  };
}

/** The part of an interval that the metric can have: a share is from 0 to 1. */
function possible({ low, high }: Interval, { yDomain }: Metric): Interval {
  const [least, most] = yDomain ?? [-Infinity, Infinity];
  return { low: Math.max(least, low), high: Math.min(most, high) };
}

/** Where runs of one method ended on held-out levels, in words, and when; null if nothing was measured. */
export function whereRunsEnded(
  logs: readonly RunLog[],
): { text: string; iteration: number } | null {
  const metric = metricOf("heldout", environmentOf(logs[0]!))!;
  const end = endOfRuns(logs, logs[0]!.algorithms[0] ?? "", metric);
  if (!end) return null;
  const { title, format } = metric;
  const { value, interval, iteration } = end;
  const { runs } = words;
  const spread = interval ? runs.interval(format(interval.low), format(interval.high)) : "";
  return { text: runs.end(title, format(value), spread, iteration), iteration };
}

/** The mean of the last numbers, with its interval if there are several runs. */
export function endText(logs: readonly RunLog[], method: string, metric: Metric): string {
  const end = endOfRuns(logs, method, metric);
  if (!end) return "—";
  const { format } = metric;
  if (!end.interval) return format(end.value);
  const { low, high } = end.interval;
  return words.sweep.interval(format(end.value), format(low), format(high));
}

/** Runs in which the method's policy collapsed. */
export function collapsesIn(logs: readonly RunLog[], method: string): number {
  return logs.filter((log) => collapsed(log, method)).length;
}

/** Methods of a run whose policy collapsed. */
export const collapsedIn = (log: RunLog): string[] =>
  log.algorithms.filter((method) => collapsed(log, method));

function collapsed(log: RunLog, method: string): boolean {
  const crashed = log.crashes.some(({ algorithm }) => algorithm === method);
  return hasCollapsed(crashed, (score) => {
    const name = log.metrics("heldout").find((one) => isScore(one, score));
    return name === undefined ? [] : [...log.series(method, name, "heldout").y];
  });
}
