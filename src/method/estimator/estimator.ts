/**
 * The description and computation of an estimator (axis C): one file each, and one line in
 * `estimators.ts`.
 */
import type { Settings } from "../axes.ts";
import type { Baseline } from "../baselines.ts";
import type { Estimate } from "../credit/estimate.ts";
import type { Trace } from "../credit/trace.ts";
import type { AdvantageLevel, FormulaPart } from "../formula/parts.ts";
import type { LossTotals } from "../objective/aggregate.ts";
import type { ValueLoss } from "../objective/valueLoss.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";

/** An estimate whose advantages are normalised: what the objective takes as constants. */
export interface Credit {
  /** [K] */
  turnAdvantage: Float64Array;
  /** [N] */
  tokenAdvantage: Float64Array;
  /** [K] */
  turnReturn: Float64Array | null;
  /** [N] */
  tokenReturn: Float64Array | null;
  /** [K] or [N] */
  delta: Float64Array | null;
  /** Factor of each turn's clip range; null if all are 1. [K] */
  epsScale: Float64Array | null;
  /** 1 for the trajectories that take part in the updates; null if all do. [B] */
  kept: Uint8Array | null;
  /** 1 for the tokens that take part, of kept trajectories only; absent or null if all of those do. [N] */
  keptTokens?: Uint8Array | null;
  /** Intermediates of the advantages, before any normalisation. */
  trace: Trace;
}

/** What an estimator reads of a row: its settings, and its own choices. */
export interface EstimatorConfig extends Settings {
  name: string;
  baseline: Baseline;
  /** Over what a turn critic's loss is a mean: all turns, or the turns of each trajectory first. Absent: all turns. */
  criticMean?: "trajectories";
}

export interface EstimatorFacts {
  /** What it means. */
  about: string;
  /** Its file, named after the algorithm that introduced it. */
  lesson: string;
  /** The unit that gets one advantage. */
  level: AdvantageLevel;
  /** What a time step of its critic is; null without a critic. */
  steps: "token" | "turn" | null;
  /**
   * The setting that discounts rewards, and per which step; null for plain sums. Scores of whole
   * trajectories are such sums: GiGPO adds one to discounted returns of turns, and counts as those.
   */
  discount: { by: "gamma" | "gammaTurn"; per: "turn" | "token" } | null;
  /**
   * Whether advantages are divided by a standard deviation of the group, so that they are not in
   * units of reward: never, as the setting `std` and the baseline say, or always.
   */
  divisor: "never" | "std" | "always";
  /** Whether rewards play no part: only success does. */
  ignoresRewards?: true;
  /** Whether it compares rollouts of one task with every baseline. */
  grouped: boolean;
  /** Settings that affect its advantages. */
  settings: readonly (keyof Settings)[];
  /** Columns of a batch that it needs besides rewards and the critic's values. */
  columns: readonly ("anchor" | "action" | "turnGain" | "turnFormat")[];
  /** Whether it also scales each turn's clip range. */
  scalesClip: boolean;
  /** What verl and RAGEN call it, with which baseline and whitening. */
  verl: readonly VerlName[];
  /** What the plugin for verl that exports bring calls it, with every whitening. */
  plugin?: string;
  /** The formula of its advantages. */
  formula: FormulaPart;
  /** From rewards and values to advantages and returns. @throws InputError naming a missing number. */
  estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate;
  /** The value loss and dL/dV; null without a critic or without new values. */
  criticLoss(
    config: EstimatorConfig,
    batch: TrajectoryBatch,
    credit: Credit,
    totals: LossTotals,
  ): ValueLoss | null;
}

export interface VerlName {
  name: string;
  baseline: Baseline;
  whiten: Settings["whiten"];
  /** The programs that run it. */
  targets: readonly ("ragen" | "verl")[];
  /** Further settings that it needs there. */
  keys?: Readonly<Record<string, boolean | string | readonly string[]>>;
  /** Whether it divides by the group's std before it whitens. */
  dividesFirst?: true;
}

export const PER_TURN = { by: "gamma", per: "turn" } as const;
export const PER_TOKEN = { by: "gamma", per: "token" } as const;
export const BOTH = ["ragen", "verl"] as const;

/** Returns, which need only rewards. */
export const returns = {
  steps: null,
  divisor: "never",
  grouped: false,
  settings: ["gamma"],
  columns: [],
  scalesClip: false,
  verl: [],
  criticLoss: () => null,
} as const;
/** Sums of a critic's TD errors. */
export const gaeFacts = { ...returns, settings: ["gamma", "lambda"] } as const;
/** The same, with a decay of its own for the critic's targets, or one by length. */
export const decoupledGae = {
  ...gaeFacts,
  settings: ["gamma", "lambda", "lambdaCritic", "lengthAlpha"],
} as const;
/** Turns against the turns of other rollouts of the task. */
export const turnsInGroup = { ...returns, level: "turn", divisor: "std", grouped: true } as const;
