/**
 * The value loss and its exact gradient, for turns and tokens alike:
 *
 *   1/2 sum_u weight_u max((V - R)^2, (clip(V, Vold - c, Vold + c) - R)^2)
 *
 * Source: verl/trainer/ppo/core_algos.py, compute_value_loss. The clip c is in reward units.
 */
import type { Offsets } from "./ratio.ts";
import type { Totals } from "./aggregate.ts";

export interface ValueInput {
  /** V under the critic being trained. [S] */
  value: Float64Array;
  /** V when sampled. [S] */
  oldValue: Float64Array;
  /** Regression target R. [S] */
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
    const held = Math.min(oldValue[s]! + c, Math.max(oldValue[s]! - c, value[s]!));
    const free = square(value[s]! - ret[s]!);
    const limited = square(held - ret[s]!);
    clipped[s] = limited > free ? 1 : 0;
    loss += 0.5 * weight[s]! * Math.max(free, limited);
    // Where both are equal though the clip acts, verl's max gives each half of the gradient; the
    // clip's half is lost.
    const share = clipped[s] ? 0 : limited === free && held !== value[s] ? 0.5 : 1;
    dValue[s] = share * weight[s]! * (value[s]! - ret[s]!);
  }
  return { loss, dValue, clipped };
}

/** Mean over trajectories of the mean over their turns (Turn-PPO). turnStart [B+1] -> [K] */
export function turnValueWeights(turnStart: Int32Array, totals: Totals): Float64Array {
  const weight = new Float64Array(turnStart.at(-1)!); // [K]
  for (let b = 0; b < turnStart.length - 1; b++) {
    const K_b = turnStart[b + 1]! - turnStart[b]!;
    weight.fill(1 / (totals.trajectories * K_b), turnStart[b]!, turnStart[b + 1]!);
  }
  return weight;
}

/** Mean over all trainable tokens (token-PPO). [N] */
export function tokenValueWeights(offsets: Offsets, totals: Totals): Float64Array {
  return new Float64Array(offsets.turn.at(-1)!).fill(1 / totals.tokens); // [N]
}

/** Not `**`, which is Math.pow: its last bit differs between browsers. */
function square(x: number): number {
  return x * x;
}
