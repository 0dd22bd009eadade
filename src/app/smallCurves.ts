/** A run's curves with few points, for a thumbnail. */
import { downsample } from "../numeric/downsample.ts";
import type { MetricSource, RunLog } from "../reading/log/runLog.ts";
import type { RunCurve, RunCurves } from "../runtime/shelf/keptRuns.ts";

/** Maximum points of a line. */
const MOST_POINTS = 40;

/** Success on held-out levels if measured at least twice, else the mean reward; null if that is missing too. */
export function smallCurves(log: RunLog): RunCurves | null {
  const success = log.metrics("heldout").find((name) => /^val-env\/[^/]+\/success$/.test(name));
  const heldout = success === undefined ? [] : linesOf(log, success, "heldout");
  if (heldout.length > 0) return { measure: "heldout", lines: heldout };
  const reward = linesOf(log, "critic/score/mean", "train");
  return reward.length > 0 ? { measure: "reward", lines: reward } : null;
}

function linesOf(log: RunLog, metric: string, source: MetricSource): RunCurve[] {
  return log.algorithms.flatMap((method) => {
    const series = log.series(method, metric, source);
    if (series.x.length < 2) return [];
    const points = downsample(series.x, series.y, MOST_POINTS);
    return [{ method, x: points.map(({ x }) => x), y: points.map(({ y }) => y) }];
  });
}
