/** Titles of the metrics of `metricTable.ts` in charts, and their units. Plain data. */

/** Unit of shares; their numbers are written in percent. */
export const PERCENT = "%";

interface MetricTitle {
  title: string;
  /** "" for a number without one. */
  unit: string;
}

/**
 * Title, and unit if there is one; `*` is a placeholder for a turn's number if the name has one.
 */
type TitleEntry = readonly [title: string, unit?: string | undefined];

const actor: Record<string, TitleEntry> = {
  "actor/pg_loss": ["Policy loss"],
  "actor/pg_clipfrac": ["Clipped tokens", PERCENT],
  "actor/pg_clipfrac_lower": ["Tokens cut by dual clip", PERCENT],
  "actor/clip_cut_share": ["Gradient cut by the clip", PERCENT],
  "clip_ratio/low_mean": ["Tokens clipped below", PERCENT],
  "clip_ratio/low_min": ["Tokens clipped below, smallest", PERCENT],
  "clip_ratio/high_mean": ["Tokens clipped above", PERCENT],
  "clip_ratio/high_max": ["Tokens clipped above, largest", PERCENT],
  "clip_ratio/region_mean": ["Tokens clipped on either side", PERCENT],
  "actor/ppo_kl": ["KL to the sampler (k1)", "nats"],
  "policy/approxkl_avg": ["KL to the sampler (k2)", "nats"],
  "actor/ppo_kl_k3": ["KL to the sampler (k3)", "nats"],
  "val/ratio_var": ["Token ratio, variance"],
  "actor/entropy": ["Policy entropy", "nats"],
  "actor/entropy/*": ["Policy entropy, turn *", "nats"],
  "actor/kl_loss": ["KL to the reference", "nats"],
  "actor/grad_norm": ["Policy gradient norm"],
  "actor/lr": ["Policy learning rate"],
  "actor/turn_clipfrac": ["Clipped turns", PERCENT],
  "actor/turn_clipfrac/*": ["Clipped turns, turn *", PERCENT],
  "actor/turn_ratio/std": ["Turn ratio, standard deviation"],
  "actor/turn_logratio_abs_max": ["Turn log-ratio, largest size", "nats"],
  "actor/alignment": ["Advantage and log-ratio, correlation"],
  "actor/turn_logratio_std": ["Turn log-ratio, standard deviation", "nats"],
  "actor/turn_ratio_ess": ["Effective share of turns", PERCENT],
  "actor/reward_kl_penalty": ["KL subtracted from rewards", "nats"],
  "actor/reward_kl_penalty_coeff": ["Weight of KL in the reward"],
  "actor/clip_bias_norm/mean": ["Gradient removed by the clip, mean norm"],
  "actor/clip_bias_norm/max": ["Gradient removed by the clip, largest norm"],
  "actor/clip_bias_denominator/mean": ["Divisor of the policy gradient"],
};

const critic: Record<string, TitleEntry> = {
  "critic/vf_loss": ["Value loss"],
  "critic/vf_clipfrac": ["Clipped values", PERCENT],
  "critic/vpred_mean": ["Mean prediction in training"],
  "critic/vf_explained_var": ["Explained variance of the critic"],
  "critic/turn_vf_explained_var": ["Explained variance over turns"],
  "critic/turn_vf_explained_var/*": ["Explained variance, turn *"],
  "critic/turn_td_error/abs_mean": ["Mean size of the TD error"],
  "critic/turn_adv_std/*": ["Advantage spread, turn *"],
  "critic/grad_norm": ["Critic gradient norm"],
  "critic/lr": ["Critic learning rate"],
};

const rollout: Record<string, TitleEntry> = {
  reward_std: ["Reward spread"],
  "rollout/in_group_reward_std": ["Reward spread within groups"],
  "rollout/in_group_max": ["Best reward of a group"],
  frac_reward_zero_std: ["Groups without spread", PERCENT],
  "rollout/filter_kept_ratio": ["Groups kept by the filter", PERCENT],
  "rollout/filter_zero_count": ["Groups without spread, count", "groups"],
  "rollout/chosen_in_group_reward_std": ["Reward spread within kept groups"],
  "rollout/chosen_in_group_max": ["Best reward of a kept group"],
  "*/pass@*": ["Groups with a success", PERCENT],
  "*/success": ["Success rate", PERCENT],
  "*/success_purchase": ["Trips with a purchase", PERCENT],
  "*/success_find": ["Trips with the full reward", PERCENT],
  "*/end_of_page": ["Trips that ran out of pages", PERCENT],
  "*/action_is_valid": ["Valid turns", PERCENT],
  "episode/valid_action_ratio": ["Valid turns (verl-agent)", PERCENT],
  "*/action_is_effective": ["Turns that changed something", PERCENT],
  "*/num_actions": ["Actions per episode", "actions"],
  "response_length/clip_ratio": ["Responses at the token limit", PERCENT],
  "completions/clipped_ratio": ["Responses cut off", PERCENT],
  "completions/mean_terminated_length": ["Length of ended responses", "tokens"],
  "turn_len/mean": ["Response length", "tokens"],
  "turn_len/mean/*": ["Response length, turn *", "tokens"],
  "rollout/top_first_response": ["Most common first response", PERCENT],
  "rollout/greedy_score/mean": ["Reward of greedy rollouts"],
  "*/answer_gain/mean": ["Answer gain, mean"],
  "*/answer_gain/max": ["Answer gain, largest"],
  "*/answer_gain/min": ["Answer gain, smallest"],
  "*/potential_gain/mean": ["Moves saved, mean", "moves"],
  "*/potential_gain/max": ["Moves saved, largest", "moves"],
  "*/potential_gain/min": ["Moves saved, smallest", "moves"],
};

const sampler: Record<string, TitleEntry> = {
  "training/rollout_probs_diff_mean": ["Sampler mismatch, probability"],
  "training/rollout_probs_diff_max": ["Sampler mismatch, largest probability"],
  "training/rollout_probs_diff_std": ["Sampler mismatch, standard deviation"],
  "training/rollout_logprob_diff_mean": ["Sampler mismatch, log-probability", "nats"],
  "training/rollout_logprob_diff_max": ["Sampler mismatch, largest log-probability", "nats"],
  "rollout_corr/kl": ["Sampler KL (k1)", "nats"],
  "rollout_corr/k3_kl": ["Sampler KL (k3)", "nats"],
  "rollout_corr/ppl_ratio": ["Perplexity, training over sampler"],
  "rollout_corr/rollout_is_mean": ["Sampler correction, mean weight"],
  "rollout_corr/rollout_is_max": ["Sampler correction, largest weight"],
  "rollout_corr/rollout_is_eff_sample_size": ["Sampler correction, effective share", PERCENT],
};

const collapse: Record<string, TitleEntry> = {
  mi_seq_estimate: ["Prompt and response, mutual information", "nats"],
  mi_estimate: ["Prompt and token, mutual information", "nats"],
  mi_upper_bound: ["Mutual information, upper bound", "nats"],
  conditional_entropy_seq_est: ["Response variety, same prompt", "nats"],
  conditional_entropy_est: ["Token variety, same prompt", "nats"],
  reasoning_entropy_seq_est: ["Response variety, all prompts", "nats"],
  reasoning_entropy_est: ["Token variety, all prompts", "nats"],
  retrieval_accuracy: ["Responses matched to their prompt", PERCENT],
  retrieval_chance_level: ["The same by chance", PERCENT],
};

const methods: Record<string, TitleEntry> = {
  "process/mean": ["Process reward per turn"],
  "process/correlation": ["Process score and truth, correlation"],
  "process/judge_loss": ["Judge loss", "nats"],
  "process/accuracy": ["Judge accuracy", PERCENT],
  "process/majority": ["Accuracy of the commoner label", PERCENT],
  "q/loss": ["Q loss"],
  "q/explained_var/before_fit": ["Explained variance of Q, before the fit"],
  "q/explained_var/fitted": ["Explained variance of Q, fitted tasks"],
  "q/explained_var/held_out": ["Explained variance of Q, held-out tasks"],
  "q/mean": ["Mean Q"],
  "q/gain": ["Gain by Q"],
  "q/action_correlation": ["Q and truth, correlation of differences"],
  "q/true_gain": ["Gain by the truth"],
  "pairs/train": ["Pairs for training", "pairs"],
  "pairs/held_out": ["Held-out pairs", "pairs"],
  "pairs/task_share": ["Tasks with a pair", PERCENT],
  "pairs/return_gap": ["Return gap within pairs"],
};

/** Each is also measured on held-out pairs, as `eval_`. */
const pairs: Record<string, TitleEntry> = {
  loss: ["Preference loss", "nats"],
  "rewards/chosen": ["Implicit reward, better response", "nats"],
  "rewards/rejected": ["Implicit reward, worse response", "nats"],
  "rewards/accuracies": ["Pairs ranked correctly", PERCENT],
  "rewards/margins": ["Implicit reward, difference", "nats"],
  "logps/chosen": ["Log-probability, better response", "nats"],
  "logps/rejected": ["Log-probability, worse response", "nats"],
  "kl/chosen": ["KL, better response", "nats"],
  "kl/rejected": ["KL, worse response", "nats"],
  "kl/margin": ["KL, difference", "nats"],
  kl: ["KL, both responses", "nats"],
};

/** Logged as mean, max and min: the quantity and its unit. */
const spreads: Record<string, TitleEntry> = {
  "actor/ratio": ["token ratio"],
  "actor/turn_ratio": ["turn ratio"],
  "critic/score": ["reward"],
  "critic/rewards": ["reward after penalties"],
  "critic/advantages": ["advantage"],
  "critic/returns": ["critic target"],
  "critic/values": ["value"],
  num_turns: ["number of turns", "turns"],
  prompt_length: ["prompt length", "tokens"],
  response_length: ["response length", "tokens"],
};

const PARTS = { mean: "Mean", max: "Largest", min: "Smallest" };

const titles: Record<string, TitleEntry> = {
  ...actor,
  ...critic,
  ...rollout,
  ...sampler,
  ...prefixed("collapse_first_turn_sample/", collapse),
  ...methods,
  ...pairs,
  ...prefixed("eval_", pairs, " (held-out)"),
  ...spreadTitles(),
};

function prefixed(prefix: string, entries: Record<string, TitleEntry>, suffix = "") {
  return Object.fromEntries(
    Object.entries(entries).map(([name, [title, unit]]): [string, TitleEntry] => [
      prefix + name,
      [title + suffix, unit],
    ]),
  );
}

function spreadTitles(): Record<string, TitleEntry> {
  return Object.fromEntries(
    Object.entries(spreads).flatMap(([name, [quantity, unit]]) =>
      Object.entries(PARTS).map(([part, word]): [string, TitleEntry] => [
        `${name}/${part}`,
        [`${word} ${quantity}`, unit],
      ]),
    ),
  );
}

/** The title of an entry of the table; undefined if it has none. */
export function metricTitle(entryName: string, name = entryName): MetricTitle | undefined {
  if (!Object.hasOwn(titles, entryName)) return undefined;
  const [title, unit = ""] = titles[entryName]!;
  return { title: title.replace("*", name.split("/").at(-1)!), unit };
}
