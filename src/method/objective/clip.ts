/**
 * The clipped surrogate of PPO with dual clip, per unit:
 *
 *   L = max(-w A, -clip(w, 1 - c epsLow, 1 + c epsHigh) A)
 *   for A < 0 also L = min(L, -dualClip A)
 *
 * c is 1, or the unit's own factor where the range adapts.
 *
 * Sources: PPO, arXiv 1707.06347, eq. 7; dual clip, arXiv 1912.09729, eq. 5;
 * verl/trainer/ppo/core_algos.py, compute_policy_loss_vanilla; adaptive range: A2TGPO, arXiv
 * 2605.06200, sec. 3.
 */
import type { Settings } from "../axes.ts";

export interface ClipRange {
  epsLow: number;
  epsHigh: number;
  /** null for no dual clip. */
  dualClip: number | null;
}

export interface ClipRule extends ClipRange {
  clip: Settings["clip"];
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

/**
 * Loss of each unit from its ratio and advantage; epsScale holds the factors c, null if all are 1.
 * All [U].
 */
export function clippedSurrogate(
  ratio: Float64Array,
  adv: Float64Array,
  { epsLow, epsHigh, dualClip }: ClipRange,
  epsScale: Float64Array | null = null,
): Surrogate {
  const loss = new Float64Array(ratio.length); // [U]
  const dRatio = new Float64Array(ratio.length); // [U]
  const clipped = new Uint8Array(ratio.length); // [U]
  const clippedLower = new Uint8Array(ratio.length); // [U]
  for (let u = 0; u < ratio.length; u++) {
    const [w, A] = [ratio[u]!, adv[u]!];
    const c = epsScale?.[u] ?? 1;
    const free = -w * A;
    const held = -clampRatio(w, c * epsLow, c * epsHigh) * A;
    const ceiling = A < 0 && dualClip !== null ? -dualClip * A : Infinity;
    clipped[u] = held > free ? 1 : 0;
    clippedLower[u] = Math.max(free, held) > ceiling ? 1 : 0;
    loss[u] = Math.min(Math.max(free, held), ceiling);
    dRatio[u] = clipped[u] || clippedLower[u] ? 0 : -A;
  }
  return { loss, dRatio, clipped, clippedLower };
}

/** clip(w, 1 - epsLow, 1 + epsHigh). */
export function clampRatio(w: number, epsLow: number, epsHigh: number): number {
  return Math.min(1 + epsHigh, Math.max(1 - epsLow, w));
}
