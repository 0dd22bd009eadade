/**
 * Generalised advantage estimation over packed steps. The same function is used for tokens and
 * turns, which differ only in the step. Environment tokens are not steps, so values there change
 * nothing; verl reaches the same by carrying its accumulator over masked positions.
 *
 *   delta_k = r_k + gamma V_{k+1} - V_k
 *   A_k     = delta_k + gamma lambda A_{k+1}
 *   R_k     = A_k + V_k
 *
 * With `lambdaCritic` the targets decay by themselves; with `lengthAlpha` advantages decay by
 * the trajectory's number of steps n:
 *
 *   R_k    = r_k + gamma ((1 - lambdaCritic) V_{k+1} + lambdaCritic R_{k+1})
 *   lambda = max(0, 1 - 1 / (lengthAlpha n))
 *
 * Sources of the two: VC-PPO, arXiv 2503.01491, and VAPO, arXiv 2504.05118 (read through notes);
 * areal-project/AReaL areal/trainer/ppo/lambda_fn.py.
 * Source: Schulman et al., arXiv 1506.02438, eq. 11-16; verl/trainer/ppo/core_algos.py,
 * compute_gae_advantage_return.
 */
import type { NumberSettings } from "../numbers.ts";
import type { Trace } from "./trace.ts";

export interface GaeInput {
  /** [S] */
  reward: Float64Array;
  /** V before the step. [S] */
  value: Float64Array;
  /** Steps of each trajectory. [B+1] */
  start: Int32Array;
  /** V after the last step, 0 where the episode ended there. [B] */
  bootstrap: Float64Array;
  gamma: number;
  lambda: number;
  /** Decay of the targets; null or absent: targets are A + V. */
  lambdaCritic?: number | null;
  /** Null or absent: lambda as given. */
  lengthAlpha?: number | null;
}

export interface Gae {
  /** TD errors. [S] */
  delta: Float64Array;
  /** [S] */
  adv: Float64Array;
  /** Regression targets, A + V or with a decay of their own, formed before any whitening. [S] */
  ret: Float64Array;
  /** Each trajectory's lambda, if its length sets it. [B] */
  decay: Trace;
}

/** What `gae` reads of an algorithm. */
export const decays = ({ gamma, lambda, lambdaCritic, lengthAlpha }: NumberSettings) => ({
  gamma,
  lambda,
  lambdaCritic,
  lengthAlpha,
});

/** Advantages, returns and TD errors of every step. */
export function gae(input: GaeInput): Gae {
  const { reward, value, start, bootstrap, gamma, lambdaCritic = null } = input;
  const delta = new Float64Array(value.length); // [S]
  const adv = new Float64Array(value.length); // [S]
  const ret = new Float64Array(value.length); // [S]
  const lambda = bootstrap.map((_, b) => lambdaOf(input, start[b + 1]! - start[b]!)); // [B]
  for (let b = 0; b < bootstrap.length; b++) {
    let nextValue = bootstrap[b]!;
    let nextAdv = 0;
    let nextTarget = nextValue;
    for (let k = start[b + 1]! - 1; k >= start[b]!; k--) {
      delta[k] = reward[k]! + gamma * nextValue - value[k]!;
      nextAdv = adv[k] = delta[k]! + gamma * lambda[b]! * nextAdv;
      const ahead = lambdaCritic ?? 0;
      nextTarget = reward[k]! + gamma * ((1 - ahead) * nextValue + ahead * nextTarget);
      ret[k] = lambdaCritic === null ? nextAdv + value[k]! : nextTarget;
      nextValue = value[k]!;
    }
  }
  const byLength = typeof input.lengthAlpha === "number";
  return { delta, adv, ret, decay: byLength ? { "trajectory.lambda": lambda } : {} };
}

function lambdaOf({ lambda, lengthAlpha = null }: GaeInput, steps: number): number {
  return lengthAlpha === null ? lambda : Math.max(0, 1 - 1 / (lengthAlpha * steps));
}
