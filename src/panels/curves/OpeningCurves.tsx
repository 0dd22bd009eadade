/** The two curves of the opening page: held-out success, and the reward of training. */
import { useExperimentState } from "../../store/hooks.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { fitting } from "../../store/seeds.ts";
import { CurrentChart } from "./CurvesPanel.tsx";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { metricsOf } from "./metrics.ts";

const METRICS = "heldout, reward";

/** Rewards jump from batch to batch: unsmoothed, three lines are one tangle. */
const SMOOTHING = 0.8;

const selectView = ({ view }: ExperimentState) => view;
const selectSeeds = ({ seeds }: ExperimentState) => seeds;

export function OpeningCurves() {
  const view = useExperimentState(selectView);
  const seeds = fitting(view, useExperimentState(selectSeeds));
  return metricsOf(METRICS, environmentOf(view.log)).map((metric) => (
    <CurrentChart
      key={metric.id}
      newest={view}
      seeds={seeds}
      metric={metric}
      place="opening"
      smoothing={SMOOTHING}
    />
  ));
}
