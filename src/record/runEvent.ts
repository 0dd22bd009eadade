/**
 * What a run says while it runs: an append-only log of events. Panels, recordings, the command line and the
 * fingerprint all see exactly these.
 *
 * Clock readings live under `time` and nowhere else; `chain` links each event to all before it.
 */
import type { ExperimentSpec } from "../spec/experiment.ts";

/** Metric names are verl's. null marks a number that was not finite: a crash, never an average. */
export type Metrics = Record<string, number | null>;

interface EventBase {
  /** Lower-case hex SHA-256 of the previous chain (empty at first) and this event's canonical JSON. */
  chain: string;
  /** Everything that varies with the clock. */
  time: { at: string; seconds?: number } & Record<string, number | string>;
}

/** First event: what is run, on what. */
export interface StartEvent extends EventBase {
  type: "start";
  /** Format of the log. */
  format: 1;
  /** Version of Turnbook. */
  version: string;
  spec: ExperimentSpec;
  engine: { engine: string; backend: string; adapter: string; reproducible: string };
  /** Trainable parameters of one model, value head included. */
  parameters: number;
}

/** Where the first weights came from; for cloning, how far it has come. */
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

/** One sampled token and what training made of it. */
export interface TokenRecord {
  id: number;
  text: string;
  /** Under the policy before the iteration's first update. */
  oldLogprob: number;
  /** Under the policy when the trajectory was last used in an update. */
  logprob: number;
  entropy: number;
  advantage: number;
  /** V of the prefix before the token (token critics). */
  value: number | null;
}

/** One turn: the query, the model's whole response, and its credit. Rewards are unscaled. */
export interface TurnRecord {
  /** What the environment showed before the turn. */
  observation: string;
  /** The model's text, end token left out. */
  text: string;
  /** Names of the executed actions. */
  actions: string[];
  reward: number;
  /** Part of the reward that is a format penalty. */
  formatPenalty: number;
  /** V(s_h) in reward units, null without a critic. */
  value: number | null;
  /** After the algorithm's normalisation; the mean over tokens where credit is per token. */
  advantage: number;
  /** Regression target in reward units, null without a critic. */
  return: number | null;
  /** Product of the turn's token ratios (their geometric mean where the objective uses that) at the last use. */
  ratio: number;
  /** Whether the objective's clip cut this turn (any of its tokens) at that moment. */
  clipped: boolean;
  tokens: TokenRecord[];
}

export interface EpisodeRecord {
  /** Trajectory number within the iteration. */
  trajectory: number;
  /** Task name; equal names form a group. */
  task: string;
  /** Level seed. */
  seed: number;
  reward: number;
  success: boolean;
  terminated: boolean;
  truncated: boolean;
  /** What the environment showed after the last turn. */
  finalObservation: string;
  turns: TurnRecord[];
}

/** One iteration (rollout and its updates) of one algorithm. */
export interface IterationEvent extends EventBase {
  type: "iteration";
  algorithm: string;
  /** From 1. */
  iteration: number;
  /** Whether the actor was held still (critic warm-up). */
  warmup: boolean;
  metrics: Metrics;
  episodes: EpisodeRecord[];
}

/** An algorithm stopped: its numbers were no longer finite, or its engine failed. The others go on. */
export interface CrashEvent extends EventBase {
  type: "crash";
  algorithm: string;
  iteration: number;
  /** One sentence: what happened. */
  cause: string;
  /** One sentence: what to try. */
  action: string;
}

/** Last event. */
export interface EndEvent extends EventBase {
  type: "end";
  iterations: number;
}

export type RunEvent =
  StartEvent | WarmStartEvent | EvalEvent | IterationEvent | CrashEvent | EndEvent;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** An event before it is chained. */
export type UnchainedEvent = DistributiveOmit<RunEvent, "chain">;

/** An event before it is chained and timed. */
export type EventDraft = DistributiveOmit<RunEvent, "chain" | "time"> & {
  time?: Record<string, number | string>;
};
