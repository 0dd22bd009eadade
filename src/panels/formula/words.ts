/** Words of the formula panel. */
import { formatNumber, shorten } from "../../numeric/format.ts";
import { aggregations, type Aggregation } from "../../method/objective/aggregate.ts";
import type { KeyOf } from "../../ui/actionKeys.ts";
import type { StepId } from "./stepIds.ts";
import type { RowKind } from "../../spec/definitions.ts";
import type { Branches } from "../../method/clip/clipRule.ts";
import { counted } from "../../numeric/counted.ts";

const STEPS: Record<StepId, { name: string; about: string }> = {
  rollout: {
    name: "Rollout",
    about:
      "The current policy samples the response token by token. Each token's probability is stored, for comparison in later updates.",
  },
  reward: { name: "Reward", about: "The environment's reward for the turn." },
  value: {
    name: "Value",
    about:
      "The expected return: a critic’s prediction, or the rewards of other rollouts of the task.",
  },
  tdError: {
    name: "TD error",
    about: "How much better one step was than the critic expected.",
  },
  advantage: {
    name: "Advantage",
    about: "Credit: plus makes the response likelier, minus less likely.",
  },
  ratio: {
    name: "Ratio",
    about: "How many times more likely the same response has become since sampling.",
  },
  clip: {
    name: "Clip",
    about: "The smaller of two sides counts, so a clipped ratio gains nothing more.",
  },
  loss: { name: "Loss", about: "The weighted sum over all units." },
  update: {
    name: "Update",
    about:
      "The direction of this token’s gradient, the critic’s learning, and the combined result.",
  },
};

const NONE: Partial<Record<StepId, string>> = {
  value: "This row has no critic and no baseline.",
  tdError: "No TD errors without a critic: advantages come from rewards alone.",
  ratio: "This row uses no ratio: it learns once from each fresh episode.",
};

const WINNER: Record<Branches["winner"], string> = {
  equal: "Both sides are equal: the ratio is within its range. Not clipped.",
  free: "The first side wins (boxed): the ratio is outside its range, on the side to correct. Not clipped.",
  held: "The clipped side wins (boxed). Clipped: zero gradient.",
  floor: "Dual clip limits the loss at a negative advantage. Clipped: zero gradient.",
};

export const words = {
  noTurns: "This episode has no turns, so the formula has no values.",
  own: {
    code: (kind: RowKind, name: string) => `Your code: ${name} (${kind})`,
    cell: "Go to its cell",
    absent: "This run does not carry the code.",
  },
  fork: "No update used this fork, so it has no ratio, clip or loss.",
  emptyTurn: "This turn has no recorded tokens, so no ratio and no loss. Choose another.",
  algorithm: "Algorithm",
  at: (turn: number, token: string | null) =>
    token === null ? `Turn ${turn}, whole turn (last token)` : `Turn ${turn}, token “${token}”`,
  steps: STEPS,
  noFormula: NONE,
  all: "All at once",
  stepsName: "Steps",
  stepOf: (i: number, n: number) => `Step ${i} of ${n}`,
  next: { name: "Next step", label: "→" },
  previous: { name: "Back one step", label: "←" },
  keys: (keyOf: KeyOf) =>
    `Keys: ${keyOf("nextStep")} goes to the next step, ${keyOf("previousStep")} back; ${keyOf("nextTurn")} and ${keyOf("previousTurn")} go from turn to turn, ${keyOf("nextToken")} and ${keyOf("previousToken")} from token to token.`,
  notes: [
    "≈ marks a rounded number; computations use full precision.",
    "In a formula, ← and → move between terms, Enter pins one and Escape releases it.",
    "Click a number in a small table to go to its turn, token or rollout.",
  ],
  winner: WINNER,
  noSides: "The advantage is 0, so both sides are 0, wherever the ratio is. Not clipped.",
  over: (episodes: number) => `Over ${counted(episodes, "recorded episode")} of this iteration.`,
  averaged: (mode: Aggregation) => `Averaged by “${mode}”: ${aggregations[mode].about}.`,
  filtered:
    "The filter drops this episode’s group: its advantages are 0, whatever the formula gives.",
  trained: (advantage: string) =>
    `Training used ${advantage} (over all episodes of the iteration).`,
  cutInTraining: (cut: boolean) =>
    cut
      ? "In training this turn was clipped at its last use."
      : "In training this turn was not clipped at its last use.",
  push: (gradient: number) =>
    gradient === 0
      ? "The gradient of this token is 0. Its probability still changes: all tokens share the model’s weights, and an entropy bonus acts on each."
      : `${gradient > 0 ? "Plus: the gradient makes this token likelier" : "Minus: the gradient makes this token less likely"}. Other tokens also affect its probability: all share the model’s weights.`,
  update: {
    title: "This iteration’s optimiser steps, from the log",
    lines: {
      token: "This token’s probability",
      actorRate: "Learning rate of the policy",
      actorNorm: "Norm of the policy’s gradient",
      criticLoss: "The critic’s loss",
      criticRate: "Learning rate of the critic",
      criticNorm: "Norm of the critic’s gradient",
      regulariser: "What your regulariser adds to the loss",
    },
    token: (before: string, after: string) =>
      `${before} when it was sampled, ${after} when it was last used in an update`,
    rate: (x: string) => x,
    regulariser: (x: string) => `${x}, the mean over the steps`,
    norm: (x: string, limit: string | null) =>
      `${x}, the mean over the steps` +
      (limit === null ? "" : `; a step’s gradient beyond ${limit} is scaled down to ${limit}`),
    loss: (x: string, scale: string | null) =>
      `${x}, the mean over the steps` + (scale === null ? "" : `; of rewards times ${scale}`),
    after:
      "“Last used” is the state before that last step; the log does not have the state after it.",
    untrained: "This row was not trained on these episodes, so its optimiser steps are unknown.",
  },
  uncorrected:
    "Training divides this gradient by |C|, the norm of the clipped part over the model’s parameters. It is known only during training, so the number above is undivided.",
  corrected: (denominator: string) =>
    `Already divided by ${denominator}, the correction for the clipped part.`,
  dualUnused: "The last line does not apply: the advantage is not negative.",
  dualIdle: (floor: string) =>
    `The last line changes nothing: the objective is not below its limit of ${floor}.`,
  numbers: "Where each number comes from",
  hint: "Point at part of a formula to draw lines to its sources. Click to pin.",
  said: (name: string, value: string, from: string) => `${name}: ${value} (${from})`,
  used: (names: readonly string[]) => `Used for: ${names.join("; ")}`,
  symbol: "Symbol",
  meaning: "Meaning",
  value: "Value",
  origin: "Source",
  unknown: "–",
  turns: "Turns of the episode",
  tokens: (turn: number) => `Tokens of turn ${turn}`,
  group: "Rollouts of the task",
  goTurn: (turn: number) => `Go to turn ${turn}`,
  goToken: (token: number) => `Go to token ${token}`,
  goRollout: (rollout: string) => `Go to rollout ${rollout}`,
  turn: "Turn",
  token: "Token",
  rollout: "Rollout",
  results: {
    title: "Results",
    names: {
      rollout: "",
      reward: "",
      value: "",
      tdError: "",
      advantage: "Advantage",
      ratio: "Ratio",
      clip: "Clip",
      loss: "Loss",
      update: "Gradient",
    } satisfies Record<StepId, string>,
    clipped: "clipped",
  },
  wrote: "wrote",
  more: (letters: number) => `… and ${letters} more letters`,
  nothing: "(nothing)",
  from: {
    paid: "environment reward, from the log",
    paidLessKl: "environment reward minus the KL to the reference",
    critic: "the run’s critic, before the update",
    logprob: "from the log: at the episode’s last use in an update",
    oldLogprob: "from the log: before the first update",
    reference: "from the log: under the reference policy",
    greedy: "from the log: a greedy rollout of the same task",
    gain: "from the log: measured for training",
    rolloutLogprob: "from the log: the sampler’s own",
    sumPiSquared: "from the log: measured for training",
    computed: "computed by the line that starts with it",
    pooled: "from the log-ratios of all tokens in it",
    rewards: "the sum of all turns’ rewards",
    lastReward: "the reward of the last turn",
    counted: "counted",
    aggregation: "how the loss is averaged",
    end: "after the last step: 0, or the bootstrap value if cut off",
    turnEnd: "0: nothing beyond the turn counts",
    nextTurn: "the next turn",
    nextToken: "the next token",
    notRecorded: "not recorded",
    notUsed: "not used for this turn",
    engine: "known only during training",
    batch: "over all recorded episodes",
    training: (episodes: number | null) =>
      `over all ${episodes === null ? "" : `${episodes} `}episodes of the iteration, from the log`,
    group: (n: number) =>
      n === 1 ? "alone in its group" : `the ${n} recorded rollouts of the task`,
    /** For a spread that 10⁻⁶ is added to. */
    scaled: (from: string, rewardScale: number) =>
      rewardScale === 1
        ? from
        : `${from}; training multiplies rewards by ${rewardScale}, so that 10⁻⁶ weighs ${shorten(formatNumber(1 / rewardScale))} times as much`,
    others: (n: number) => (n === 0 ? "no other rollout" : `the ${n} other rollouts`),
    lengths: (n: number) => `the ${n} rollouts of the task, weighted by their tokens`,
    sameNumber: (n: number) => `${n} turns of the same number in the group`,
    sameState: (n: number) => `${n} turns of the group from the same state`,
    setting: (name: string) => `the setting ${name}`,
  },
} as const;
