/** A run's columns as curves, one for each method. */
import { curveFrom } from "../../charts/curve.ts";
import type { Curve } from "../../charts/curveTypes.ts";
import { lineStyles } from "../../charts/palette.ts";
import { smooth } from "../../charts/smooth.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import type { Metric } from "./metrics.ts";

/** Of a curve's id; those of recorded seeds and of a link's sender have a word before it. */
export const methodOf = (id: string) => id.replace(/^(band|sender)-/, "");

/** The same with its numbers pale behind a smoothed line. */
export function smoothed(curve: Curve, weight: number): Curve {
  const y = smooth(curve.y, weight);
  const points = curve.kept.map((i) => ({ x: curve.x[i]!, y: y[i] ?? null }));
  return { ...curve, y, points, raw: curve.points };
}

export function methodCurves(log: RunLog, metric: Metric): Curve[] {
  const styles = lineStyles(log.algorithms);
  return log.algorithms.map((id) => {
    const crashes = log.crashes
      .filter(({ algorithm }) => algorithm === id)
      .map(({ iteration, cause }) => ({ x: iteration, cause }));
    const { x, y } = log.series(id, metric.key, metric.source);
    return curveFrom({ id, name: titleOf(id), ...styles.get(id)!, x, y, crashes });
  });
}
