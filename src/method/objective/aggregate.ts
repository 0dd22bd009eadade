/**
 * Aggregation: how losses of tokens, turns or trajectories become one number. Each mode is a weight
 * per token; the loss of a longer unit counts as if each of its tokens had it, so a unit's weight
 * is the sum over its tokens.
 *
 * Sources: verl/trainer/ppo/core_algos.py, agg_loss (the first five modes;
 * a trajectory without tokens does not count);
 * Turn-PPO, arXiv 2512.17008, table 1 (turnsum-over-tokens).
 */
import { segmentLengths } from "../../numeric/segments.ts";
import type { Aggregation } from "../axes.ts";
import type { Offsets } from "./ratio.ts";

/**
 * Denominators. They are counted over everything one optimiser step sees: micro-batches of the step
 * pass the step's totals, else each would be weighted anew.
 */
export interface LossTotals {
  trajectories: number;
  turns: number;
  tokens: number;
  /** Divisor of seq-mean-token-sum-norm. */
  horizon: number;
  /** Tokens that a token critic has a target for; absent: all, or as many as the batch has. */
  targets?: number;
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
 * What token t's loss counts, so that the aggregate is sum_t weight[t] loss[t]. turnStart is in
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
      const w = oneWeight(mode, totals, { n_k, N_b, K_b });
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

function oneWeight(mode: Aggregation, totals: LossTotals, { n_k, N_b, K_b }: UnitCounts): number {
  const { trajectories: B, turns: K, tokens: N, horizon } = totals;
  switch (mode) {
    case "token-mean":
      return 1 / N;
    case "token-sum":
      return 1;
    case "seq-mean-token-mean":
      return 1 / (B * N_b);
    case "seq-mean-token-sum":
      return 1 / B;
    case "seq-mean-token-sum-norm":
      return 1 / (B * horizon);
    case "turn-mean":
      return 1 / (K * n_k);
    case "traj-turn-mean":
      return 1 / (B * K_b * n_k);
    case "turnsum-over-tokens":
      return 1 / (B * N_b * n_k);
  }
}

/** sum_t weight[t] x[t]: the aggregate of a per-token quantity. */
export function weightedSum(weight: Float64Array, x: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < x.length; t++) sum += weight[t]! * x[t]!;
  return sum;
}
