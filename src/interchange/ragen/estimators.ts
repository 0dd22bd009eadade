/** Baselines, estimators and normalisation of advantages as verl's `algorithm.adv_estimator`. */
import { hasTwoLevels } from "../../spec/algorithms.ts";
import { baselineFacts } from "../../method/baselines.ts";
import type { VerlName } from "../../method/estimator/estimator.ts";
import { estimatorFacts } from "../../method/estimators.ts";
import type { AxisContext, AxisOutcome } from "./axis.ts";
import { pluginEstimator } from "./plugin.ts";

/** verl's for the row's estimator; baseline, estimator and whitening are one choice there. */
function verlOf({ config, target }: AxisContext): VerlName | undefined {
  return estimatorFacts(config.estimator).verl.find(
    ({ baseline, whiten, targets }) =>
      baseline === config.baseline && whiten === config.whiten && targets.includes(target),
  );
}

export function advantageEstimator(context: AxisContext): AxisOutcome {
  const { config, target } = context;
  const found = verlOf(context);
  if (found === undefined) {
    const ofPlugin = pluginEstimator(context);
    if (ofPlugin) return ofPlugin;
    const { estimator, baseline, whiten } = config;
    const place = target === "ragen" ? "RAGEN" : "verl";
    return {
      missing: `${place} has no ${estimator} with baseline ${baseline} and whitening ${whiten}`,
    };
  }
  const keys = { "algorithm.adv_estimator": found.name, ...found.keys };
  const differs = estimatorDiffers(found.name, context);
  return differs === undefined ? { keys } : { keys, differs };
}

/** How RAGEN treats its rows: with context turn, a row is a turn and has the whole episode's score. */
const WITH_TURN_ROWS: Readonly<Record<string, string>> = {
  gae: "GAE does not run across turns",
  reinforce_plus_plus: "a turn is also credited with earlier turns' rewards",
  reinforce_plus_plus_baseline: "an episode counts once for each of its turns in its group's mean",
  rloo: "an episode counts once for each of its turns in its group's mean",
};

function estimatorDiffers(
  name: string,
  { target, context, config }: AxisContext,
): string | undefined {
  if (name === "tir_optimal_token_baseline" && config.gamma !== 1)
    return "verl's optimal token baseline does not discount";
  if (target === "verl") return undefined;
  if (context === "full") {
    return name === "reinforce_plus_plus"
      ? "RAGEN's verl resets the return at every observation token, so a turn sees only its own rewards (verl issue 7278)"
      : undefined;
  }
  const what = WITH_TURN_ROWS[name];
  return what && `with context turn, each turn is a row with the whole episode's score: ${what}`;
}

/** verl's weights of GDPO's kinds of reward, in the order of its keys. */
export function rewardWeights({ config }: AxisContext): AxisOutcome {
  if (config.reward !== "parts") return {};
  const weights = [1, config.formatWeight, config.processWeight];
  return {
    keys: { "+algorithm.gdpo_reward_weights": weights },
    differs:
      "your compute_score returns the kinds of reward by these names beside score, 0 for one that is never paid",
  };
}

export function groupStd(context: AxisContext): AxisOutcome {
  const { config } = context;
  const whitened = config.whiten !== "none" && verlOf(context)?.dividesFirst !== true;
  if (estimatorFacts(config.estimator).level !== "trajectory") return {};
  if (!baselineFacts(config.baseline).divided || whitened) {
    return config.std === "none"
      ? {}
      : { missing: "these scores are not divided by the group's std" };
  }
  if (config.std !== "sample" && config.std !== "none") {
    return { missing: "the std of a group is the unbiased one" };
  }
  return { keys: { "algorithm.norm_adv_by_std_in_grpo": config.std === "sample" } };
}

export function biLevel({ config }: AxisContext): AxisOutcome {
  if (!hasTwoLevels(config)) return {};
  const ends =
    config.turnEnds === "explicit" ? "turn ends are tokens with a reward other than 0; " : "";
  return {
    differs:
      `${ends}RAGEN allows one score per trajectory there, so that the turns' GAE has a single step; its trainer looks ` +
      "the function up in verl's core_algos, where only a patched verl has it",
  };
}
