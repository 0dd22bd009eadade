/**
 * What code that an experiment defines is given and what it returns, kind by kind. Lists of numbers are Float64Arrays
 * inside the code, and may be returned as plain lists. Rewards, values, advantages and returns of estimators are counted
 * in scaled rewards (optimisation.rewardScale), everything else in the environment's.
 */
import type { DefinitionRef } from "../spec/definitions.ts";

/** What an estimator sees of one episode of K turns and N tokens. */
export interface EstimatorEpisode {
  /** The task; episodes of equal number played the same one. */
  group: number;
  /** Whether the environment ended it; a truncated one goes on with `bootstrap`. */
  terminated: boolean;
  /** V after the last turn; 0 where the environment ended it. */
  bootstrap: number;
  /** Score of a greedy rollout of the task, where the row asks for one. */
  greedyScore?: number;
  turns: {
    /** All that was paid within the turn. [K] */
    rewards: Float64Array;
    /** V(s_h) before the turn; null where the row's critic has none for turns. [K] */
    values: Float64Array | null;
    /** Tokens of each turn. [K] */
    lengths: Float64Array;
    /** Names of the states before turns as whole numbers, where the row asks for them. [K] */
    anchors?: Float64Array;
    /** What each turn gained, where the row asks for it. [K] */
    gains?: Float64Array;
  };
  tokens: {
    /** A turn's reward stands at its last token. [N] */
    rewards: Float64Array;
    /** V of the prefix before the token; null where the row's critic has none for tokens. [N] */
    values: Float64Array | null;
    /** Turn of each token. [N] */
    turns: Float64Array;
    /** Log-prob when sampled; null where a batch lacks it. [N] */
    logprobs: Float64Array | null;
  };
}

/** `export function estimate(input)`; everything that the row's settings say is in `settings`, by name. */
export interface EstimatorInput {
  episodes: EstimatorEpisode[];
  gamma: number;
  lambda: number;
  settings: Record<string, number | string | null>;
}

/**
 * One for each episode, before any normalisation: advantages of turns, or of tokens (a turn's is then the mean over its
 * tokens). Returns are what the critic learns: of turns where it is one of turns, of tokens where it is one of tokens.
 */
export interface EstimatorEpisodeResult {
  /** [K] */
  advantages?: ArrayLike<number>;
  /** [K] */
  returns?: ArrayLike<number>;
  /** [N] */
  tokenAdvantages?: ArrayLike<number>;
  /** [N] */
  tokenReturns?: ArrayLike<number>;
  /** TD errors of the critic's steps, for the metrics alone. [K] */
  deltas?: ArrayLike<number>;
  /** [N] */
  tokenDeltas?: ArrayLike<number>;
}

/** As an argument of code: a function `draw()` that gives uniform numbers in [0, 1), keyed by where it is used. */
export interface DrawArgument {
  /** A key of `numeric/rng.ts` without its step. */
  drawKey: { seed: number; stream: string; iteration: number; trajectory: number };
}

/** `export function reward(turn)`: a number, or one for each action, which are added up; in the environment's units. */
export interface RewardInput {
  /** What the turn was asked with, and what came next. */
  observation: string;
  next: string;
  /** As the environment got it. */
  response: string;
  /** Names of the executed actions. */
  actions: readonly string[];
  /** What the environment pays, the format penalty included. */
  reward: number;
  formatPenalty: number;
  /** Whether the episode ended with this turn, by the environment or by a limit. */
  done: boolean;
  terminated: boolean;
  truncated: boolean;
  success: boolean;
  /** Whatever else the environment reports. */
  info: unknown;
}

/** `export function segment(episode)`: the first token of each segment, 0 first, rising. */
export interface SegmentInput {
  turns: {
    /** First token of each of the environment's turns. [K] */
    starts: Float64Array;
    /** Scaled. [K] */
    rewards: Float64Array;
  };
  tokens: {
    /** N */
    count: number;
    /** When sampled. [N] */
    logprobs: Float64Array;
    /** Of the distribution each token was drawn from, in nats. [N] */
    entropies: Float64Array;
    /** V of the prefix before the token; null without a critic. [N] */
    values: Float64Array | null;
  };
}

/** `export function respond(moment)`: the response, as "Up || Left" or as a list of names; null gives up. */
export interface ExpertInput {
  observation: string;
  /** The environment's snapshot: its own data. */
  state: unknown;
  /** What can be said, where that is a short list. */
  actions: readonly string[];
  /** From 0. */
  turn: number;
  draw: DrawArgument;
}

/**
 * What `step(state, response, draw)` of an environment returns; `reset(task, draw)` gives the first state, `observe(state)`
 * its text. States are plain data: all that is remembered stands in them. Only a step ends an episode, so that the first
 * state must not hold the goal: its first step would be paid for it.
 */
export interface DefinedStep {
  state: unknown;
  /** In the environment's units, without the format penalty. */
  reward: number;
  done: boolean;
  /** Absent: false. */
  success?: boolean;
}

/** Code that can be called. What it returns is data that the caller checks. */
export interface DefinedCode extends DefinitionRef {
  has(name: string): boolean;
  /** @throws InputError with the definition's name and the line. */
  call(name: string, ...args: readonly unknown[]): unknown;
}

/** An experiment's definitions, read and ready; whoever runs training hands them in. */
export interface DefinedCodes {
  /** @throws InputError where the experiment has no such definition. */
  get(ref: DefinitionRef): DefinedCode;
}
