/** A run's columns as the series of a chart. */
import type { ChartSeries } from "../../charts/describe.ts";
import { downsample } from "../../charts/downsample.ts";
import { lineStyles } from "../../charts/palette.ts";
import { titleOf } from "../../reading/titles.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
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
