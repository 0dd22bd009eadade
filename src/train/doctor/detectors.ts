/**
 * The detectors as data. A detector fires if all rules of one of its signs hold, and none of
 * `unless`.
 *
 * Limits come from three places: [C] RAGEN's code, [R] the field's rules of thumb (verl's and TRL's
 * issues), [M] this notebook's own healthy runs where those rules are too narrow for models this
 * small: ten seeds of each algorithm of the gallery's healthy preset, and the recorded run's PPO
 * curves. test/bench/RESULTS.md holds the measurements.
 */
import type { DoctorRule } from "./rule.ts";

export type DetectorName =
  | "not-finite"
  | "zero-variance"
  | "echo-trap"
  | "template-collapse"
  | "ratio-blow-up"
  | "critic-failure"
  | "entropy-crash"
  | "entropy-blow-up"
  | "length-explosion";

export interface Detector {
  name: DetectorName;
  title: string;
  /** A warning may resolve by itself; a critical finding has never been seen to. */
  severity: "warning" | "critical";
  /** What a method must have for the detector to apply; absent: applies to every method. */
  about?: "critic" | "groups";
  /** Empty: the detector does not use metrics. */
  signs: readonly { rules: readonly DoctorRule[]; unless?: readonly DoctorRule[] }[];
  /** What is happening, in one sentence. */
  says: string;
  cause: string;
  /** What to try, most likely to help first. */
  remedies: readonly string[];
}

/** If everything succeeds, groups do not differ, and that is fine. */
const SOLVED: readonly DoctorRule[] = [{ metric: "*/success", side: "above", limit: 0.9, last: 1 }];

export const DETECTORS: readonly Detector[] = [
  {
    name: "not-finite",
    title: "Numbers not finite",
    severity: "critical",
    signs: [],
    says: "A number of the training is no longer finite.",
    cause: "A step too large for the weights, or a ratio or value that overflowed.",
    remedies: [
      "Lower the learning rate.",
      "Set a gradient-norm limit (maxGradNorm 1).",
      "Set dualClip, or a ratio level that does not multiply over a turn.",
    ],
  },
  {
    name: "zero-variance",
    title: "Groups without variance",
    severity: "warning",
    about: "groups",
    signs: [
      // [M] RAGEN filters out such groups; a batch of only such groups has no gradient.
      {
        rules: [{ metric: "frac_reward_zero_std", side: "above", limit: 0.9, last: 3 }],
        unless: SOLVED,
      },
      // [C] RAGEN stops if the last ten are below a tenth of the mean of the first ten; three are
      // enough to warn.
      {
        rules: [
          {
            metric: "rollout/in_group_reward_std",
            side: "below",
            limit: { timesBase: 0.1 },
            last: 3,
          },
        ],
        unless: SOLVED,
      },
      // [C] RAGEN: rollout_filter_empty_stop_steps 5.
      {
        rules: [{ metric: "rollout/filter_kept_ratio", side: "below", limit: 1e-9, last: 5 }],
      },
    ],
    says: "Rollouts of the same task all earn the same, so a group baseline leaves no advantage.",
    cause: "Sampling is (nearly) deterministic, or every task is far too hard or too easy.",
    remedies: [
      "Raise the sampling temperature.",
      "Take tasks that are solved sometimes, or larger groups.",
      "Filter groups by reward spread (DAPO, StarPO-S), or use a critic (Turn-PPO).",
    ],
  },
  {
    name: "echo-trap",
    title: "Echo trap",
    severity: "critical",
    signs: [
      // [C] RAGEN: reward spread and entropy drop together.
      {
        rules: [
          {
            metric: "rollout/in_group_reward_std",
            side: "below",
            limit: { timesBase: 0.25 },
            last: 3,
          },
          { metric: "actor/entropy", side: "below", limit: { timesBase: 0.8 }, last: 3 },
        ],
        unless: SOLVED,
      },
      // Entropy may become erratic instead (RAGEN); then one answer given to most tasks is the
      // sign.
      {
        rules: [
          {
            metric: "rollout/in_group_reward_std",
            side: "below",
            limit: { timesBase: 0.25 },
            last: 3,
          },
          { metric: "rollout/top_first_response", side: "above", limit: 0.5, last: 3 },
        ],
        unless: SOLVED,
      },
      // The same without groups, from the rewards of the whole batch.
      {
        rules: [
          { metric: "reward_std", side: "below", limit: { timesBase: 0.5 }, last: 3 },
          { metric: "rollout/top_first_response", side: "above", limit: 0.5, last: 3 },
        ],
        unless: SOLVED,
      },
      // [C] RAGEN: validation success below 1 % five times in a row, after having been above it.
      {
        rules: [
          {
            metric: "val-env/*/success",
            side: "below",
            limit: { timesBase: 0.1 },
            baseNeeds: 1,
            last: 5,
          },
        ],
      },
    ],
    says: "The policy has locked onto one way of answering: spread of rewards and of answers is gone.",
    cause: "Updates reinforced a few answers faster than the tasks could correct them.",
    remedies: [
      "Go back to the checkpoint before the fall and lower the learning rate.",
      "Play more different tasks per iteration, and fewer epochs on each batch.",
      "Hold the policy near its start (betaKl), filter groups by spread (StarPO-S), add an entropy bonus.",
    ],
  },
  {
    name: "template-collapse",
    title: "Template collapse",
    severity: "critical",
    signs: [
      {
        rules: [
          {
            metric: "collapse_first_turn_sample/mi_seq_estimate",
            side: "below",
            limit: { timesBase: 0.25 },
            last: 3,
            mean: true,
          },
          {
            metric: "collapse_first_turn_sample/conditional_entropy_seq_est",
            side: "above",
            limit: { timesBase: 0.5 },
            last: 3,
          },
        ],
      },
    ],
    says: "Answers still vary, but no longer depend on what was asked: their mutual information with the prompt is gone.",
    cause:
      "What regularises (entropy bonus, KL) outweighs a task gradient made weak by rewards that hardly differ.",
    remedies: [
      "Lower the entropy bonus or the KL weight.",
      "Raise the task's share of the gradient: filter groups by reward spread, play more episodes per task.",
      "Go back to the checkpoint before the fall.",
    ],
  },
  {
    name: "ratio-blow-up",
    title: "Ratio blow-up",
    severity: "critical",
    signs: [
      // [R] a sustained 0.05 is the usual alarm; [M] healthy runs of these models reach 0.1 for an
      // iteration.
      { rules: [{ metric: "actor/ppo_kl_k3", side: "above", limit: 0.2, last: 2 }] },
      { rules: [{ metric: "actor/ppo_kl_k3", side: "above", limit: 0.5, last: 1 }] },
      // For logs without k3.
      { rules: [{ metric: "policy/approxkl_avg", side: "above", limit: 0.4, last: 2 }] },
      { rules: [{ metric: "actor/ppo_kl", side: "above", limit: 0.3, last: 2 }] },
    ],
    says: "Within one iteration the policy moves so far that its ratios no longer mean anything.",
    cause: "Too large a step, or too many epochs over the same batch.",
    remedies: [
      "Lower the actor's learning rate, or warm it up.",
      "Fewer epochs, larger minibatches.",
      "A tighter clip (epsHigh), dualClip, or a geometric-mean ratio for long turns.",
    ],
  },
  {
    name: "critic-failure",
    title: "Critic failure",
    severity: "warning",
    about: "critic",
    signs: [
      // [R] below 0 after about twenty updates is worse than a constant; ten in a row are not
      // chance.
      { rules: [{ metric: "critic/vf_explained_var", side: "below", limit: 0, last: 10 }] },
      // [M] with only 32 episodes in a batch, a healthy critic may drop to -0.6 once.
      { rules: [{ metric: "critic/vf_explained_var", side: "below", limit: -1, last: 3 }] },
      { rules: [{ metric: "critic/vf_explained_var", side: "below", limit: -10, last: 1 }] },
    ],
    says: "The critic explains the returns worse than their mean would.",
    cause:
      "Its learning rate is too high, its targets are badly scaled, or it reads the wrong state.",
    remedies: [
      "Lower critic.lr.",
      "Warm the critic up (critic.warmup), and scale rewards to about 1 (rewardScale).",
      "Where actor and critic share a trunk, lower critic.coef or detach the head.",
    ],
  },
  {
    name: "entropy-crash",
    title: "Entropy crash",
    severity: "critical",
    signs: [
      // A slow decline is normal learning; a sudden one is not. [M] healthy runs lose a tenth in
      // five iterations.
      {
        rules: [
          {
            metric: "actor/entropy",
            side: "below",
            limit: { timesBase: 0.4 },
            base: "recent",
            last: 2,
          },
          // Recovering from a spike is not a crash.
          { metric: "actor/entropy", side: "below", limit: { timesBase: 0.7 }, last: 2 },
        ],
        unless: SOLVED,
      },
    ],
    says: "The policy's entropy has fallen to less than half within a few iterations, and well below where it started: it explores much less.",
    cause: "Too large a step, or a sampling temperature close to 0.",
    remedies: [
      "Lower the learning rate.",
      "Add or raise the entropy bonus (entropyCoef), or clip higher (epsHigh).",
      "Check the sampling temperature.",
    ],
  },
  {
    name: "entropy-blow-up",
    title: "Entropy blow-up",
    severity: "critical",
    signs: [
      { rules: [{ metric: "actor/entropy", side: "above", limit: { timesBase: 2 }, last: 2 }] },
    ],
    says: "The policy's entropy has grown far beyond where it started: it is on its way to guessing.",
    cause: "The entropy bonus outweighs the rewards, or an update has destroyed the policy.",
    remedies: [
      "Lower entropyCoef.",
      "Lower the learning rate; go back to the checkpoint before the fall.",
    ],
  },
  {
    name: "length-explosion",
    title: "Length explosion",
    severity: "warning",
    signs: [
      { rules: [{ metric: "completions/clipped_ratio", side: "above", limit: 0.5, last: 2 }] },
      // The stop token may be the last token allowed: if that is known, the response is not
      // counted.
      {
        rules: [{ metric: "response_length/clip_ratio", side: "above", limit: 0.5, last: 2 }],
        unless: [{ metric: "completions/clipped_ratio", side: "below", limit: Infinity, last: 1 }],
      },
      {
        rules: [
          { metric: "response_length/mean", side: "above", limit: { timesBase: 1.75 }, last: 2 },
        ],
      },
    ],
    says: "Responses grow until they are cut off.",
    cause: "Nothing in the rewards asks for an end, or the policy no longer knows how to end.",
    remedies: [
      "Punish responses without an answer (environment.formatPenalty).",
      "Lower the entropy bonus and the learning rate.",
      "Lower maxTokensPerTurn; use a loss that does not favour length (Dr.GRPO, turn-mean).",
    ],
  },
];
