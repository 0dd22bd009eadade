/**
 * Drawing the next token on the host, in float64 with our own exp and log: the same logits and key give the same
 * token on every engine and browser.
 */
import { NotFiniteError } from "./errors.ts";
import { exp, log } from "../numeric/deterministic.ts";
import { uniform, type RandomKey } from "../numeric/rng.ts";

export interface SamplingRule {
  /** 0 means greedy. */
  temperature: number;
  /** Sample among the k most likely; absent or 0 means all. */
  topK?: number;
  /** Nucleus; absent or 1 means all. */
  topP?: number;
}

export interface Draw {
  id: number;
  /** Log-prob under the sampling temperature (1 when greedy) over the full vocabulary. */
  logprob: number;
}

/** Draws from softmax(logits / temperature), cut to the top k and then to the nucleus. logits [V] */
export function drawToken(logits: Float32Array, rule: SamplingRule, key: RandomKey): Draw {
  return drawAt(logits, rule, rule.temperature === 0 ? 0 : uniform(key));
}

/** The same for a given uniform u in [0, 1). */
export function drawAt(logits: Float32Array, rule: SamplingRule, u: number): Draw {
  const tau = rule.temperature === 0 ? 1 : rule.temperature;
  const best = argmax(logits);
  const top = logits[best]! / tau;
  if (!Number.isFinite(top)) throw new NotFiniteError(`the logits are not finite (${top})`);
  const weights = Float64Array.from(logits, (z) => exp(z / tau - top)); // [V]
  const total = weights.reduce((a, b) => a + b, 0);
  const id = rule.temperature === 0 ? best : pick(weights, total, rule, u);
  return { id, logprob: logits[id]! / tau - top - log(total) };
}

/** First of the largest. NaN wins, so that it is noticed. */
function argmax(x: Float32Array): number {
  let best = 0;
  for (let i = 1; i < x.length; i++) if (x[i]! > x[best]! || x[i] !== x[i]) best = i;
  return best;
}

/** Inverse of the cumulative distribution at u, over the candidates in order of id. */
function pick(weights: Float64Array, total: number, rule: SamplingRule, u: number): number {
  const candidates = cut(weights, total, rule); // null: all
  if (!candidates) return invert(weights, total, u);
  const kept = Float64Array.from(candidates, (id) => weights[id]!);
  const sum = kept.reduce((a, b) => a + b, 0);
  return candidates[invert(kept, sum, u)]!;
}

function invert(weights: Float64Array, total: number, u: number): number {
  let left = u * total;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i]! === 0) continue;
    last = i;
    left -= weights[i]!;
    if (left < 0) return i;
  }
  return last; // rounding left a crumb
}

/** Ids that survive top-k and top-p, ascending; null when nothing is cut. Ties go to the smaller id. */
function cut(
  weights: Float64Array,
  total: number,
  { topK = 0, topP = 1 }: SamplingRule,
): number[] | null {
  const limit = topK > 0 ? Math.min(topK, weights.length) : weights.length;
  if (limit === weights.length && topP >= 1) return null;
  const order = Array.from(weights.keys()).sort((a, b) => weights[b]! - weights[a]! || a - b);
  const kept = order.slice(0, limit);
  if (topP < 1) kept.length = nucleus(kept, weights, limit === weights.length ? total : null, topP);
  return kept.sort((a, b) => a - b);
}

/** How many of the likeliest reach a share topP of their sum; at least one. */
function nucleus(
  order: number[],
  weights: Float64Array,
  total: number | null,
  topP: number,
): number {
  const sum = total ?? order.reduce((a, id) => a + weights[id]!, 0);
  let mass = 0;
  for (let n = 0; n < order.length; n++) {
    mass += weights[order[n]!]!;
    if (mass >= topP * sum) return n + 1;
  }
  return order.length;
}
