/** What is told besides by process rewards and by Iterative PPO. */
import type { MetricEntry } from "./metricTable.ts";

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
    meaning: "Share of turns of tasks without labels that the learned judge calls rightly",
    ...ours,
    healthy: "above process/majority",
  },
  {
    name: "process/majority",
    level: "turn",
    meaning: "The same share for always saying what is true more often",
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
    healthy: "above 0 and near that of the fitted tasks; below 0 Q has learned them by heart",
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
    healthy: "above 0: at 0 Q knows states only, and following it improves nothing",
  },
  {
    name: "q/true_gain",
    level: "turn",
    meaning: "q/gain by the exact potential instead of Q, between the first two inner rounds",
    ...ours,
    healthy: "above 0 on average",
  },
];
