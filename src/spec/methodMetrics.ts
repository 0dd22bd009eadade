/** More metrics: of single algorithms, process rewards, preference pairs and Iterative PPO. */
import type { MetricEntry } from "./metricEntry.ts";

const ours = { source: "ours" } as const;

/** Of preference pairs; each is also measured on pairs of held-out tasks, under `eval_`. */
const pairMetrics: MetricEntry[] = [
  { name: "loss", level: "trajectory", meaning: "Loss on preference pairs", source: "TRL" },
  {
    name: "rewards/chosen",
    level: "trajectory",
    meaning: "Implicit reward of the better responses: beta times their log-ratio to the reference",
    source: "TRL",
  },
  {
    name: "rewards/rejected",
    level: "trajectory",
    meaning: "Implicit reward of the worse responses: beta times their log-ratio to the reference",
    source: "TRL",
  },
  {
    name: "rewards/accuracies",
    level: "trajectory",
    meaning: "Share of pairs whose better response has the higher implicit reward",
    source: "TRL",
  },
  {
    name: "rewards/margins",
    level: "trajectory",
    meaning: "Implicit reward of the better minus that of the worse responses",
    source: "TRL",
  },
  {
    name: "logps/chosen",
    level: "trajectory",
    meaning: "Log-probability of the better responses",
    source: "TRL",
  },
  {
    name: "logps/rejected",
    level: "trajectory",
    meaning: "Log-probability of the worse responses",
    source: "TRL",
  },
  {
    name: "kl/chosen",
    level: "trajectory",
    meaning: "KL of policy and reference summed over the better responses' tokens",
    ...ours,
  },
  {
    name: "kl/rejected",
    level: "trajectory",
    meaning: "KL of policy and reference summed over the worse responses' tokens",
    ...ours,
  },
  {
    name: "kl/margin",
    level: "trajectory",
    meaning: "KL over the worse minus KL over the better responses",
    ...ours,
  },
  {
    name: "kl",
    level: "trajectory",
    meaning: "KL of policy and reference over the tokens of a pair's responses",
    ...ours,
  },
];

const heldOut = (metric: MetricEntry): MetricEntry => ({
  ...metric,
  name: `eval_${metric.name}`,
  meaning: `${metric.meaning} (held-out pairs)`,
});

export const methodMetrics: MetricEntry[] = [
  {
    name: "process/mean",
    level: "turn",
    meaning: "Mean process reward added per turn, eta included",
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
    meaning: "Share of the outcomes' variance that Q explains after the fit, on its own tasks",
    ...ours,
  },
  {
    name: "q/explained_var/held_out",
    level: "turn",
    meaning: "Share of the outcomes' variance that Q explains after the fit, on held-out tasks",
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
    meaning: "Mean k1 against the reference, as subtracted from rewards",
    source: "verl",
  },
  {
    name: "actor/reward_kl_penalty_coeff",
    level: "update",
    meaning: "Weight of KL in the reward in this iteration, fixed or adaptive",
    source: "verl",
  },
  {
    name: "actor/clip_bias_norm/mean",
    level: "update",
    meaning: "Size of the gradient that the clip removed, in the scope of clipBiasScope",
    ...ours,
  },
  {
    name: "actor/clip_bias_norm/max",
    level: "update",
    meaning: "Largest size of the gradient that the clip removed",
    ...ours,
  },
  {
    name: "actor/clip_bias_denominator/mean",
    level: "update",
    meaning: "Divisor of the policy's gradient",
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
    meaning: "Mean increase per turn in the right answer's probability",
    ...ours,
  },
  {
    name: "*/potential_gain/mean",
    level: "turn",
    meaning:
      "Mean decrease per turn in the fewest moves left: used instead of information gain where no answer text exists",
    ...ours,
  },
  {
    name: "*/answer_gain/max",
    level: "turn",
    meaning: "Largest increase of a turn in the right answer's probability",
    ...ours,
  },
  {
    name: "*/potential_gain/max",
    level: "turn",
    meaning:
      "Largest decrease of a turn in the fewest moves left: used instead of information gain where no answer text exists",
    ...ours,
  },
  {
    name: "*/answer_gain/min",
    level: "turn",
    meaning: "Smallest increase of a turn in the right answer's probability",
    ...ours,
  },
  {
    name: "*/potential_gain/min",
    level: "turn",
    meaning:
      "Smallest decrease of a turn in the fewest moves left: used instead of information gain where no answer text exists",
    ...ours,
  },
  ...pairMetrics.flatMap((metric) => [metric, heldOut(metric)]),
  {
    name: "pairs/train",
    level: "group",
    meaning: "Pairs for training",
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
];
