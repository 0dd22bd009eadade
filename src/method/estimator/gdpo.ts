/**
 * GDPO: GRPO for several kinds of reward. Each is compared within its group by itself, so that one of
 * large spread cannot hide another.
 *
 *   A~_b = z^task_b + formatWeight z^form_b + processWeight z^proc_b, normalised over the batch
 *   z    = (R_b - mean of the group) / (std of the group + 1e-6), of each kind of reward
 *
 * Source: arXiv 2601.05242; verl/trainer/ppo/core_algos.py, compute_gdpo_outcome_advantage.
 */
import { broadcast, segmentSum } from "../../numeric/segments.ts";
import { scoresAgainst } from "../baselines.ts";
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { trajectoryScores } from "../credit/rewards.ts";
import { outputOf, stdWords } from "../formula/parts.ts";
import { f, open } from "../formula/tex.ts";
import { requireColumn } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { returns, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";

export const gdpo: EstimatorFacts = {
  ...returns,
  about: "each kind of reward minus the group's mean, divided by its std, then their weighted sum",
  lesson: "gdpo",
  level: "trajectory",
  discount: null,
  divisor: "std",
  settings: ["std", "formatWeight", "processWeight"],
  columns: ["turnFormat"],
  verl: [
    {
      name: "gdpo",
      baseline: "group-mean",
      whiten: "tokens",
      targets: ["verl"],
      dividesFirst: true,
      keys: {
        "reward.reward_manager.name": "gdpo",
        // Not in verl's YAML, only in its dataclass: Hydra adds what has a plus.
        "+algorithm.gdpo_reward_keys": ["task_reward", "format_reward", "process_reward"],
      },
    },
  ],
  formula: (choices) => [
    choices.std === "none"
      ? open`z_b &= R_b - \mu_g\ \text{ for each kind of reward}`
      : open`z_b &= \frac{R_b - \mu_g}{\sigma_g + 10^{-6}}\ \text{ for each kind of reward}`,
    f`${outputOf(choices, "trajectory")} &= ${"trajectory.taskScore"} + ${"settings.formatWeight"}·${"trajectory.formatScore"} + ${"settings.processWeight"}·${"trajectory.processScore"}`,
    ...stdWords(choices),
  ],
  estimate,
};

/** A_b = the weighted sum of z over the kinds of reward, on every turn and token of trajectory b */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { formatWeight, processWeight } = config;
  const { task, format, process } = scoresByKind(config.name, batch); // [B] each
  const compared = (score: Float64Array) => scoresAgainst(config, score, batch).adv; // [B]
  const [zTask, zFormat, zProcess] = [compared(task), compared(format), compared(process)];
  const adv = zTask.map((z, b) => z + formatWeight * zFormat[b]! + processWeight * zProcess[b]!); // [B]
  return criticFree(fromTurns(broadcast(adv, batch.turnStart), batch), {
    "trajectory.taskScore": zTask,
    "trajectory.formatScore": zFormat,
    "trajectory.processScore": zProcess,
  });
}

/** The rewards of each trajectory by kind; without a column of process pay there was none. [B] each */
function scoresByKind(name: string, batch: TrajectoryBatch) {
  const sums = (x: Float64Array) => segmentSum(x, batch.turnStart); // [K] -> [B]
  const format = sums(requireColumn(batch, "turnFormat", name)); // [B]
  const pay = batch.turnProcess ?? new Float64Array(batch.turnReward.length); // [K]
  const process = sums(pay.map((x) => (x === x ? x : 0))); // [B]
  const all = trajectoryScores(batch); // [B]
  return { task: all.map((R, b) => R - format[b]! - process[b]!), format, process };
}
