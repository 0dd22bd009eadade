/** Ratios, clips and aggregation as verl's `actor.policy_loss` and `actor.loss_agg_mode`. */
import type { ClipRule } from "../../method/clip/clipRule.ts";
import { clips } from "../../method/clip/clips.ts";
import { aggregations } from "../../method/objective/aggregate.ts";
import type { Keys } from "../yaml.ts";
import { samplerFacts } from "../../method/objective/sampler.ts";
import { actor, NO_LIMIT, ROLLOUT, type AxisContext, type AxisOutcome } from "./axis.ts";
import { pluginAggregation, pluginLoss } from "./plugin.ts";

/** `actor.policy_loss.loss_mode`; RAGEN's own actor has vanilla only, and the plugin's. */
function lossOf({ config }: AxisContext): string | undefined {
  const { ratio, betaOld } = config;
  if (ratio === "none") return betaOld > 0 ? "dro" : "gpg";
  return ruleOf(config).verl[ratio] ?? pluginLoss(config);
}

const ruleOf = ({ clip }: AxisContext["config"]): ClipRule => clips[clip];

/** Settings of verl's loss, from the rule's own numbers. */
function lossKeys({ config }: AxisContext): Keys {
  if (config.ratio === "none") return {};
  const own = Object.entries(ruleOf(config).verlKeys ?? {});
  return Object.fromEntries(own.map(([key, name]) => [`${actor}.${key}`, config[name]]));
}

export function policyLossKeys(context: AxisContext): AxisOutcome {
  const { target, sizes, config } = context;
  const loss = lossOf(context);
  if (loss === undefined) {
    return { missing: `there is no ratio ${config.ratio} with clip ${config.clip}` };
  }
  if (target === "verl" || pluginLoss(config))
    return { keys: { [`${actor}.policy_loss.loss_mode`]: loss, ...lossKeys(context) } };
  if (loss === "vanilla") return {};
  if (loss !== "gpg") {
    return { missing: `RAGEN's actor has PPO's token ratio only; verl has ${loss} (loss_mode)` };
  }
  // With one update the first ratios are 1 and stay 1.
  return sizes.updates === 1
    ? {}
    : { differs: "from a batch's second update on, RAGEN applies PPO's token ratio and clip" };
}

/** k2 against the old policy is a loss of its own there. */
export function pullToOld({ config, target }: AxisContext): AxisOutcome {
  if (config.betaOld === 0) return {};
  if (config.ratio !== "none" || target === "ragen")
    return { missing: "a pull towards the old policy is part of verl's loss dro only" };
  return { keys: { [`${actor}.policy_loss.dro_beta`]: config.betaOld } };
}

/** verl's `rollout_correction`, whose k1 rules bound the inverse ratio; it needs the sampler's log-probs. */
export function samplerKeys({ config, target }: AxisContext): AxisOutcome {
  const facts = samplerFacts(config.sampler);
  if (!facts) return {};
  if (target === "ragen") return { missing: "RAGEN does not correct for the sampler" };
  const { samplerLow: low, samplerHigh: high } = config;
  const keys = { [`${ROLLOUT}.calculate_log_probs`]: true };
  if (facts.does !== "reject") {
    const threshold = facts.does === "truncate" ? high : `${low}_${high}`;
    return { keys: { ...keys, ...correctionKeys("is", facts.verl, threshold) } };
  }
  if (low === 0) return { missing: "verl's rejection has limits on both sides" };
  const limits = `${1 / high}_${1 / low}`;
  return {
    keys: { ...keys, ...correctionKeys("rs", facts.verl, limits) },
    differs:
      facts.of === "token"
        ? "rejected before advantages are formed: those of a critic lose a rejected token's reward, and an emptied rollout still counts in means over rollouts"
        : "rejected rollouts keep their places in the minibatches",
  };
}

function correctionKeys(kind: "is" | "rs", mode: string, threshold: string | number): Keys {
  const name = `algorithm.rollout_correction.rollout_${kind}`;
  return { [name]: mode, [`${name}_threshold`]: threshold };
}

export function dualClip(context: AxisContext): AxisOutcome {
  const { dualClip: c } = context.config;
  const loss = lossOf(context);
  if (!/^(vanilla|dppo)/.test(loss ?? "") && !pluginLoss(context.config)) return {};
  if (c !== null && c <= 1) return { missing: "verl takes only numbers above 1" };
  return { keys: { [`${actor}.clip_ratio_c`]: c ?? NO_LIMIT } };
}

export function aggregation(context: AxisContext): AxisOutcome {
  const { aggregation: mode } = context.config;
  const ofPlugin = pluginAggregation(context);
  if (ofPlugin) return ofPlugin;
  if (aggregations[mode].verl !== true) return { missing: `there is no aggregation ${mode}` };
  const loss = lossOf(context);
  if (["gspo", "geo_mean", "sapo"].includes(loss!) && mode !== "seq-mean-token-mean") {
    return { missing: `verl's ${loss} always takes seq-mean-token-mean` };
  }
  const keys = { [`${actor}.loss_agg_mode`]: mode };
  const rows = context.target === "ragen" && context.context === "turn" && mode.startsWith("seq-");
  if (!rows) return { keys };
  return { keys, differs: "with context turn, each turn is a sequence of its own" };
}

export function horizon({ config, target }: AxisContext): AxisOutcome {
  if (aggregations[config.aggregation].outer !== "horizon") return {};
  if (target === "verl" && config.horizon !== null) {
    return { keys: { [`${actor}.loss_scale_factor`]: config.horizon } };
  }
  return { differs: "the divisor is the padded length of the batch's rows" };
}
