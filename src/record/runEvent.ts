/**
 * The output of a run: an append-only log of events. Panels, recordings, the command line and the
 * fingerprint all use exactly these.
 *
 * Clock readings are under `time` and nowhere else; `chain` links each event to all before it.
 */
import type { ExperimentSpec } from "../spec/experiment.ts";

/** Metric names are verl's. null marks a number that was not finite: a crash, never an average. */
export type Metrics = Record<string, number | null>;

/** Metrics that are all known. */
export type KnownMetrics = Record<string, number>;

interface EventBase {
  /** Lower-case hex SHA-256 of the previous chain (empty at first) and this event's canonical JSON. */
  chain: string;
  /** Everything that depends on the clock. */
  time: { at: string; seconds?: number } & Record<string, number | string>;
}

/** First event: the experiment, and the engine. */
export interface StartEvent extends EventBase {
  type: "start";
  /** Format of the log. */
  format: 1;
  /** Version of Turnbook. */
  version: string;
  spec: ExperimentSpec;
  engine: { engine: string; backend: string; adapter: string; reproducible: string };
  /** Trainable parameters of one model, including its value head. */
  parameters: number;
}

/** Source of the initial weights; for cloning, its progress. */
export interface WarmStartEvent extends EventBase {
  type: "warmStart";
  source: "checkpoint" | "clone" | "none";
  /** Supervised updates done (cloning). */
  step: number;
  steps: number;
  metrics: Metrics;
}

/** Scores on held-out levels. Iteration 0 is before the first update. */
export interface EvalEvent extends EventBase {
  type: "eval";
  algorithm: string;
  iteration: number;
  /** Levels played; none of their boards is in a training set. */
  levels: number;
  metrics: Metrics;
}

/** One sampled token and its numbers in training. */
export interface TokenRecord {
  id: number;
  text: string;
  /** Under the policy before the iteration's first update. */
  oldLogprob: number;
  /** Under the policy when the trajectory was last used in an update. */
  logprob: number;
  entropy: number;
  /** The sampler's own; of runs made here, if the method needs it. */
  rolloutLogprob?: number;
  /** Under the reference policy; absent if the method has none (betaKl and betaKlReward 0). */
  refLogprob?: number;
  /** Sum of the squared probabilities of its distribution; absent if the method does not need it. */
  sumPiSquared?: number;
  advantage: number;
  /** V of the prefix before the token (token critics). */
  value: number | null;
  /** Whether the objective left the token out, if an imported file has this per token. */
  clipped?: boolean;
}

/** One turn: the query, the model's whole response, and its credit. Rewards are unscaled. */
export interface TurnRecord {
  /** What the environment showed before the turn. */
  observation: string;
  /** The model's text, without the end token. */
  text: string;
  /** Names of the executed actions; null if an imported file lacks them. */
  actions: string[] | null;
  reward: number;
  /** Part of the reward that is a format penalty. */
  formatPenalty: number;
  /** The process reward added for training, on top of `reward`; absent if there are none. */
  processReward?: number;
  /** The environment's random seed for the turn, an integer; absent if it is deterministic. */
  chance?: number;
  /** Information gain of the turn, or its substitute; absent if the method does not measure it. */
  gain?: number;
  /** V(s_h) in reward units, null without a critic. */
  value: number | null;
  /** After the algorithm's normalisation; the mean over tokens where credit is per token. */
  advantage: number;
  /** Regression target in reward units, null without a critic. */
  return: number | null;
  /** Product of the turn's token ratios (their geometric mean if the objective uses that) at the last use. */
  ratio: number;
  /**
   * Whether the objective's clip applied to this turn (any of its tokens) at that time; null if an
   * imported file lacks it, and for turns that no update has used.
   */
  clipped: boolean | null;
  tokens: TokenRecord[];
  /**
   * Each critic's values for the turn before the iteration's updates, by algorithm and in reward
   * units: [V(s_h)] of a turn critic, V of each token's prefix of a token critic. Absent in older
   * logs.
   */
  critics?: Record<string, number[]>;
}

/** Counts in equal bins from -limit to limit, with 0 in the middle bin; or as `inner` defines. */
export interface Histogram {
  limit: number;
  counts: number[];
  /**
   * Range of the bins between the first and the last: those are equal, and include the clip's
   * limits among their edges (with clip "adaptive" the limits of c = 1, not each turn's own); the
   * first and the last contain everything outside. Absent in older logs, without clip limits, and
   * if everything is within them.
   */
  inner?: [number, number];
}

/** One optimiser step of the actor: its ratios and what the clip did. */
export interface UpdateRecord {
  /** From 0. */
  epoch: number;
  /** Within the epoch, from 0. */
  minibatch: number;
  /** Log-ratios of tokens; the range is the same for all steps of an iteration. */
  token: Histogram;
  /** Log-ratios of turns, as the objective pools them. */
  turn: Histogram;
  /** Number of h-th turns, h from 0. */
  turns: number[];
  /** Number of them clipped with A > 0, and with A < 0. */
  cutHigh: number[];
  cutLow: number[];
  /** Share of the gradient removed by the clip, by absolute values over tokens. */
  cutShare: number;
}

export interface EpisodeRecord {
  /** Trajectory index within the iteration. */
  trajectory: number;
  /** Task name; equal names form a group. */
  task: string;
  /** Level seed. */
  seed: number;
  reward: number;
  /** Part of the reward that belongs to no turn; only in files of other programs. */
  penalty?: number;
  /** In a file of another program the reward is not the sum of its turns' rewards. */
  apart?: boolean;
  /** Reward of a greedy rollout of the same task; absent if the method plays none. */
  greedyScore?: number;
  /** Null if an imported file does not have it. */
  success: boolean | null;
  terminated: boolean;
  truncated: boolean;
  /** What the environment showed after the last turn. */
  finalObservation: string;
  /**
   * Each critic's value of the state after the last turn, by algorithm and in reward units; only
   * for truncated episodes, in runs that use this value in place of the remaining rewards.
   */
  finalValues?: Record<string, number>;
  turns: TurnRecord[];
}

/** One iteration (rollout and its updates) of one algorithm. */
export interface IterationEvent extends EventBase {
  type: "iteration";
  algorithm: string;
  /** From 1. */
  iteration: number;
  /** Whether the actor was not trained (critic warm-up). */
  warmup: boolean;
  metrics: Metrics;
  episodes: EpisodeRecord[];
  /** The actor's steps in order; absent in older logs and if episodes are not recorded. */
  updates?: UpdateRecord[];
}

/** An algorithm stopped: its numbers were no longer finite, or its engine failed. The others continue. */
export interface CrashEvent extends EventBase {
  type: "crash";
  algorithm: string;
  iteration: number;
  /** One sentence: what happened. */
  cause: string;
  /** One sentence: what to try. */
  action: string;
}

/** One number that is evidence for a finding. */
export interface Evidence {
  /** Metric name, with `*` for the environment's; for a crash, its cause in words. */
  metric: string;
  /** The last measurement, or the mean of the last ones if the detector uses that; null: not finite. */
  value: number | null;
  side: "above" | "below";
  /** The limit it exceeded; null if any finite number would do. */
  limit: number | null;
  /** The run's own earlier level that the limit is a multiple of; null for a fixed limit. */
  base: number | null;
  /** Consecutive measurements beyond the limit. */
  measurements: number;
}

/** A finding of the collapse doctor. */
export interface Finding {
  detector: string;
  title: string;
  severity: "warning" | "critical";
  algorithm: string;
  /** When it was found. */
  iteration: number;
  /** The first iteration of its evidence. */
  firstBad: number;
  /** One sentence: what is happening. */
  says: string;
  evidence: Evidence[];
  /** One sentence: the usual cause. */
  cause: string;
  /** What to try, most likely to help first. */
  remedies: string[];
}

/** A finding, after the events of the iteration that caused it. */
export interface FindingEvent extends EventBase, Finding {
  type: "finding";
}

/**
 * Another engine from here on: the run was continued where the previous one was unavailable. Runs
 * on one engine have no such event. The numbers cannot be reproduced from the spec alone.
 */
export interface EngineEvent extends EventBase {
  type: "engine";
  engine: StartEvent["engine"];
}

/** Last event. */
export interface EndEvent extends EventBase {
  type: "end";
  iterations: number;
}

export type RunEvent =
  | StartEvent
  | WarmStartEvent
  | EvalEvent
  | IterationEvent
  | CrashEvent
  | FindingEvent
  | EngineEvent
  | EndEvent;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** An event before its hash is added. */
export type UnchainedEvent = DistributiveOmit<RunEvent, "chain">;

/** An event before its hash and time are added. */
export type EventDraft = DistributiveOmit<RunEvent, "chain" | "time"> & {
  time?: Record<string, number | string>;
};
