/** Words of the formula panel. */
import { formatNumber, shorten } from "../../charts/format.ts";
import { wordAxes, type Aggregation } from "../../spec/axes.ts";
import type { KeyOf } from "../../ui/actionKeys.ts";
import type { StepId } from "./stepIds.ts";
import type { Branches } from "./clipBranches.ts";
import { counted } from "../../numeric/counted.ts";

const STEPS: Record<StepId, { name: string; about: string }> = {
  rollout: {
    name: "Rollout",
    about:
      "The policy of that moment writes the response token by token. How likely each token was is kept: later it is compared with.",
  },
  reward: { name: "Reward", about: "What the environment pays for the turn." },
  value: {
    name: "Value",
    about: "What was to be expected: a critic’s guess, or what other rollouts of the task earned.",
  },
  tdError: {
    name: "TD error",
    about: "How much better one step went than the critic had expected.",
  },
  advantage: {
    name: "Advantage",
    about: "The credit: plus makes the response more likely, minus less likely.",
  },
  ratio: {
    name: "Ratio",
    about: "How many times more likely the same words have become since they were written.",
  },
  clip: {
    name: "Clip",
    about:
      "The smaller of two sides counts, so that a ratio that has gone far enough earns no more.",
  },
  loss: { name: "Loss", about: "All units together, each with its weight." },
  update: {
    name: "Update",
    about:
      "Which way this token pulls the model’s weights, how the critic learns, and what came of all pulls together.",
  },
};

const NONE: Partial<Record<StepId, string>> = {
  value: "This row has no critic and compares with nothing.",
  tdError: "Without a critic there is no TD error: the advantage is formed from rewards alone.",
  ratio: "This row takes no ratio: it learns from an episode once, while it is fresh.",
};

const WINNER: Record<Branches["winner"], string> = {
  equal: "Both sides are equal: the ratio is inside its range, and nothing is cut.",
  free: "The first side wins (boxed): the ratio is outside of its range, but on the side that must be corrected, so nothing is cut.",
  held: "The clipped side wins (boxed): the ratio has gone far enough, and the gradient is cut.",
  floor:
    "The dual clip decides: for a negative advantage the loss is held, and the gradient is cut.",
};

export const words = {
  noTurns: "This episode has no turns: there is nothing to put into a formula.",
  fork: "No update has used this fork, so there is no ratio, no clip and no loss.",
  emptyTurn:
    "This turn has no recorded tokens, which ratio and loss are made of. Choose another one.",
  algorithm: "Algorithm",
  at: (turn: number, token: string | null) =>
    token === null
      ? `Turn ${turn}, as a whole (token: its last)`
      : `Turn ${turn}, token “${token}”`,
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
    "≈ says that a number is written with fewer digits than it has: what is computed is computed with all of them.",
    "In a formula, ← and → go from term to term, and Enter holds one; Escape lets go.",
    "A number in the small tables: a click goes to its turn, token or rollout.",
  ],
  winner: WINNER,
  over: (episodes: number) => `Over ${counted(episodes, "recorded episode")} of this iteration.`,
  averaged: (mode: Aggregation) => `Averaged by “${mode}”: ${wordAxes.aggregation.values[mode]}.`,
  turnsOverTokens:
    "The divisor counts a rollout’s tokens although the sum is over its turns: Turn-PPO’s paper has it so. A turn weighs less in a rollout of many tokens; with “traj-turn-mean” it would be divided by the number of turns.",
  filtered:
    "The filter leaves this episode’s group out: its advantages are 0, whatever the formula gives.",
  trained: (advantage: string) =>
    `Training used ${advantage} (over all episodes of the iteration).`,
  cutInTraining: (cut: boolean) =>
    cut
      ? "In training the clip cut this turn, when it was last used."
      : "In training the clip did not cut this turn, when it was last used.",
  push: (gradient: number) =>
    gradient === 0
      ? "The gradient is 0: this token itself pulls in neither direction. Others still move it: all tokens share the model’s weights, and an entropy bonus acts on every one."
      : `${gradient > 0 ? "Plus: this token pulls towards becoming more likely" : "Minus: this token pulls towards becoming less likely"}. What it becomes, the others decide too: all tokens share the model’s weights.`,
  update: {
    title: "What the log knows of this iteration’s steps",
    lines: {
      token: "This token’s probability",
      actorRate: "Learning rate of the policy",
      actorNorm: "Norm of the policy’s gradient",
      criticLoss: "The critic’s loss",
      criticRate: "Learning rate of the critic",
      criticNorm: "Norm of the critic’s gradient",
    },
    token: (before: string, after: string) =>
      `${before} when it was sampled, ${after} when it was last used in an update`,
    rate: (x: string) => x,
    norm: (x: string, limit: string | null) =>
      `${x}, the mean over the steps` +
      (limit === null ? "" : `; a step’s gradient beyond ${limit} is scaled down to ${limit}`),
    loss: (x: string, scale: string | null) =>
      `${x}, the mean over the steps` + (scale === null ? "" : `; of rewards times ${scale}`),
    after:
      "“Last used” is before the step of that last use itself: what that one made of the token is not in the log.",
    untrained:
      "This row was not trained on these episodes: the method that played them moved the token, and no step is known of this row.",
  },
  uncorrected:
    "Training divides this gradient by |C|, the size of what the clip cut. That size is over the model’s parameters, so it is known only while training: the number above is before the division.",
  corrected: (denominator: string) =>
    `Divided by ${denominator} already: the correction for what the clip cut.`,
  dualUnused: "The last line does not apply: the advantage is not negative.",
  dualIdle: (floor: string) =>
    `The last line changes nothing: the objective is not below its limit of ${floor}.`,
  numbers: "Where each number comes from",
  hint: "Point at a part of a formula: lines lead to where its number came from. A click holds it.",
  said: (name: string, value: string, from: string) => `${name}: ${value} (${from})`,
  used: (names: readonly string[]) => `Used for: ${names.join("; ")}`,
  symbol: "Symbol",
  meaning: "Meaning",
  value: "Value",
  origin: "Comes from",
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
  wrote: "wrote",
  nothing: "(nothing)",
  from: {
    paid: "paid by the environment, in the log",
    paidLessKl: "paid by the environment, less the KL to the reference",
    critic: "the run’s critic, before the update",
    logprob: "the log: when the episode was last used in an update",
    oldLogprob: "the log: before the first update",
    reference: "the log: under the reference policy",
    greedy: "the log: a greedy rollout of the same task",
    gain: "the log: measured for training",
    computed: "computed, by the line that starts with it",
    pooled: "from the log-ratios of all tokens in it",
    rewards: "the rewards of all turns, added up",
    lastReward: "the reward of the last turn",
    counted: "counted",
    aggregation: "the way the loss is averaged",
    end: "after the last step: 0, or the bootstrap where the episode was cut off",
    turnEnd: "0: nothing is looked at beyond the turn",
    nextTurn: "the next turn",
    nextToken: "the next token",
    notRecorded: "not recorded",
    notUsed: "not used for this turn",
    engine: "known only while training",
    batch: "over all recorded episodes",
    training: (episodes: number | null) =>
      `over all ${episodes === null ? "" : `${episodes} `}episodes of the iteration, from the log`,
    group: (n: number) =>
      n === 1 ? "alone in its group" : `the ${n} recorded rollouts of the task`,
    /** Of a spread that 10⁻⁶ is added to. */
    scaled: (from: string, rewardScale: number) =>
      rewardScale === 1
        ? from
        : `${from}; training multiplies rewards by ${rewardScale}, so that 10⁻⁶ weighs ${shorten(formatNumber(1 / rewardScale))} times as much`,
    others: (n: number) => (n === 0 ? "there is no other rollout" : `the ${n} other rollouts`),
    lengths: (n: number) => `the ${n} rollouts of the task, weighted by their tokens`,
    sameNumber: (n: number) => `${n} turns of the same number in the group`,
    sameState: (n: number) => `${n} turns of the group from the same state`,
    setting: (name: string) => `the setting ${name}`,
  },
} as const;
