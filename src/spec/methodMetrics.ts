/** Further metrics: of single algorithms, process rewards, preference pairs and Iterative PPO. */
import type { MetricEntry } from "./metricEntry.ts";

const ours = { source: "ours" } as const;

export const methodMetrics: MetricEntry[] = [
  {
    name: "process/mean",
    level: "turn",
    meaning: "What process rewards added to a turn on average, eta included",
    ...ours,
  },
  {
    name: "process/correlation",
    level: "turn",
    meaning:
      "Pearson correlation of the provider's scores with the exact ones without noise; absent where either is constant",
    ...ours,
    healthy: "1 for an exact provider without noise",
  },
  {
    name: "process/judge_loss",
    level: "turn",
    meaning: "Cross-entropy of the learned judge on the labels it is taught, mean over its updates",
    ...ours,
    healthy: "below 0.69, which is guessing",
  },
  {
    name: "process/accuracy",
    level: "turn",
    meaning: "Share of turns, of tasks without labels, that the learned judge classifies correctly",
    ...ours,
    healthy: "above process/majority",
  },
  {
    name: "process/majority",
    level: "turn",
    meaning: "The share reached by always predicting the more frequent label",
    ...ours,
  },
  {
    name: "q/loss",
    level: "turn",
    meaning: "Half the squared error of Iterative PPO's Q in scaled rewards, mean over its updates",
    ...ours,
  },
  {
    name: "q/explained_var/before_fit",
    level: "turn",
    meaning: "Share of the outcomes' variance that Q explains before it is fitted to any of them",
    ...ours,
    healthy: "above 0 after a few iterations",
  },
  {
    name: "q/explained_var/fitted",
    level: "turn",
    meaning: "The same after the fit, on the tasks that it was fitted to",
    ...ours,
  },
  {
    name: "q/explained_var/held_out",
    level: "turn",
    meaning: "The same after the fit, on the tasks that it was not fitted to",
    ...ours,
    healthy: "above 0 and near that of the fitted tasks; below 0 Q has memorised them",
  },
  {
    name: "q/mean",
    level: "turn",
    meaning: "Mean Q of the logged turns, in the environment's rewards",
    ...ours,
  },
  {
    name: "q/gain",
    level: "turn",
    meaning:
      "How much higher Q rates the last inner round's responses in the logged states than the logged ones; 0 with one round",
    ...ours,
    healthy: "above 0 on average: else the inner algorithm does not follow Q",
  },
  {
    name: "q/action_correlation",
    level: "turn",
    meaning:
      "Correlation of Q's difference between two responses in one state with the exact potential's; needs two inner rounds",
    ...ours,
    healthy: "above 0: at 0 Q distinguishes only states, and following it improves nothing",
  },
  {
    name: "q/true_gain",
    level: "turn",
    meaning: "q/gain by the exact potential instead of Q, between the first two inner rounds",
    ...ours,
    healthy: "above 0 on average",
  },
  {
    name: "actor/reward_kl_penalty",
    level: "token",
    meaning: "Mean k1 against the reference, as rewards are charged for it",
    source: "verl",
  },
  {
    name: "actor/reward_kl_penalty_coeff",
    level: "update",
    meaning: "Weight of KL in the reward in this iteration, where it adapts or not",
    source: "verl",
  },
  {
    name: "actor/clip_bias_norm/mean",
    level: "update",
    meaning: "Size of the gradient that the clip cut, of what clipBiasScope names",
    ...ours,
  },
  {
    name: "actor/clip_bias_norm/max",
    level: "update",
    meaning: "The largest of these",
    ...ours,
  },
  {
    name: "actor/clip_bias_denominator/mean",
    level: "update",
    meaning: "What the policy's gradient was divided by",
    ...ours,
  },
  {
    name: "rollout/greedy_score/mean",
    level: "trajectory",
    meaning: "Mean score of the greedy rollouts that ReMax compares with",
    ...ours,
  },
  {
    name: "*/answer_gain/mean",
    level: "turn",
    meaning: "Mean rise of the probability of the right answer in a turn",
    ...ours,
  },
  {
    name: "*/potential_gain/mean",
    level: "turn",
    meaning:
      "Mean fall of the fewest moves left in a turn: it stands in for information gained where there is no right answer in words",
    ...ours,
  },
  {
    name: "*/answer_gain/max",
    level: "turn",
    meaning: "Largest rise of the probability of the right answer in a turn",
    ...ours,
  },
  {
    name: "*/potential_gain/max",
    level: "turn",
    meaning:
      "Largest fall of the fewest moves left in a turn: it stands in for information gained where there is no right answer in words",
    ...ours,
  },
  {
    name: "*/answer_gain/min",
    level: "turn",
    meaning: "Smallest rise of the probability of the right answer in a turn",
    ...ours,
  },
  {
    name: "*/potential_gain/min",
    level: "turn",
    meaning:
      "Smallest fall of the fewest moves left in a turn: it stands in for information gained where there is no right answer in words",
    ...ours,
  },
  {
    name: "loss",
    level: "trajectory",
    meaning: "Loss on preference pairs",
    source: "TRL",
  },
  {
    name: "eval_loss",
    level: "trajectory",
    meaning: "On pairs of tasks never trained on: loss on preference pairs",
    source: "TRL",
  },
  {
    name: "rewards/chosen",
    level: "trajectory",
    meaning: "Implicit reward of the better responses: beta times their log-ratio to the reference",
    source: "TRL",
  },
  {
    name: "eval_rewards/chosen",
    level: "trajectory",
    meaning:
      "On pairs of tasks never trained on: implicit reward of the better responses: beta times their log-ratio to the reference",
    source: "TRL",
  },
  {
    name: "rewards/rejected",
    level: "trajectory",
    meaning: "The same of the worse responses",
    source: "TRL",
  },
  {
    name: "eval_rewards/rejected",
    level: "trajectory",
    meaning: "On pairs of tasks never trained on: the same of the worse responses",
    source: "TRL",
  },
  {
    name: "rewards/accuracies",
    level: "trajectory",
    meaning: "Share of pairs whose better response has the higher implicit reward",
    source: "TRL",
  },
  {
    name: "eval_rewards/accuracies",
    level: "trajectory",
    meaning:
      "On pairs of tasks never trained on: share of pairs whose better response has the higher implicit reward",
    source: "TRL",
  },
  {
    name: "rewards/margins",
    level: "trajectory",
    meaning: "Implicit reward of the better minus that of the worse responses",
    source: "TRL",
  },
  {
    name: "eval_rewards/margins",
    level: "trajectory",
    meaning:
      "On pairs of tasks never trained on: implicit reward of the better minus that of the worse responses",
    source: "TRL",
  },
  {
    name: "logps/chosen",
    level: "trajectory",
    meaning: "Log-probability of the better responses",
    source: "TRL",
  },
  {
    name: "eval_logps/chosen",
    level: "trajectory",
    meaning: "On pairs of tasks never trained on: log-probability of the better responses",
    source: "TRL",
  },
  {
    name: "logps/rejected",
    level: "trajectory",
    meaning: "The same of the worse responses",
    source: "TRL",
  },
  {
    name: "eval_logps/rejected",
    level: "trajectory",
    meaning: "On pairs of tasks never trained on: the same of the worse responses",
    source: "TRL",
  },
  {
    name: "kl/chosen",
    level: "trajectory",
    meaning: "KL of policy and reference summed over the better responses' tokens",
    ...ours,
  },
  {
    name: "eval_kl/chosen",
    level: "trajectory",
    meaning:
      "On pairs of tasks never trained on: KL of policy and reference summed over the better responses' tokens",
    ...ours,
  },
  {
    name: "kl/rejected",
    level: "trajectory",
    meaning: "The same over the worse responses' tokens",
    ...ours,
  },
  {
    name: "eval_kl/rejected",
    level: "trajectory",
    meaning: "On pairs of tasks never trained on: the same over the worse responses' tokens",
    ...ours,
  },
  {
    name: "kl/margin",
    level: "trajectory",
    meaning: "KL over the worse minus KL over the better responses",
    ...ours,
  },
  {
    name: "eval_kl/margin",
    level: "trajectory",
    meaning:
      "On pairs of tasks never trained on: kL over the worse minus KL over the better responses",
    ...ours,
  },
  {
    name: "pairs/train",
    level: "group",
    meaning: "Pairs that are trained on",
    ...ours,
  },
  {
    name: "pairs/held_out",
    level: "group",
    meaning: "Pairs held out for evaluation",
    ...ours,
  },
  {
    name: "pairs/task_share",
    level: "group",
    meaning: "Share of tasks whose rollouts differ enough for a pair",
    ...ours,
  },
  {
    name: "pairs/return_gap",
    level: "group",
    meaning: "Mean difference in return within a pair",
    ...ours,
  },
  {
    name: "kl",
    level: "trajectory",
    meaning: "KL of policy and reference over the tokens of a pair's responses",
    ...ours,
  },
  {
    name: "eval_kl",
    level: "trajectory",
    meaning: "On pairs of tasks never trained on: the same",
    ...ours,
  },
];
