/** The two curves of the opening page: held-out success, and the reward of training. */
import { metricsOf } from "../../figures/curves/metrics.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { CurrentChart, useRunWithSeeds } from "./RunChart.tsx";

/** Rewards jump from batch to batch: unsmoothed, three lines are one tangle. */
const OPENING = { metrics: "heldout, reward", smoothing: 0.8 };

export function OpeningCurves() {
  const run = useRunWithSeeds();
  const metrics = metricsOf(OPENING.metrics, environmentOf(run.view.log));
  return metrics.map((metric) => (
    <CurrentChart
      key={metric.id}
      {...run}
      metric={metric}
      place="opening"
      smoothing={OPENING.smoothing}
    />
  ));
}
