/**
 * What a run says while it runs: an append-only log of events. Panels, recordings, the command line and the
 * fingerprint all see exactly these.
 *
 * Clock readings live under `time` and nowhere else; `chain` links each event to all before it.
 */
import type { ExperimentSpec } from "../spec/experiment.ts";

/** Metric names are verl's. null marks a number that was not finite: a crash, never an average. */
export type Metrics = Record<string, number | null>;

/** Metrics that are all known. */
export type KnownMetrics = Record<string, number>;

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
  /** Under the reference policy; absent where the method keeps none (betaKl and betaKlReward 0). */
  refLogprob?: number;
  advantage: number;
  /** V of the prefix before the token (token critics). */
  value: number | null;
  /** Whether the objective left the token out, where an imported file has it for single tokens. */
  clipped?: boolean;
}

/** One turn: the query, the model's whole response, and its credit. Rewards are unscaled. */
export interface TurnRecord {
  /** What the environment showed before the turn. */
  observation: string;
  /** The model's text, end token left out. */
  text: string;
  /** Names of the executed actions; null where an imported file lacks them. */
  actions: string[] | null;
  reward: number;
  /** Part of the reward that is a format penalty. */
  formatPenalty: number;
  /** What process rewards added for training, beside `reward`; absent where there are none. */
  processReward?: number;
  /** What the environment drew from, a whole number; absent where nothing in it is left to chance. */
  chance?: number;
  /** Gain of information in the turn, or what stood in for it; absent where the method does not measure it. */
  gain?: number;
  /** V(s_h) in reward units, null without a critic. */
  value: number | null;
  /** After the algorithm's normalisation; the mean over tokens where credit is per token. */
  advantage: number;
  /** Regression target in reward units, null without a critic. */
  return: number | null;
  /** Product of the turn's token ratios (their geometric mean where the objective uses that) at the last use. */
  ratio: number;
  /**
   * Whether the objective's clip cut this turn (any of its tokens) at that moment; null where an imported file
   * lacks it, and of turns that no update has used.
   */
  clipped: boolean | null;
  tokens: TokenRecord[];
  /**
   * What each critic of the run said of the turn before the iteration's updates, by algorithm and in reward
   * units: [V(s_h)] of a turn critic, V of each token's prefix of a token critic. Absent in older logs.
   */
  critics?: Record<string, number[]>;
}

/** Counts in equal bins from -limit to limit, the middle bin holding 0; or as `inner` says. */
export interface Histogram {
  limit: number;
  counts: number[];
  /**
   * Where the bins between the first and the last begin and end: those are equal, and have the edges of the clip's
   * band among their own (with clip "adaptive" of the band of c = 1, not of each turn's own); the first and the last
   * hold all that lies further out. Absent in older logs, without a band, and where all lies within it.
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
  /** How many h-th turns there were, h from 0. */
  turns: number[];
  /** How many of them a clip cut with A > 0, and with A < 0. */
  cutHigh: number[];
  cutLow: number[];
  /** What share of the gradient the clip took, by absolute values over tokens. */
  cutShare: number;
}

export interface EpisodeRecord {
  /** Trajectory number within the iteration. */
  trajectory: number;
  /** Task name; equal names form a group. */
  task: string;
  /** Level seed. */
  seed: number;
  reward: number;
  /** Part of the reward that is no turn's; only in files of other programs. */
  penalty?: number;
  /** Reward of a greedy rollout of the same task; absent where the method plays none. */
  greedyScore?: number;
  /** Null where an imported file does not say. */
  success: boolean | null;
  terminated: boolean;
  truncated: boolean;
  /** What the environment showed after the last turn. */
  finalObservation: string;
  /**
   * What each critic of the run said of the state after the last turn, by algorithm and in reward units; only of
   * episodes that were cut off, in runs that put this value there in place of the rewards that were to come.
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
  /** Whether the actor was held still (critic warm-up). */
  warmup: boolean;
  metrics: Metrics;
  episodes: EpisodeRecord[];
  /** The actor's steps in order; absent in older logs and where episodes are not recorded. */
  updates?: UpdateRecord[];
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

/** One number that a finding rests on. */
export interface Evidence {
  /** Metric name, `*` standing for the environment's; of a crash, its cause in words. */
  metric: string;
  /** The last measurement, or the mean of the last ones where the detector judges that; null: not finite. */
  value: number | null;
  side: "above" | "below";
  /** What it should not have passed; null where any finite number would do. */
  limit: number | null;
  /** The run's own earlier level that the limit is a multiple of; null for a fixed limit. */
  base: number | null;
  /** Measurements in a row that are beyond the limit. */
  measurements: number;
}

/** What the collapse doctor has found. */
export interface Finding {
  detector: string;
  title: string;
  severity: "warning" | "critical";
  algorithm: string;
  /** When it was found. */
  iteration: number;
  /** The first iteration of those that it rests on. */
  firstBad: number;
  /** One sentence: what is going on. */
  says: string;
  evidence: Evidence[];
  /** One sentence: where that usually comes from. */
  cause: string;
  /** What to try, the likeliest first. */
  remedies: string[];
}

/** A finding, after the events of the iteration that brought it to light. */
export interface FindingEvent extends EventBase, Finding {
  type: "finding";
}

/**
 * Another engine from here on: the run was continued where the one before was not to be had. Runs on one engine have no
 * such event. Nobody can reproduce the numbers from the spec alone.
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

/** An event before it is chained. */
export type UnchainedEvent = DistributiveOmit<RunEvent, "chain">;

/** An event before it is chained and timed. */
export type EventDraft = DistributiveOmit<RunEvent, "chain" | "time"> & {
  time?: Record<string, number | string>;
};
