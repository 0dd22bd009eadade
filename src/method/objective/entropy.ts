/** Entropy: of logits, with its gradient, and as a bonus on the loss. */
import { exp, logSumExp } from "../../numeric/deterministic.ts";

/** log softmax(logits)[label]. logits [V] */
export function logprobFromLogits(logits: ArrayLike<number>, label: number): number {
  return logits[label]! - logSumExp(logits);
}

export interface Entropy {
  /** In nats. */
  entropy: number;
  /** d entropy / d logits. [V] */
  dLogits: Float64Array;
}

/** H = -sum p log p of softmax(logits); dH/dlogit_v = -p_v (log p_v + H). [V] */
export function entropyFromLogits(logits: ArrayLike<number>): Entropy {
  const lse = logSumExp(logits);
  const logp = Float64Array.from(logits, (z) => z - lse); // [V]
  const p = logp.map(exp); // [V]
  // A token of probability 0 adds nothing, though its log is infinite.
  const entropy = -p.reduce((sum, q, v) => (q > 0 ? sum + q * logp[v]! : sum), 0);
  return { entropy, dLogits: p.map((q, v) => (q > 0 ? -q * (logp[v]! + entropy) : 0)) };
}

export interface EntropyBonus {
  /** Added to the loss: -coef x aggregate entropy. */
  loss: number;
  /** [N] */
  dEntropy: Float64Array;
}

/** -coef sum_t weight[t] H_t, to be added to the loss. Both [N]. */
export function entropyBonus(
  entropy: Float64Array,
  weight: Float64Array,
  coef: number,
): EntropyBonus {
  return {
    loss: -coef * entropy.reduce((sum, H, t) => sum + weight[t]! * H, 0),
    dEntropy: weight.map((w) => -coef * w),
  };
}
