/**
 * The value loss and its exact gradient, for turns or tokens:
 *
 *   1/2 sum_u weight_u max((V - R)^2, (clip(V, Vold - c, Vold + c) - R)^2)
 *
 * Source: verl/trainer/ppo/core_algos.py, compute_value_loss. The clip c is in reward units.
 */
import type { Offsets } from "./ratio.ts";
import type { LossTotals } from "./aggregate.ts";

export interface ValueInput {
  /** V under the critic being trained. [S] */
  value: Float64Array;
  /** V when sampled. [S] */
  oldValue: Float64Array;
  /** Regression target R; NaN for a step that has none and does not count. [S] */
  ret: Float64Array;
  /** [S] */
  weight: Float64Array;
  /** c, or null for no clip. */
  clip: number | null;
}

export interface ValueLoss {
  loss: number;
  /** [S] */
  dValue: Float64Array;
  /** 1 where the clip decides the loss. [S] */
  clipped: Uint8Array;
}

export function valueLoss({ value, oldValue, ret, weight, clip }: ValueInput): ValueLoss {
  const c = clip ?? Infinity;
  const dValue = new Float64Array(value.length); // [S]
  const clipped = new Uint8Array(value.length); // [S]
  let loss = 0;
  for (let s = 0; s < value.length; s++) {
    if (Number.isNaN(ret[s])) continue;
    const held = Math.min(oldValue[s]! + c, Math.max(oldValue[s]! - c, value[s]!));
    const free = square(value[s]! - ret[s]!);
    const limited = square(held - ret[s]!);
    clipped[s] = limited > free ? 1 : 0;
    loss += 0.5 * weight[s]! * Math.max(free, limited);
    // If both are equal though the clip acts, verl's max gives each half of the gradient; the
    // clip's half is lost.
    const share = clipped[s] ? 0 : limited === free && held !== value[s] ? 0.5 : 1;
    dValue[s] = share * weight[s]! * (value[s]! - ret[s]!);
  }
  return { loss, dValue, clipped };
}

/** Mean over trajectories of the mean over their turns (Turn-PPO). turnStart [B+1] -> [K] */
export function turnValueWeights(turnStart: Int32Array, totals: LossTotals): Float64Array {
  const weight = new Float64Array(turnStart.at(-1)!); // [K]
  for (let b = 0; b < turnStart.length - 1; b++) {
    const K_b = turnStart[b + 1]! - turnStart[b]!;
    weight.fill(1 / (totals.trajectories * K_b), turnStart[b]!, turnStart[b + 1]!);
  }
  return weight;
}

/**
 * Mean over all trainable tokens (token-PPO); over those that have a target, if ret [N] is given
 * and holds NaN for the others. totals.targets counts them over the whole step; absent: this batch
 * is the step. [N]
 */
export function tokenValueWeights(
  offsets: Offsets,
  totals: LossTotals,
  ret: Float64Array | null = null,
): Float64Array {
  const N = offsets.turn.at(-1)!;
  if (!ret?.some(Number.isNaN))
    return new Float64Array(N).fill(1 / (totals.targets ?? totals.tokens)); // [N]
  const targets = totals.targets ?? countTargets(ret);
  return ret.map((R) => (Number.isNaN(R) ? 0 : 1 / targets)); // [N]
}

/** How many steps have a regression target. ret [S] */
export function countTargets(ret: Float64Array): number {
  return ret.reduce((n, R) => n + (Number.isNaN(R) ? 0 : 1), 0);
}

/** Not `**`, which is Math.pow: its last bit differs between browsers. */
function square(x: number): number {
  return x * x;
}
