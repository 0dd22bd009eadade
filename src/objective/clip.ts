/**
 * The clipped surrogate of PPO with dual clip, per unit:
 *
 *   L = max(-w A, -clip(w, 1 - epsLow, 1 + epsHigh) A)      and for A < 0: L = min(L, -c A)
 *
 * Sources: PPO, arXiv 1707.06347, eq. 7; dual clip, arXiv 1912.09729, eq. 5;
 * verl/trainer/ppo/core_algos.py, compute_policy_loss_vanilla.
 */
export interface ClipRule {
  epsLow: number;
  epsHigh: number;
  /** c, or null for no dual clip. */
  dualClip: number | null;
}

export interface Surrogate {
  /** [U] */
  loss: Float64Array;
  /** d loss / d ratio. [U] */
  dRatio: Float64Array;
  /** 1 where the range clip decides the loss. [U] */
  clipped: Uint8Array;
  /** 1 where the dual clip does. [U] */
  clippedLower: Uint8Array;
}

/** Loss of each unit from its ratio and advantage. Both [U]. */
export function clippedSurrogate(
  ratio: Float64Array,
  adv: Float64Array,
  rule: ClipRule,
): Surrogate {
  const loss = new Float64Array(ratio.length); // [U]
  const dRatio = new Float64Array(ratio.length); // [U]
  const clipped = new Uint8Array(ratio.length); // [U]
  const clippedLower = new Uint8Array(ratio.length); // [U]
  for (let u = 0; u < ratio.length; u++) {
    const [w, A] = [ratio[u]!, adv[u]!];
    const free = -w * A;
    const held = -Math.min(1 + rule.epsHigh, Math.max(1 - rule.epsLow, w)) * A;
    const ceiling = A < 0 && rule.dualClip !== null ? -rule.dualClip * A : Infinity;
    clipped[u] = held > free ? 1 : 0;
    clippedLower[u] = Math.max(free, held) > ceiling ? 1 : 0;
    loss[u] = Math.min(Math.max(free, held), ceiling);
    dRatio[u] = clipped[u] || clippedLower[u] ? 0 : -A;
  }
  return { loss, dRatio, clipped, clippedLower };
}
