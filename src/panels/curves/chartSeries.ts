/** A run's columns as the series of a chart. */
import type { ChartSeries } from "../../charts/describe.ts";
import { downsample } from "../../charts/downsample.ts";
import { lineStyles } from "../../charts/palette.ts";
import { greatest } from "../../numeric/lists.ts";
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import { iterativeRow } from "../../spec/iterative.ts";
import { preferenceRows } from "../../spec/preference.ts";
import type { RunLog } from "../../store/runLog.ts";
import type { Metric } from "./metrics.ts";

export function chartSeries(log: RunLog, metric: Metric): ChartSeries[] {
  const styles = lineStyles(log.algorithms);
  return log.algorithms.map((id) => {
    const { x, y } = log.series(id, metric.key, metric.source);
    const crashes = log.crashes
      .filter(({ algorithm }) => algorithm === id)
      .map(({ iteration, cause }) => ({ x: iteration, cause }));
    return { id, name: titleOf(id), ...styles.get(id)!, points: downsample(x, y), crashes };
  });
}

/** An algorithm's title; a name from a foreign file stands for itself. */
export function titleOf(algorithm: string): string {
  const method = [...preferenceRows, iterativeRow].find(({ name }) => name === algorithm);
  if (method) return method.title;
  try {
    return resolveAlgorithm(algorithm).title;
  } catch {
    return algorithm;
  }
}

/** Shortest x axis: with fewer points a line says little. */
const SHORTEST = 5;

/** One x axis for all charts of a run, so that they can be read together. */
export function xDomain(log: RunLog): [number, number] {
  const last = log.algorithms.map((id) => log.iterations(id).at(-1) ?? 0);
  const crashed = log.crashes.map(({ iteration }) => iteration);
  return [0, greatest([SHORTEST, ...last, ...crashed])];
}
