/**
 * Per-token estimators of KL(pi_theta || pi_ref) on sampled tokens, x = log pi_theta - log pi_ref:
 *
 *   k1 = x        abs = |x|        k2 = x^2 / 2        k3 = exp(-x) - 1 + x
 *
 * A trailing "+" keeps the value and takes the gradient of k2 (straight-through). As in verl, k3
 * clamps x to +-20 and its result to +-10, with gradient 0 where a clamp acts.
 *
 * Sources: Schulman, "Approximating KL divergence" (joschu.net/blog/kl-approx.html);
 * verl/trainer/ppo/core_algos.py, kl_penalty (whose names kl, mse and low_var_kl are k1, k2 and
 * k3).
 */
import { exp } from "../../numeric/deterministic.ts";

export type KlKind = "k1" | "abs" | "k2" | "k3" | "k1+" | "abs+" | "k3+";

export interface KlTerm {
  /** [N] */
  kl: Float64Array;
  /** d kl / d logprob. [N] */
  dLogprob: Float64Array;
}

/** The estimator and its derivative, token by token. All [N]. */
export function klPenalty(kind: KlKind, logprob: Float64Array, refLogprob: Float64Array): KlTerm {
  const straightThrough = kind.endsWith("+");
  const base = estimators[kind.replace("+", "") as keyof typeof estimators];
  const kl = new Float64Array(logprob.length); // [N]
  const dLogprob = new Float64Array(logprob.length); // [N]
  for (let t = 0; t < kl.length; t++) {
    const x = logprob[t]! - refLogprob[t]!;
    const [value, slope] = base(x);
    kl[t] = value;
    dLogprob[t] = straightThrough ? x : slope;
  }
  return { kl, dLogprob };
}

const estimators = {
  k1: (x: number): [number, number] => [x, 1],
  abs: (x: number): [number, number] => [Math.abs(x), Math.sign(x)],
  k2: (x: number): [number, number] => [0.5 * x * x, x],
  k3,
};

function k3(x: number): [number, number] {
  const y = Math.min(20, Math.max(-20, -x)); // log pi_ref - log pi_theta
  const e = exp(y);
  const value = e - y - 1;
  return value > 10 || y !== -x ? [Math.min(10, value), 0] : [value, 1 - e];
}
