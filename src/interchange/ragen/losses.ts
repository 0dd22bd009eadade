/** Ratios, clips and aggregation as verl's `actor.policy_loss` and `actor.loss_agg_mode`. */
import { clips } from "../../method/clip/clips.ts";
import { aggregations } from "../../method/objective/aggregate.ts";
import { actor, NO_LIMIT, type AxisContext, type AxisOutcome } from "./axis.ts";
import { pluginAggregation, pluginLoss } from "./plugin.ts";

/** `actor.policy_loss.loss_mode`; RAGEN's own actor has vanilla only, and the plugin's. */
function lossOf({ config }: AxisContext): string | undefined {
  const { ratio, clip } = config;
  return ratio === "none" ? "gpg" : (clips[clip].verl[ratio] ?? pluginLoss(config));
}

export function policyLossKeys(context: AxisContext): AxisOutcome {
  const { target, sizes, config } = context;
  const loss = lossOf(context);
  if (loss === undefined) {
    return { missing: `there is no ratio ${config.ratio} with clip ${config.clip}` };
  }
  if (target === "verl" || pluginLoss(config))
    return { keys: { [`${actor}.policy_loss.loss_mode`]: loss } };
  if (loss === "vanilla") return {};
  if (loss !== "gpg") {
    return { missing: `RAGEN's actor has PPO's token ratio only; verl has ${loss} (loss_mode)` };
  }
  // With one update the first ratios are 1 and stay 1.
  return sizes.updates === 1
    ? {}
    : { differs: "from a batch's second update on, RAGEN applies PPO's token ratio and clip" };
}

export function dualClip(context: AxisContext): AxisOutcome {
  const { dualClip: c } = context.config;
  if (lossOf(context) !== "vanilla" && !pluginLoss(context.config)) return {};
  if (c !== null && c <= 1) return { missing: "verl takes only numbers above 1" };
  return { keys: { [`${actor}.clip_ratio_c`]: c ?? NO_LIMIT } };
}

export function aggregation(context: AxisContext): AxisOutcome {
  const { aggregation: mode } = context.config;
  const ofPlugin = pluginAggregation(context);
  if (ofPlugin) return ofPlugin;
  if (aggregations[mode].verl !== true) return { missing: `there is no aggregation ${mode}` };
  const loss = lossOf(context);
  if ((loss === "gspo" || loss === "geo_mean") && mode !== "seq-mean-token-mean") {
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
