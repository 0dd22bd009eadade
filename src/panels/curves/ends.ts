/** Where runs of one setting ended: one that crashed counts with its last finite number, as in a sweep's summary. */
import { finite, firstAndLast } from "../../numeric/finite.ts";
import { greatest } from "../../numeric/lists.ts";
import { mean, tInterval, type Interval } from "../../numeric/statistics.ts";
import { hasCollapsed, isScore } from "../../spec/collapse.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { Metric } from "./metrics.ts";

interface RunsEnd {
  /** Mean over the runs, in the metric's unit. */
  value: number;
  /** Of the mean, 95 %, Student's t; null for fewer than two runs. */
  interval: Interval | null;
  /** The last iteration that any of them has a number for. */
  iteration: number;
}

/** Null where no run has a number. */
export function endOfRuns(logs: readonly RunLog[], method: string, metric: Metric): RunsEnd | null {
  const all = logs.map((log) => log.series(method, metric.key, metric.source));
  const ends = all.flatMap(({ y }) => firstAndLast(y).last ?? []);
  if (ends.length === 0) return null;
  const measured = all.flatMap(({ x, y }) => x.filter((_, i) => finite(y[i]) !== null));
  return {
    value: mean(ends),
    interval: ends.length > 1 ? tInterval(ends) : null,
    iteration: greatest(measured),
  };
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
