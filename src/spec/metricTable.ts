/**
 * What the metrics of a run mean: name, meaning, the source of the name, and the healthy range if
 * known. Plain data for the page, the docs and tests. `*` is a placeholder for the environment's
 * name or a turn's number.
 *
 * Healthy ranges are rules of thumb for large models; models as small as these are noisier
 * (test/bench/RESULTS.md).
 */
import { methodMetrics } from "./methodMetrics.ts";
import type { MetricEntry } from "./metricEntry.ts";

const actor: MetricEntry[] = [
  {
    name: "actor/pg_loss",
    level: "update",
    meaning: "Policy loss, without KL and entropy terms",
    source: "verl",
    also: "TRL loss/policy_avg",
  },
  {
    name: "actor/pg_clipfrac",
    level: "token",
    meaning: "Share of tokens whose loss the range clip determines",
    source: "verl",
    also: "TRL policy/clipfrac_avg",
    healthy:
      "up to 0.2 for token ratios, more for turn ratios; above 0.5, or 0 for long, is a warning sign",
  },
  {
    name: "actor/pg_clipfrac_lower",
    level: "token",
    meaning: "Share of tokens whose loss the dual clip determines",
    source: "verl",
    healthy: "below 0.1",
  },
  {
    name: "actor/clip_cut_share",
    level: "token",
    meaning: "Share of the gradient's absolute weight that clips cut away",
    source: "ours",
  },
  {
    name: "clip_ratio/low_mean",
    level: "token",
    meaning: "Share clipped below 1 - epsLow, where the advantage is negative",
    source: "TRL",
  },
  {
    name: "clip_ratio/low_min",
    level: "token",
    meaning: "Its minimum over an iteration's minibatches",
    source: "TRL",
  },
  {
    name: "clip_ratio/high_mean",
    level: "token",
    meaning: "Share clipped above 1 + epsHigh, where the advantage is positive",
    source: "TRL",
  },
  {
    name: "clip_ratio/high_max",
    level: "token",
    meaning: "Its maximum over an iteration's minibatches",
    source: "TRL",
  },
  {
    name: "clip_ratio/region_mean",
    level: "token",
    meaning: "Share clipped on either side",
    source: "TRL",
  },
  {
    name: "actor/ppo_kl",
    level: "token",
    meaning: "Mean of log pi_old - log pi (k1); its sign may flip",
    source: "verl",
    healthy: "up to 0.02 per update; above 0.05 for long is a warning sign",
  },
  {
    name: "policy/approxkl_avg",
    level: "token",
    meaning: "Half the mean squared log-ratio (k2)",
    source: "TRL",
    healthy: "up to 0.02 per update",
  },
  {
    name: "actor/ppo_kl_k3",
    level: "token",
    meaning: "Mean of ratio - 1 - log ratio (k3): never negative, steadier than k1",
    source: "ours",
    healthy: "up to 0.02 per update; the doctor reports 0.2 twice in a row",
  },
  {
    name: "actor/ratio/mean",
    level: "token",
    meaning: "Mean of the token ratios pi / pi_old",
    source: "ours",
    also: "TRL val/ratio",
    healthy: "about 1",
  },
  {
    name: "actor/ratio/max",
    level: "token",
    meaning: "Largest token ratio",
    source: "ours",
    healthy: "below 5; above 20 is a warning sign",
  },
  { name: "actor/ratio/min", level: "token", meaning: "Smallest token ratio", source: "ours" },
  {
    name: "val/ratio_var",
    level: "token",
    meaning: "Variance of the token ratios",
    source: "TRL",
  },
  {
    name: "actor/entropy",
    level: "token",
    meaning: "Mean entropy of the sampling distributions of tokens",
    source: "verl",
    also: "TRL entropy",
    healthy: "declines slowly; a sudden drop or a rise beyond twice the start is a warning sign",
  },
  {
    name: "actor/entropy/*",
    level: "turn",
    meaning: "The same in the h-th turns, under the policy that sampled",
    source: "ours",
  },
  {
    name: "actor/kl_loss",
    level: "token",
    meaning: "k3 against the reference policy, as used in the loss",
    source: "verl",
    also: "TRL kl",
  },
  {
    name: "actor/grad_norm",
    level: "update",
    meaning: "Norm of the actor's gradient before clipping",
    source: "verl",
    healthy: "steady; spikes at constant reward are late signs of collapse (RAGEN)",
  },
  { name: "actor/lr", level: "update", meaning: "The actor's learning rate", source: "verl" },
  {
    name: "actor/turn_clipfrac",
    level: "turn",
    meaning: "Share of turns with at least one clipped token",
    source: "ours",
  },
  {
    name: "actor/turn_clipfrac/*",
    level: "turn",
    meaning: "The same among the h-th turns",
    source: "ours",
  },
  {
    name: "actor/turn_ratio/mean",
    level: "turn",
    meaning: "Mean ratio of whole turns (product, or geometric mean where the loss uses that)",
    source: "ours",
  },
  {
    name: "actor/turn_ratio/max",
    level: "turn",
    meaning: "Largest ratio of a turn",
    source: "ours",
  },
  {
    name: "actor/turn_ratio/min",
    level: "turn",
    meaning: "Smallest ratio of a turn",
    source: "ours",
  },
  {
    name: "actor/turn_ratio/std",
    level: "turn",
    meaning: "Their standard deviation",
    source: "ours",
  },
  {
    name: "actor/turn_logratio_abs_max",
    level: "turn",
    meaning: "Largest absolute log-ratio of a turn; 20 is where it is clamped",
    source: "ours",
  },
  {
    name: "actor/alignment",
    level: "turn",
    meaning:
      "Correlation of turns' advantages with their log-ratios after the iteration's updates (with evaluation.alignment)",
    source: "ours",
    healthy: "the higher the better; near 0 updates mostly follow noise",
  },
  {
    name: "actor/turn_logratio_std",
    level: "turn",
    meaning:
      "Standard deviation of turns' log-ratios after the iteration's updates (with evaluation.alignment)",
    source: "ours",
  },
  {
    name: "actor/turn_ratio_ess",
    level: "turn",
    meaning: "Effective share of turns under their ratios; 1: all weigh the same",
    source: "ours",
  },
];

const critic: MetricEntry[] = [
  ...spreadOf("critic/score", "trajectory", "Rewards of an episode, summed", "verl"),
  ...spreadOf("critic/rewards", "trajectory", "The same after penalties on the reward", "verl"),
  ...spreadOf("critic/advantages", "token", "Advantages after normalisation", "verl"),
  ...spreadOf("critic/returns", "token", "Target of the critic", "verl"),
  ...spreadOf("critic/values", "token", "The critic's prediction at sampling time", "verl"),
  {
    name: "critic/vf_loss",
    level: "update",
    meaning: "Value loss",
    source: "verl",
    also: "TRL loss/value_avg",
  },
  {
    name: "critic/vf_clipfrac",
    level: "update",
    meaning: "Share of values whose clipped loss is the larger",
    source: "verl",
    also: "TRL val/clipfrac_avg",
  },
  {
    name: "critic/vpred_mean",
    level: "update",
    meaning: "Mean prediction of the critic being trained",
    source: "verl",
  },
  {
    name: "critic/vf_explained_var",
    level: "token",
    meaning:
      "Explained variance: 1 - Var(R - V) / Var(R), of tokens or turns as the critic predicts",
    source: "verl",
    healthy: "rises to 0.3 and more; below 0 after twenty updates is worse than a constant",
  },
  {
    name: "critic/turn_vf_explained_var",
    level: "turn",
    meaning: "The same over turns",
    source: "ours",
  },
  {
    name: "critic/turn_vf_explained_var/*",
    level: "turn",
    meaning: "The same of V before the h-th turns",
    source: "ours",
  },
  {
    name: "critic/turn_td_error/abs_mean",
    level: "turn",
    meaning: "Mean absolute TD error of turns",
    source: "ours",
  },
  {
    name: "critic/turn_adv_std/*",
    level: "turn",
    meaning: "Spread of advantages among the h-th turns",
    source: "ours",
  },
  {
    name: "critic/grad_norm",
    level: "update",
    meaning: "Norm of the critic's gradient before clipping",
    source: "verl",
  },
  { name: "critic/lr", level: "update", meaning: "The critic's learning rate", source: "verl" },
];

const rollout: MetricEntry[] = [
  {
    name: "reward_std",
    level: "trajectory",
    meaning: "Spread of rewards among all episodes of the iteration",
    source: "TRL",
  },
  {
    name: "rollout/in_group_reward_std",
    level: "group",
    meaning: "Mean spread of rewards inside groups",
    source: "RAGEN",
    also: "OpenRLHF group_reward_std",
    healthy: "above 0; RAGEN stops after ten iterations below a tenth of the first ten",
  },
  {
    name: "rollout/in_group_max",
    level: "group",
    meaning: "Mean of each group's best reward",
    source: "RAGEN",
  },
  {
    name: "frac_reward_zero_std",
    level: "group",
    meaning:
      "Share of groups whose rewards are all the same: a group baseline learns nothing from them",
    source: "TRL",
    healthy: "below a half",
  },
  {
    name: "rollout/filter_kept_ratio",
    level: "group",
    meaning: "Share of groups that the filter keeps",
    source: "RAGEN",
    healthy: "above 0; RAGEN stops after 0 five times in a row",
  },
  {
    name: "rollout/filter_zero_count",
    level: "group",
    meaning: "Groups whose rewards are all the same, where groups are filtered",
    source: "RAGEN",
  },
  {
    name: "rollout/chosen_in_group_reward_std",
    level: "group",
    meaning: "Mean spread of rewards inside the groups that the filter keeps",
    source: "RAGEN",
    healthy: "above rollout/in_group_reward_std, where it keeps those that differ most",
  },
  {
    name: "rollout/chosen_in_group_max",
    level: "group",
    meaning: "Mean of the best reward of each of these groups",
    source: "RAGEN",
  },
  {
    name: "*/pass@*",
    level: "group",
    meaning: "Share of groups of that size with at least one success",
    source: "RAGEN",
  },
  { name: "*/success", level: "trajectory", meaning: "Share of episodes solved", source: "RAGEN" },
  {
    name: "*/success_purchase",
    level: "trajectory",
    meaning: "Share of shopping trips that end with a purchase, right or not",
    source: "RAGEN",
  },
  {
    name: "*/success_find",
    level: "trajectory",
    meaning: "Share of shopping trips that end with the full reward: every requirement is met",
    source: "RAGEN",
  },
  {
    name: "*/end_of_page",
    level: "trajectory",
    meaning: "Share of shopping trips that reached results without any way on but back",
    source: "RAGEN",
  },
  {
    name: "*/action_is_valid",
    level: "turn",
    meaning: "Share of turns whose response was a valid action",
    source: "RAGEN",
    also: "verl-agent episode/valid_action_ratio",
    healthy: "steady and high",
  },
  {
    name: "episode/valid_action_ratio",
    level: "turn",
    meaning: "The same under verl-agent's name",
    source: "verl-agent",
    healthy: "steady and high",
  },
  {
    name: "*/action_is_effective",
    level: "turn",
    meaning: "Share of turns that changed the observation",
    source: "RAGEN",
  },
  {
    name: "*/num_actions",
    level: "trajectory",
    meaning: "Mean number of executed actions",
    source: "RAGEN",
  },
  ...spreadOf("num_turns", "trajectory", "Turns of an episode", "verl"),
  ...spreadOf("prompt_length", "turn", "Tokens of a turn's query", "verl"),
  ...spreadOf("response_length", "turn", "Tokens of a response, its stop token included", "verl"),
  {
    name: "response_length/clip_ratio",
    level: "turn",
    meaning: "Share of responses as long as the token limit, ended or not",
    source: "verl",
  },
  {
    name: "completions/clipped_ratio",
    level: "turn",
    meaning: "Share of responses that were cut off: no stop token at their end",
    source: "TRL",
    healthy: "steady and low; near 1 no response ends by itself",
  },
  {
    name: "completions/mean_terminated_length",
    level: "turn",
    meaning: "Mean tokens of responses that ended by themselves",
    source: "TRL",
  },
  { name: "turn_len/mean", level: "turn", meaning: "Mean tokens of a response", source: "ours" },
  {
    name: "turn_len/mean/*",
    level: "turn",
    meaning: "The same in the h-th turns",
    source: "ours",
  },
  {
    name: "rollout/top_first_response",
    level: "trajectory",
    meaning:
      "Share of the most common first response over all tasks; near 1: one answer for everything",
    source: "ours",
  },
];

const sampler: MetricEntry[] = [
  {
    name: "training/rollout_probs_diff_mean",
    level: "token",
    meaning: "Mean difference of probabilities, sampler against training pass",
    source: "verl",
    healthy: "below 0.01",
  },
  {
    name: "training/rollout_probs_diff_max",
    level: "token",
    meaning: "The largest",
    source: "verl",
  },
  {
    name: "training/rollout_probs_diff_std",
    level: "token",
    meaning: "Their standard deviation",
    source: "verl",
  },
  {
    name: "training/rollout_logprob_diff_mean",
    level: "token",
    meaning: "Mean difference of log-probs, sampler against training pass",
    source: "ours",
    healthy: "below 0.01",
  },
  {
    name: "training/rollout_logprob_diff_max",
    level: "token",
    meaning: "The largest",
    source: "ours",
  },
  {
    name: "rollout_corr/kl",
    level: "token",
    meaning: "KL of the sampler against the training pass (k1)",
    source: "verl",
    healthy: "about 0",
  },
  { name: "rollout_corr/k3_kl", level: "token", meaning: "The same by k3", source: "verl" },
  {
    name: "rollout_corr/ppl_ratio",
    level: "trajectory",
    meaning: "Perplexity of the training pass over the sampler's, mean over trajectories",
    source: "verl",
    healthy: "about 1",
  },
  {
    name: "rollout_corr/rollout_is_mean",
    level: "token",
    meaning: "Mean weight pi_train / pi_rollout",
    source: "verl",
    also: "TRL sampling/importance_sampling_ratio/mean",
    healthy: "about 1",
  },
  {
    name: "rollout_corr/rollout_is_max",
    level: "token",
    meaning: "Largest such weight",
    source: "verl",
    also: "TRL sampling/importance_sampling_ratio/max",
  },
  {
    name: "rollout_corr/rollout_is_eff_sample_size",
    level: "token",
    meaning: "Effective share of tokens under these weights",
    source: "verl",
    healthy: "about 1",
  },
];

const COLLAPSE = "collapse_first_turn_sample";
const collapse: MetricEntry[] = [
  {
    name: `${COLLAPSE}/mi_seq_estimate`,
    level: "turn",
    meaning: "Mutual information of prompts and whole first responses, in nats",
    source: "RAGEN",
    healthy: "well above 0; near 0 with entropy still high is template collapse",
  },
  {
    name: `${COLLAPSE}/mi_estimate`,
    level: "token",
    meaning: "The same of a response's mean token",
    source: "RAGEN",
  },
  {
    name: `${COLLAPSE}/mi_upper_bound`,
    level: "turn",
    meaning: "log N for N prompts: each is distinguished from all others",
    source: "RAGEN",
  },
  {
    name: `${COLLAPSE}/conditional_entropy_seq_est`,
    level: "turn",
    meaning: "H(Z|X): how much responses vary for the same prompt, in nats",
    source: "RAGEN",
  },
  {
    name: `${COLLAPSE}/conditional_entropy_est`,
    level: "token",
    meaning: "The same of a response's mean token",
    source: "RAGEN",
  },
  {
    name: `${COLLAPSE}/reasoning_entropy_seq_est`,
    level: "turn",
    meaning: "H(Z): how much responses vary over all prompts, in nats",
    source: "RAGEN",
  },
  {
    name: `${COLLAPSE}/reasoning_entropy_est`,
    level: "token",
    meaning: "The same of a response's mean token",
    source: "RAGEN",
  },
  {
    name: `${COLLAPSE}/retrieval_accuracy`,
    level: "turn",
    meaning: "Share of responses that their own prompt makes likeliest",
    source: "RAGEN",
  },
  {
    name: `${COLLAPSE}/retrieval_chance_level`,
    level: "turn",
    meaning: "The chance level: 1/N",
    source: "RAGEN",
  },
];

export const metricTable: readonly MetricEntry[] = [
  ...actor,
  ...critic,
  ...rollout,
  ...sampler,
  ...collapse,
  ...methodMetrics,
];

/** The entry of a metric, by its own name or by a pattern with `*`; undefined if unknown. */
export function metricEntry(name: string): MetricEntry | undefined {
  return (
    metricTable.find((entry) => entry.name === name) ??
    metricTable.find((entry) => patternOf(entry.name).test(name))
  );
}

function patternOf(name: string): RegExp {
  const literal = name.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^/]+")}$`);
}

function spreadOf(
  name: string,
  level: MetricEntry["level"],
  meaning: string,
  source: string,
): MetricEntry[] {
  return ["mean", "max", "min"].map((part) => ({
    name: `${name}/${part}`,
    level,
    source,
    meaning: `${meaning}: ${{ mean: "mean", max: "largest", min: "smallest" }[part]!}`,
  }));
}
