/**
 * Aggregation: how the losses of tokens, turns or trajectories are reduced to one number. Each mode
 * is a weight per token; the loss of a longer unit counts as if each of its tokens had it, so a
 * unit's weight is the sum over its tokens.
 *
 * Sources: verl/trainer/ppo/core_algos.py, agg_loss (the first five modes; a trajectory without
 * tokens does not count); Turn-PPO, arXiv 2512.17008, table 1 (turnsum-over-tokens).
 */
import { segmentLengths } from "../../numeric/segments.ts";
import type { Offsets } from "./ratio.ts";

/**
 * Weight of a token, as its divisors: the computation and the formula are both derived from them.
 */
export interface Divisors {
  about: string;
  /** Divisor of the whole sum; "horizon": trajectories, and one constant. */
  outer: "tokens" | "turns" | "trajectories" | "horizon" | null;
  /** Divisor of each trajectory's sum: its count of these. */
  trajectory: "tokens" | "turns" | null;
  /** Whether each turn's sum is divided by its count of tokens. */
  turn: boolean;
  /** Whether verl has it, by the same name; "plugin": for ratios of turns, with the plugin that exports bring. */
  verl: boolean | "plugin";
  /** The reason, for the formula panel. */
  note?: string;
}

/** The table of aggregations (axis G). */
export const aggregations = {
  "token-mean": {
    about: "mean over all tokens",
    outer: "tokens",
    trajectory: null,
    turn: false,
    verl: true,
  },
  "token-sum": {
    about: "sum over all tokens",
    outer: null,
    trajectory: null,
    turn: false,
    verl: false,
  },
  "seq-mean-token-mean": {
    about: "mean over trajectories of the mean over their tokens",
    outer: "trajectories",
    trajectory: "tokens",
    turn: false,
    verl: true,
  },
  "seq-mean-token-sum": {
    about: "mean over trajectories of the sum over their tokens",
    outer: "trajectories",
    trajectory: null,
    turn: false,
    verl: true,
  },
  "seq-mean-token-sum-norm": {
    about: "the same divided by one constant, the horizon (Dr.GRPO)",
    outer: "horizon",
    trajectory: null,
    turn: false,
    verl: true,
  },
  "turn-mean": {
    about: "mean over all turns",
    outer: "turns",
    trajectory: null,
    turn: true,
    verl: false,
  },
  "traj-turn-mean": {
    about: "mean over trajectories of the mean over their turns",
    outer: "trajectories",
    trajectory: "turns",
    turn: true,
    verl: "plugin",
  },
  "turnsum-over-tokens": {
    about: "mean over trajectories of the sum over turns per token (Turn-PPO)",
    outer: "trajectories",
    trajectory: "tokens",
    turn: true,
    verl: "plugin",
    note: "As in Turn-PPO’s paper, the divisor counts a rollout’s tokens although the sum is over its turns, so turns of long rollouts weigh less. With “traj-turn-mean” the divisor is the number of turns.",
  },
} as const satisfies Record<string, Divisors>;

export type Aggregation = keyof typeof aggregations;

/** The divisors of one aggregation, with optional fields. */
export function divisorsOf(mode: Aggregation): Divisors {
  return aggregations[mode];
}

/**
 * Denominators. They are counted over everything that one optimiser step sees: micro-batches of the
 * step pass the step's totals, else each would be weighted separately.
 */
export interface LossTotals {
  trajectories: number;
  turns: number;
  tokens: number;
  /** Divisor of seq-mean-token-sum-norm. */
  horizon: number;
  /** Tokens that a token critic has a target for; absent: all, or as many as the batch has. */
  targets?: number;
  /** Tokens of successful rollouts; absent where no loss is a mean over them. */
  solvedTokens?: number;
}

/**
 * Counts of a batch; its horizon is the largest token count of a trajectory unless one is given.
 */
export function countTotals(offsets: Offsets, horizon: number | null = null): LossTotals {
  const perTrajectory = segmentLengths(offsets.trajectory); // [B]
  return {
    trajectories: perTrajectory.filter((n) => n > 0).length,
    turns: offsets.turn.length - 1,
    tokens: offsets.turn.at(-1)!,
    horizon: horizon ?? perTrajectory.reduce((most, n) => Math.max(most, n), 1),
  };
}

/**
 * The weight of token t's loss, so that the aggregate is sum_t weight[t] loss[t]. turnStart is in
 * turns. [N]
 */
export function tokenWeights(
  mode: Aggregation,
  offsets: Offsets,
  turnStart: Int32Array,
  totals: LossTotals,
): Float64Array {
  const weight = new Float64Array(offsets.turn.at(-1)!); // [N]
  for (let b = 0; b < turnStart.length - 1; b++) {
    const N_b = offsets.trajectory[b + 1]! - offsets.trajectory[b]!;
    const K_b = turnStart[b + 1]! - turnStart[b]!;
    for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++) {
      const n_k = offsets.turn[k + 1]! - offsets.turn[k]!;
      const w = oneWeight(aggregations[mode], totals, { n_k, N_b, K_b });
      weight.fill(w, offsets.turn[k]!, offsets.turn[k + 1]!);
    }
  }
  return weight;
}

interface UnitCounts {
  /** Tokens of the turn. */
  n_k: number;
  /** Tokens of the trajectory. */
  N_b: number;
  /** Turns of the trajectory. */
  K_b: number;
}

function oneWeight(
  { outer, trajectory, turn }: Divisors,
  totals: LossTotals,
  { n_k, N_b, K_b }: UnitCounts,
): number {
  const { trajectories: B, horizon } = totals;
  const whole = outer === "horizon" ? B * horizon : outer === null ? 1 : totals[outer];
  const own = trajectory === null ? 1 : { tokens: N_b, turns: K_b }[trajectory];
  return 1 / (whole * own * (turn ? n_k : 1));
}

/** sum_t weight[t] x[t]: the aggregate of a per-token quantity. */
export function weightedSum(weight: Float64Array, x: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < x.length; t++) sum += weight[t]! * x[t]!;
  return sum;
}
