/**
 * What verl and RAGEN lack and the exported plugin brings (public/python/turnbook_verl.py): turn
 * GAE, a turn critic, ratios of turns and their aggregation. The names are those that it registers.
 */
import type { ClipRule } from "../../method/clip/clipRule.ts";
import { clips } from "../../method/clip/clips.ts";
import { estimatorFacts } from "../../method/estimators.ts";
import { divisorsOf } from "../../method/objective/aggregate.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Keys } from "../yaml.ts";
import { actor, type AxisContext, type AxisOutcome } from "./axis.ts";

/** Files of public/python: the plugin, the writer of rollouts, and what both need. */
export const PLUGIN_FILES = [
  ...["turnbook_verl.py", "turnbook_log.py"],
  ...["pyproject.toml", "ragen.patch", "README.md"],
] as const;

/** verl's mode whose first mean is over a sequence: of the actor's tokens, or of the critic's turns. */
const SEQUENCES = "seq-mean-token-mean";

/** `actor.policy_loss.loss_mode` of a ratio of turns, with the aggregation where verl lacks it. */
export function pluginLoss({ ratio, clip, aggregation }: AlgorithmConfig): string | undefined {
  const rule: ClipRule = clips[clip];
  const name = ratio === "none" ? undefined : rule.plugin?.[ratio];
  return name && (divisorsOf(aggregation).verl === "plugin" ? `${name}/${aggregation}` : name);
}

/** The aggregation of a ratio of turns; without one, verl's own are all there is. */
export function pluginAggregation({ config, entropyCoef }: AxisContext): AxisOutcome | null {
  const { aggregation, betaKl } = config;
  if (!pluginLoss(config) || divisorsOf(aggregation).verl !== "plugin") return null;
  const keys = { [`${actor}.loss_agg_mode`]: SEQUENCES };
  if (entropyCoef === 0 && betaKl === 0) return { keys };
  const differs =
    "an entropy bonus and a KL in the loss are means over a trajectory's tokens, where here each turn's share its weight";
  return { keys, differs };
}

/** `algorithm.adv_estimator` of estimators over turns, and the critic's settings. */
export function pluginEstimator(context: AxisContext): AxisOutcome | null {
  const { config, target } = context;
  const name = estimatorName(config);
  if (name === null) return null;
  if (target === "ragen" && context.context === "turn") {
    return { missing: "with context turn, RAGEN gives each turn's row the episode's score" };
  }
  return {
    keys: {
      "algorithm.adv_estimator": name,
      "critic.enable": true,
      "critic.loss_agg_mode": config.criticMean === "trajectories" ? SEQUENCES : "token-mean",
      ...(target === "verl" && { "trainer.v1.trainer_mode": "turnbook_sync" }),
    },
  };
}

function estimatorName({ estimator, whiten, valueAt }: AlgorithmConfig): string | null {
  const { plugin, settings } = estimatorFacts(estimator);
  if (plugin === undefined) return null;
  if (!settings.includes("valueAt") || valueAt === "state-end") return `${plugin}/${whiten}`;
  return valueAt === "turn-end" ? `${plugin}/${whiten}/turn-end` : null;
}

/** Whether a run with these keys needs the plugin. */
export function needsPlugin(keys: Keys | null): boolean {
  const names = ["algorithm.adv_estimator", "actor_rollout_ref.actor.policy_loss.loss_mode"];
  return names.some((key) => /^turn_/.test(String(keys?.[key] ?? "")));
}
