/**
 * Input and output of the code that an experiment defines, by kind. Lists of numbers are
 * Float64Arrays inside the code, and may be returned as plain lists. Rewards, values, advantages
 * and returns of estimators are in scaled rewards (optimisation.rewardScale), everything else in
 * the environment's units.
 */
import type { DefinitionKind, DefinitionRef } from "../spec/definitions.ts";

/** What an estimator sees of one episode of K turns and N tokens. */
export interface EstimatorEpisode {
  /** The task; episodes with the same number played the same one. */
  group: number;
  /** Whether the environment terminated it; a truncated one continues with `bootstrap`. */
  terminated: boolean;
  /** V after the last turn; 0 if the environment terminated it. */
  bootstrap: number;
  /** Score of a greedy rollout of the task, if the row needs one. */
  greedyScore?: number;
  turns: {
    /** Total reward within the turn. [K] */
    rewards: Float64Array;
    /** V(s_h) before the turn; null if the row's critic has none for turns. [K] */
    values: Float64Array | null;
    /** Tokens of each turn. [K] */
    lengths: Float64Array;
    /** Names of the states before turns as integers, if the row needs them. [K] */
    anchors?: Float64Array;
    /** Gain of each turn, if the row needs it. [K] */
    gains?: Float64Array;
  };
  tokens: {
    /** A turn's reward is at its last token. [N] */
    rewards: Float64Array;
    /** V of the prefix before the token; null if the row's critic has none for tokens. [N] */
    values: Float64Array | null;
    /** Turn of each token. [N] */
    turns: Float64Array;
    /** Log-prob when sampled; null if a batch lacks it. [N] */
    logprobs: Float64Array | null;
  };
}

/** All the row's settings, by name. */
export type RowSettings = Record<string, number | string | null>;

/** `export function estimate(input)`. */
export interface EstimatorInput {
  episodes: EstimatorEpisode[];
  gamma: number;
  lambda: number;
  settings: RowSettings;
}

/**
 * One for each episode, before any normalisation: advantages of turns, or of tokens (a turn's is
 * then the mean over its tokens). Returns are the critic's targets: of turns for a turn critic, of
 * tokens for a token critic.
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
  /** TD errors of the critic's steps, used only for metrics. [K] */
  deltas?: ArrayLike<number>;
  /** [N] */
  tokenDeltas?: ArrayLike<number>;
}

/** `export function ratio(input)`: one `OwnRatio` for each unit: a token, a turn or a trajectory, as the row's ratio covers. */
export interface OwnRatioInput {
  /** log pi - log pi_old of each token of each unit, from -20 to 20. [U][n_u] */
  units: Float64Array[];
  settings: RowSettings;
}

export interface OwnRatio {
  /** Positive. */
  value: number;
  /** By each token's log-ratio. [n_u] */
  derivative: ArrayLike<number>;
}

/** `export function clip(input)`: what each unit adds to the objective, which the update increases. */
export interface OwnClipInput {
  /** [U] */
  ratio: Float64Array;
  /** A longer unit has the mean of its tokens. [U] */
  advantage: Float64Array;
  settings: RowSettings;
}

export interface OwnClip {
  /** [U] */
  value: ArrayLike<number>;
  /** By the ratio; 0 where the unit is clipped. [U] */
  derivative: ArrayLike<number>;
}

/** `export function aggregate(input)`: for each episode the weight of each of its tokens' losses, at least 0. [B][N] */
export interface OwnAggregationInput {
  episodes: {
    /** Tokens of each turn. [K] */
    lengths: Float64Array;
  }[];
  /** Counts of the whole optimiser step, of which the episodes may be a part. */
  totals: { episodes: number; turns: number; tokens: number };
  settings: RowSettings;
}

/** `export function keep(input)`: for each episode whether it takes part in the updates. [B] */
export interface OwnFilterInput {
  episodes: {
    /** The task; episodes with the same number played the same one. */
    group: number;
    /** Sum of its rewards, without a KL. */
    score: number;
    /** Null if a batch does not say. */
    success: boolean | null;
    /** Total reward of each turn. [K] */
    rewards: Float64Array;
    /** Tokens of each turn. [K] */
    lengths: Float64Array;
  }[];
  settings: RowSettings;
}

/**
 * `export function regularise(input)`: what each token adds to the loss, which the update decreases. It depends on that token
 * alone, and is weighted as the policy's loss is.
 */
export interface OwnRegulariserInput {
  /** Under the policy that is updated. [N] */
  logprobs: Float64Array;
  /** Under the policy that played. [N] */
  old: Float64Array;
  /** Under the first policy. [N] */
  reference: Float64Array;
  /** Of each token's distribution, in nats. [N] */
  entropies: Float64Array;
  settings: RowSettings;
}

export interface OwnRegulariser {
  /** [N] */
  value: ArrayLike<number>;
  /** By the token's log-prob. [N] */
  derivative: ArrayLike<number>;
  /** By the token's entropy; absent: 0. [N] */
  entropyDerivative?: ArrayLike<number>;
}

/** As an argument of code: a function `draw()` that returns uniform numbers in [0, 1), keyed by its use. */
export interface DrawArgument {
  /** A key of `numeric/rng.ts` without its step. */
  drawKey: { seed: number; stream: string; iteration: number; trajectory: number };
}

/** `export function reward(turn)`: a number, or one for each action, which are summed; in the environment's units. */
export interface RewardInput {
  /** The turn's query, and the next one. */
  observation: string;
  next: string;
  /** As passed to the environment. */
  response: string;
  /** Names of the executed actions. */
  actions: readonly string[];
  /** The environment's reward, including the format penalty. */
  reward: number;
  formatPenalty: number;
  /** Whether the episode ended with this turn, terminated or truncated. */
  done: boolean;
  terminated: boolean;
  truncated: boolean;
  success: boolean;
  /** Other information reported by the environment. */
  info: unknown;
}

/** `export function segment(episode)`: the first token of each segment, 0 first, ascending. */
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
    /** Of the distribution that each token was sampled from, in nats. [N] */
    entropies: Float64Array;
    /** V of the prefix before the token; null without a critic. [N] */
    values: Float64Array | null;
  };
}

/** `export function prompt(moment)`: the text of the user's message before a turn, for models that read text. */
export interface PromptInput {
  /** The message that is replaced: rules first, or the last reward, then state, what is left, and the form of the answer. */
  usual: string;
  observation: string;
  /** From 0. */
  turn: number;
  turnsLeft: number;
  actionsLeft: number;
  /** The turns before this one. */
  history: readonly EarlierTurn[];
}

/** A turn of an episode, as code sees it. */
export interface EarlierTurn {
  observation: string;
  /** As passed to the environment. */
  response: string;
  /** Names of the executed actions. */
  actions: readonly string[];
  /** In the environment's units, including the format penalty. */
  reward: number;
}

/** `export function respond(moment)`: the response, as "Up || Left" or as a list of names; null gives up. */
export interface ExpertInput {
  observation: string;
  /** The environment's snapshot: its own data. */
  state: unknown;
  /** Possible actions, if that is a short list. */
  actions: readonly string[];
  /** From 0. */
  turn: number;
  draw: DrawArgument;
}

/**
 * The result of an environment's `step(state, response, draw)`; `reset(task, draw)` returns the
 * first state, `observe(state)` its text. States are plain data and contain everything to remember.
 * Only a step ends an episode, so the first state must not be a goal: its first step would be
 * rewarded for it.
 */
export interface DefinedStep {
  state: unknown;
  /** In the environment's units, without the format penalty. */
  reward: number;
  done: boolean;
  /** Absent: false. */
  success?: boolean;
}

/** What the code of each kind of definition must export. */
export const DEFINITION_EXPORTS: Readonly<Record<DefinitionKind, readonly [string, ...string[]]>> =
  {
    reward: ["reward"],
    estimator: ["estimate"],
    ratio: ["ratio"],
    clip: ["clip"],
    aggregation: ["aggregate"],
    filter: ["keep"],
    regulariser: ["regularise"],
    segmentation: ["segment"],
    environment: ["reset", "step", "observe"],
    prompt: ["prompt"],
    expert: ["respond"],
  };

/** Callable code. It returns data that the caller checks. */
export interface DefinedCode extends DefinitionRef {
  has(name: string): boolean;
  /** @throws InputError with the definition's name and the line. */
  call(name: string, ...args: readonly unknown[]): unknown;
}

/** An experiment's definitions, read and ready; the caller of training provides them. */
export interface DefinedCodes {
  /** @throws InputError if the experiment has no such definition. */
  get(ref: DefinitionRef): DefinedCode;
}
