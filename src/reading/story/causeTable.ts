/**
 * The causes as data: what speaks for and against each, which episode shows it, and the experiment
 * that would tell. The doctor's signs are used as they are; README.md says where the other limits
 * come from.
 */
import { DETECTORS, type DetectorName } from "../../train/doctor/detectors.ts";
import type { EvidenceName } from "./evidence.ts";
import type { CauseName } from "./causeNames.ts";
import type { StoryRule } from "./changes.ts";
import {
  BATCH,
  BATCH_EPISODES,
  BATCH_TASKS,
  BEST_SUCCESS,
  BONUS,
  CHEAP_GROUPS,
  CLIP_WIDTH,
  DRAWN_SURPRISE,
  FIRST_CREDIT,
  KL_SHARE,
  NOT_FINITE,
  PAID_SUCCESS,
  PAY_SHARE,
  RETRIEVED,
  STALE_TOKENS,
  TEMPERATURE,
  TRAIN_GAP,
  UNTRAINED_TOKENS,
  VALUE_EXCESS,
} from "./tracks.ts";

export interface CauseSign {
  /** All must hold; the last to begin gives the onset. */
  rules: readonly StoryRule[];
  /** None may hold. */
  unless?: readonly StoryRule[];
  /** Each must have held at some time before. */
  after?: readonly StoryRule[];
  /** How sure the cause is if this is its only sign, from 0 to 1. */
  weight: number;
  /** An event: what follows may look calm again. */
  once?: boolean;
  /** Training that goes well shows it, too: unless the score fell it is only noted. */
  mild?: true;
  /** Signs of one family say the same in other numbers: the strongest counts. Absent: its first metric. */
  family?: string;
}

export interface Cause {
  title: string;
  /** What happens, in one sentence. */
  says: string;
  /** What a method must have: a critic, groups, a divisor of group scores, or tasks that come again. Absent: nothing. */
  about?: "critic" | "groups" | "divisor" | "repeated";
  signs: readonly CauseSign[];
  /** What makes it less likely: each that holds at the end multiplies the weight by its factor. */
  against: readonly {
    rule: StoryRule;
    factor: number;
    /** Counts if it has held at any time before the cause was seen. */
    ever?: true;
    /** It does not count if this has held by then. */
    unless?: StoryRule;
  }[];
  /** Its signs contain a fall of the score: it does not come too late after one. */
  isFall?: true;
  /** Which episode and turn show it. */
  shows: EvidenceName;
  /** What would measure it where its numbers are missing. */
  measuredBy: string;
}

/** The doctor's signs of a detector. */
function doctor(name: DetectorName, weight: number, once = false): CauseSign[] {
  const { signs } = DETECTORS.find((detector) => detector.name === name)!;
  return signs.map((sign) => ({ ...sign, weight, once, family: name }));
}

type Limit = StoryRule["limit"];
const above = (metric: string, limit: Limit, last: number, mean = false): StoryRule => ({
  metric,
  side: "above",
  limit,
  last,
  mean,
});
const below = (...rule: Parameters<typeof above>): StoryRule => ({
  ...above(...rule),
  side: "below",
});

const times = (timesBase: number) => ({ timesBase });

const SOLVED = [above("*/success", 0.9, 1)];
const NO_ADVANTAGE = [above("frac_reward_zero_std", 0.9, 1)];
/** A policy that does less for the same tasks than it ever did (it may do less from the start), and nearly no group has a success. */
const DOES_LESS = ["*/num_actions", "response_length/mean"].flatMap((metric) =>
  [
    { share: 0.4, weight: 0.38 },
    { share: 0.7, weight: 0.6 },
  ].map(({ share, weight }): CauseSign => ({
    rules: [{ ...below(metric, times(0.7), 3), base: "highest" }],
    after: [above(CHEAP_GROUPS, share, 3, true)],
    weight,
    mild: true,
  })),
);

/** Nearly no attempt has ever succeeded: about 2 of 32 an iteration, never 4. */
const NEVER_SOLVED = {
  rules: [below("*/success", 0.06, 8, true)],
  unless: [above(BEST_SUCCESS, 0.12, 1)],
};

/** What another cause explains, and what came before, is a symptom of it. */
const counter = (rule: StoryRule, factor: number) => ({ rule, factor, ever: true }) as const;
const GUESSING = counter(above("actor/entropy", times(1.5), 2), 0.6);
/** In nats: as if among twenty tokens, which no policy does that has a format. A rule of thumb. */
const GUESSES = above("actor/entropy", 3, 3);
const ALWAYS_GUESSED = counter(GUESSES, 0.5);
/** After such a step anything can follow. */
const LEAPT = counter(above("actor/ppo_kl_k3", 0.5, 1), 0.7);
/** Many or long steps along an ordinary gradient: nothing in the loss pushes there. */
const LEAPT_UNPUSHED = { ...LEAPT, unless: above("actor/grad_norm", times(3), 1), factor: 0.75 };
/** Where nothing moves, the critic does not either. */
const STANDS_STILL = {
  rule: below("actor/ppo_kl_k3", 1e-4, 5),
  unless: above("critic/vf_loss", times(5), 2),
  factor: 0.6,
};
/** By an ordinary step the policy moves a few times as far. */
const HARDLY_MOVED = below("actor/ppo_kl_k3", 5e-3, 2);
/** Explained variance of a critic that gives every state the same value, up to rounding. */
const CONSTANT = 1e-3;
const ONE_ANSWER = counter(above("rollout/top_first_response", 0.5, 4), 0.7);
/** Sampled nearly greedily from the start, where nothing shows a change. A rule of thumb. */
const COLD = below(TEMPERATURE, 0.5, 1);
/** The settings push towards guessing as hard as advantages push elsewhere. A rule of thumb. */
const PUSHED = above(BONUS, 0.5, 1);
/** The sampler takes likelier tokens than the policy's distribution has. */
const TOO_SURE = below(DRAWN_SURPRISE, 0.75, 3, true);
/** No learning takes most of the entropy within one iteration: the sampling has changed. */
const COLDER: StoryRule = { ...below("actor/entropy", times(0.4), 1), base: "recent" };
const SAMPLED_COLDER = [counter(COLDER, 0.6), counter(TOO_SURE, 0.6)];
/** Fewer rollouts: what they show by chance changes, too. */
const SMALLER_BATCH = [below(BATCH_TASKS, times(0.5), 2), below(BATCH_EPISODES, times(0.5), 2)];
/** What nobody solves earns the same, and the cheapest failure is the best. */
const TOO_HARD = { rule: below(BEST_SUCCESS, 0.12, 1), factor: 0.6 };
const ANSWERS_VARY = { rule: below("rollout/top_first_response", 0.3, 3), factor: 0.5 };
const NOT_LONGER = below("response_length/mean", times(1.1), 2);

export const CAUSES: Record<CauseName, Cause> = {
  "silent-groups": {
    title: "Groups fall silent",
    says: "Rollouts of a task all earn the same, so a comparison within the group teaches nothing.",
    about: "groups",
    signs: [
      ...doctor("zero-variance", 0.7),
      // A half is the end of the metric's healthy range; with four fifths no score is needed to tell.
      ...[0.5, 0.8].map((share) => ({
        rules: [above("frac_reward_zero_std", share, 5, true)],
        unless: SOLVED,
        family: "zero-variance",
        weight: 0.8,
        ...(share < 0.8 && { mild: true as const }),
      })),
    ],
    against: [
      { rule: above("rollout/filter_kept_ratio", 0.5, 3, true), factor: 0.7 },
      // Colder sampling brings both.
      { ...ONE_ANSWER, unless: COLDER },
      // Responses that are cut off all earn the same.
      counter(above("response_length/clip_ratio", 0.4, 2), 0.7),
      // Levels learned by heart are always solved.
      { rule: above(TRAIN_GAP, 0.1, 3), factor: 0.7 },
      ...SMALLER_BATCH.map((rule) => counter(rule, 0.7)),
      TOO_HARD,
    ],
    shows: "flat-group",
    measuredBy: "rewards of every rollout of a task, recorded with its group",
  },
  "cheap-failures": {
    title: "Divided by a tiny spread",
    says: "Where nobody succeeds only small costs differ, and divided by their spread a cheap failure counts like a success.",
    about: "divisor",
    signs: DOES_LESS,
    against: [
      { rule: above("*/pass@*", times(1.2), 5, true), factor: 0.5 },
      ONE_ANSWER,
      ...SAMPLED_COLDER,
    ],
    shows: "cheapest-failure",
    measuredBy: "the share of groups with a success, and of those without spread",
  },
  "echo-trap": {
    title: "One answer for everything",
    says: "The policy has locked onto one way of answering; rewards and answers no longer spread.",
    signs: [
      // Success may vanish for any reason.
      ...doctor("echo-trap", 0.9).map((sign) =>
        sign.rules.some(({ metric }) => metric.startsWith("val-env/"))
          ? { ...sign, weight: 0.45 }
          : sign,
      ),
      {
        rules: [
          above("rollout/top_first_response", 0.45, 5, true),
          above("rollout/top_first_response", times(2), 5, true),
        ],
        unless: SOLVED,
        family: "echo-trap",
        weight: 0.6,
        mild: true,
      },
    ],
    against: [LEAPT, ...SAMPLED_COLDER, ANSWERS_VARY],
    shows: "commonest-answer",
    measuredBy: "the commonest first response of an iteration",
  },
  "template-collapse": {
    title: "Answers ignore the task",
    says: "Answers vary, but no longer depend on what was asked.",
    signs: doctor("template-collapse", 0.9).map((sign) => ({ ...sign, mild: true })),
    // The information is estimated from few prompts, so that it falls by chance, too.
    against: [GUESSING, LEAPT, { rule: above(RETRIEVED, 1.5, 5, true), factor: 0.3 }],
    shows: "commonest-answer",
    measuredBy: "doctor.crossScoreEvery: each response scored under other prompts",
  },
  "large-steps": {
    title: "Steps too large",
    says: "One iteration moves the policy so far that its ratios mean nothing.",
    signs: [
      ...doctor("ratio-blow-up", 0.8, true),
      { rules: [above(NOT_FINITE, 0, 1)], weight: 0.6, once: true },
      // Much larger than before, though not beyond the doctor's limit.
      {
        rules: [above("actor/ppo_kl_k3", times(10), 1), above("actor/ppo_kl_k3", 0.05, 1)],
        family: "ratio-blow-up",
        weight: 0.5,
        once: true,
      },
      { rules: [above("actor/pg_clipfrac", 0.5, 2)], unless: [HARDLY_MOVED], weight: 0.5 },
      { rules: [above("actor/grad_norm", times(10), 2)], weight: 0.3 },
    ],
    against: [counter(COLD, 0.7), counter(PUSHED, 0.7)],
    shows: "largest-ratio",
    measuredBy: "the KL of an iteration's updates (actor/ppo_kl_k3)",
  },
  "small-steps": {
    title: "The policy hardly moves",
    says: "The learning rate, the clip or the KL penalty leaves the policy where it is.",
    signs: [
      {
        rules: [below("actor/ppo_kl_k3", 1e-4, 5)],
        unless: NO_ADVANTAGE,
        family: "small-steps",
        weight: 0.8,
      },
      {
        rules: [below("policy/approxkl_avg", 1e-4, 5)],
        unless: NO_ADVANTAGE,
        family: "small-steps",
        weight: 0.6,
      },
      // A clip range that holds nearly every token, and a rate that is as good as 0.
      { rules: [above("actor/pg_clipfrac", 0.5, 3), HARDLY_MOVED], weight: 0.6 },
      // So many tokens are clipped by so small a KL only in a far narrower range than the usual 0.2.
      {
        rules: [below(CLIP_WIDTH, 0.15, 3), above("actor/pg_clipfrac", 0.1, 3)],
        family: "actor/pg_clipfrac",
        weight: 0.8,
      },
      // The penalty pulls back what the policy loss asks for. A rule of thumb.
      { rules: [above(KL_SHARE, 0.75, 5, true), HARDLY_MOVED], weight: 0.75 },
      { rules: [below("actor/lr", times(0.01), 5)], weight: 0.7 },
    ],
    against: [],
    shows: "unmoved-turn",
    measuredBy: "the KL of an iteration's updates (actor/ppo_kl_k3)",
  },
  "critic-failure": {
    title: "The critic misleads",
    says: "The critic explains the returns no better than their mean, or its loss drowns the policy's.",
    about: "critic",
    signs: [
      ...doctor("critic-failure", 0.7),
      {
        rules: [below("critic/vf_explained_var", 0.05, 20, true)],
        family: "critic-failure",
        weight: 0.2,
      },
      // Its values are one number: a critic that learns explains a little more or less each time.
      {
        rules: [
          below("critic/vf_explained_var", CONSTANT, 5),
          above("critic/vf_explained_var", -CONSTANT, 5),
        ],
        family: "critic-failure",
        weight: 0.7,
      },
      { rules: [above("critic/grad_norm", 10, 5)], weight: 0.65 },
      { rules: [above("critic/vf_loss", times(5), 3)], weight: 0.5 },
      { rules: [above(VALUE_EXCESS, 1.5, 3)], weight: 0.7 },
      {
        rules: [
          above("critic/grad_norm", times(2), 5, true),
          below("critic/vf_explained_var", 0, 5, true),
        ],
        family: "critic/grad_norm",
        weight: 0.5,
      },
    ],
    against: [
      { rule: above("critic/vf_explained_var", 0.3, 5, true), factor: 0.3 },
      GUESSING,
      STANDS_STILL,
    ],
    shows: "worst-value",
    measuredBy: "explained variance of the critic, or `turnbook oracle` for true values",
  },
  "entropy-crash": {
    title: "Entropy crashes",
    says: "The policy explores too little, or much less than a few iterations ago.",
    signs: [
      ...doctor("entropy-crash", 0.8, true),
      {
        rules: [below("actor/entropy", 0.02, 3)],
        unless: SOLVED,
        family: "entropy-crash",
        weight: 0.6,
      },
      { rules: [TOO_SURE], family: "entropy-crash", weight: 0.65 },
      { rules: [COLD], unless: SOLVED, family: "entropy-crash", weight: 0.65 },
    ],
    against: [],
    shows: "least-entropy",
    measuredBy: "entropy of the sampling distributions (actor/entropy)",
  },
  "entropy-blow-up": {
    title: "Entropy blows up",
    says: "The policy drifts towards guessing at random.",
    signs: [
      ...doctor("entropy-blow-up", 0.9),
      { rules: [above("actor/entropy", times(1.5), 3)], family: "entropy-blow-up", weight: 0.5 },
      // From the start there is nothing to compare with.
      { rules: [GUESSES], family: "entropy-blow-up", weight: 0.75 },
      { rules: [PUSHED, above("actor/entropy", 2, 2)], family: "entropy-blow-up", weight: 0.9 },
    ],
    against: [LEAPT_UNPUSHED],
    shows: "most-entropy",
    measuredBy: "entropy of the sampling distributions (actor/entropy)",
  },
  "length-growth": {
    title: "Responses grow",
    says: "Responses grow until they are cut off.",
    signs: [
      ...doctor("length-explosion", 0.6),
      {
        rules: [above("response_length/mean", times(1.5), 3)],
        family: "length-explosion",
        weight: 0.5,
      },
    ],
    against: [GUESSING, ALWAYS_GUESSED, { rule: NOT_LONGER, factor: 0.4 }],
    shows: "longest-response",
    measuredBy: "tokens of a response, and whether it ended by itself",
  },
  "format-loss": {
    title: "The format is lost",
    says: "Fewer and fewer responses can be read whole as an action.",
    signs: [
      ...["*/action_is_valid", "episode/valid_action_ratio"].map((metric) => ({
        rules: [below(metric, times(0.75), 2)],
        family: "valid",
        weight: 0.6,
      })),
      // Cut off though no longer than before: the limit fell.
      {
        rules: [above("response_length/clip_ratio", 0.4, 2), NOT_LONGER],
        family: "cut off",
        weight: 0.7,
      },
    ],
    against: [GUESSING, ALWAYS_GUESSED],
    shows: "invalid-turn",
    measuredBy: "whether each response was a valid action",
  },
  "sampler-mismatch": {
    title: "Sampler and trainer disagree",
    says: "The sampler's probabilities are not those that training computes.",
    signs: [
      { rules: [above("training/rollout_probs_diff_mean", 0.01, 3)], weight: 0.8 },
      { rules: [above("rollout_corr/k3_kl", 0.01, 3)], weight: 0.7 },
      { rules: [above("rollout_corr/ppl_ratio", 1.1, 3)], weight: 0.5 },
      { rules: [below("rollout_corr/rollout_is_eff_sample_size", 0.8, 3)], weight: 0.5 },
    ],
    against: [],
    shows: "largest-ratio",
    measuredBy: "the sampler's own log-probabilities beside those of the training pass",
  },
  "reference-drift": {
    title: "Far from the reference",
    says: "The policy has drifted far from the model it is held to.",
    signs: [
      { rules: [above("actor/kl_loss", 0.5, 3)], weight: 0.6 },
      { rules: [above("actor/reward_kl_penalty", 0.5, 3)], weight: 0.6 },
    ],
    against: [],
    shows: "farthest-from-reference",
    measuredBy: "a reference model: betaKl above 0",
  },
  "reward-hacking": {
    title: "Reward without success",
    says: "The trained reward rises while success falls.",
    isFall: true,
    signs: [
      ...["critic/score/mean", "process/mean"].map((reward) => ({
        rules: [above(reward, { sigmas: 3 }, 3, true), below("*/success", times(0.8), 3, true)],
        weight: 0.8,
      })),
      // Within the first iterations, which are no level to compare with.
      {
        rules: [
          { ...above("critic/score/mean", { sigmas: 3 }, 5, true), base: "start" },
          { ...below("*/success", times(0.5), 5, true), base: "start" },
        ],
        family: "critic/score/mean",
        weight: 0.8,
      },
      { rules: [above(PAY_SHARE, 0.33, 5, true)], weight: 0.5 },
      // Whatever is learned then is not the task.
      { rules: [below(PAID_SUCCESS, 0, 5, true)], weight: 0.9 },
    ],
    against: [],
    shows: "paid-failure",
    measuredBy: "success beside the reward that is trained on",
  },
  "low-signal": {
    title: "Little signal in a batch",
    says: "So few episodes differ that an update mostly follows noise.",
    signs: [
      { rules: [below("actor/alignment", 0.02, 5, true)], weight: 0.6 },
      { rules: [below(BATCH, 8, 3)], family: "batch", weight: 0.75 },
      ...SMALLER_BATCH.map((rule) => ({ rules: [rule], family: "batch", weight: 0.8 })),
    ],
    against: [GUESSING],
    shows: "failure",
    measuredBy:
      "evaluation.alignment, or `turnbook gradient` for the signal-to-noise ratio by batch size",
  },
  "too-hard": {
    title: "Tasks too hard",
    says: "Nearly every attempt has failed from the start, so there is nothing to learn from.",
    signs: [{ ...NEVER_SOLVED, weight: 0.75 }],
    against: [
      // Some environments pay for parts of a task.
      { rule: above("critic/score/mean", { sigmas: 3 }, 5), factor: 0.5 },
      ALWAYS_GUESSED,
    ],
    shows: "failure",
    measuredBy: "success of every episode",
  },
  "short-sight": {
    title: "Credit stops short",
    says: "Credit fades within a turn or two, so early turns learn nothing from the end.",
    signs: [{ rules: [below(FIRST_CREDIT, 0, 8, true)], weight: 0.65 }],
    // Answers that hardly vary correlate with little.
    against: [counter(TOO_SURE, 0.6)],
    shows: "first-turn",
    measuredBy: "the first turn's advantage in recorded episodes of three turns or more",
  },
  memorised: {
    title: "Learned by heart",
    says: "Success rises on training tasks only.",
    about: "repeated",
    isFall: true,
    signs: [
      {
        rules: [above(TRAIN_GAP, 0.15, 2), above("*/success", { sigmas: 1 }, 5, true)],
        weight: 0.8,
      },
      // It held in training what it lost elsewhere.
      {
        rules: [above(TRAIN_GAP, 0.1, 3), above("*/success", times(0.9), 5, true)],
        family: TRAIN_GAP,
        weight: 0.7,
      },
    ],
    against: [{ rule: above("val-env/*/success", times(1.3), 2), factor: 0.4 }],
    shows: "success",
    measuredBy: "success on held-out levels: evaluation.levels above 0",
  },
  "masked-tokens": {
    title: "Tokens without gradient",
    says: "Tokens that the policy chose get no gradient although their turn has credit.",
    signs: [
      {
        rules: [below("actor/grad_norm", 1e-6, 2), above("critic/advantages/max", 0.01, 2)],
        weight: 0.8,
      },
      { rules: [above(UNTRAINED_TOKENS, 0.2, 1)], weight: 0.7 },
    ],
    against: [],
    shows: "untrained-turn",
    measuredBy: "the advantage of each recorded token",
  },
  "stale-batch": {
    title: "The batch is stale",
    says: "The batch comes from an older policy than the one it updates.",
    signs: [{ rules: [above(STALE_TOKENS, 0.2, 1)], weight: 0.8 }],
    against: [],
    shows: "largest-ratio",
    measuredBy: "the log-ratios of each iteration's first step, recorded with its updates",
  },
};
