/**
 * Generalised advantage estimation over packed steps. The same function is used for tokens and
 * turns, which differ only in the step. Environment tokens are not steps, so values there change
 * nothing; verl reaches the same by carrying its accumulator over masked positions.
 *
 *   delta_k = r_k + gamma V_{k+1} - V_k
 *   A_k     = delta_k + gamma lambda A_{k+1}
 *   R_k     = A_k + V_k
 *
 * Source: Schulman et al., arXiv 1506.02438, eq. 11-16; verl/trainer/ppo/core_algos.py,
 * compute_gae_advantage_return.
 */
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
}

export interface Gae {
  /** TD errors. [S] */
  delta: Float64Array;
  /** [S] */
  adv: Float64Array;
  /** Regression targets A + V, formed before any whitening. [S] */
  ret: Float64Array;
}

/** Advantages, returns and TD errors of every step. */
export function gae({ reward, value, start, bootstrap, gamma, lambda }: GaeInput): Gae {
  const delta = new Float64Array(value.length); // [S]
  const adv = new Float64Array(value.length); // [S]
  for (let b = 0; b < bootstrap.length; b++) {
    let nextValue = bootstrap[b]!;
    let nextAdv = 0;
    for (let k = start[b + 1]! - 1; k >= start[b]!; k--) {
      delta[k] = reward[k]! + gamma * nextValue - value[k]!;
      nextAdv = adv[k] = delta[k]! + gamma * lambda * nextAdv;
      nextValue = value[k]!;
    }
  }
  return { delta, adv, ret: adv.map((A, k) => A + value[k]!) };
}
