/**
 * Samples the next token on the host, in float64 with our own exp and log: the same logits and key
 * give the same token on every engine and browser.
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
  /** Ids that may be sampled, see legalBits; absent: all. Other ids count as impossible, except for the log-prob. */
  legal?: Int32Array;
}

/** Words of a row of legal bits. */
export const legalWords = (V: number): number => Math.ceil(V / 32);

/**
 * Ids as bits: id's is bit id % 32 of word id >> 5. [ceil(V / 32)]
 * @throws RangeError if there is no id, or one is outside the vocabulary.
 */
export function legalBits(ids: readonly number[], V: number): Int32Array {
  if (ids.length === 0) throw new RangeError("legal lists no token; at least one is needed");
  const bits = new Int32Array(legalWords(V));
  for (const id of ids) {
    if (!Number.isInteger(id) || id < 0 || id >= V)
      throw new RangeError(`legal lists token ${id}; allowed: 0 to ${V - 1}`);
    bits[id >> 5]! |= 1 << (id & 31);
  }
  return bits;
}

const isLegal = (bits: Int32Array, id: number): boolean =>
  ((bits[id >> 5]! >> (id & 31)) & 1) === 1;

interface DrawnToken {
  id: number;
  /** Log-prob under the sampling temperature (1 if greedy) over the full vocabulary. */
  logprob: number;
}

/** Samples from softmax(logits / temperature) over the legal ids, cut to the top k and then to the nucleus. logits [V] */
export function drawToken(logits: Float32Array, rule: SamplingRule, key: RandomKey): DrawnToken {
  return drawAt(logits, rule, rule.temperature === 0 ? 0 : uniform(key));
}

/** The same for a given uniform u in [0, 1). */
export function drawAt(logits: Float32Array, rule: SamplingRule, u: number): DrawnToken {
  const tau = rule.temperature === 0 ? 1 : rule.temperature;
  const top = logits[argmax(logits)]! / tau;
  if (!Number.isFinite(top)) throw new NotFiniteError(`the logits are not finite (${top})`);
  const all = Float64Array.from(logits, (z) => exp(z / tau - top)); // [V]
  const total = all.reduce((a, b) => a + b, 0);
  const best = argmax(logits, rule.legal);
  const [weights, mass] = rule.legal
    ? legalWeights(logits, tau, logits[best]! / tau, rule.legal)
    : [all, total];
  const id = rule.temperature === 0 ? best : pick(weights, mass, rule, u);
  return { id, logprob: logits[id]! / tau - top - log(total) };
}

/** First of the largest legal ones. NaN wins, so that it is noticed. */
function argmax(x: Float32Array, legal?: Int32Array): number {
  let best = -1;
  for (let i = 0; i < x.length; i++) {
    if (legal && !isLegal(legal, i)) continue;
    if (best < 0 || x[i]! > x[best]! || x[i] !== x[i]) best = i;
  }
  return best;
}

/** Weights relative to the most likely legal id, however unlikely it is, and their sum; 0 for the others. [V] */
function legalWeights(
  logits: Float32Array,
  tau: number,
  top: number,
  legal: Int32Array,
): [Float64Array, number] {
  const weights = Float64Array.from(logits, (z, id) =>
    isLegal(legal, id) ? exp(z / tau - top) : 0,
  );
  return [weights, weights.reduce((a, b) => a + b, 0)];
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
  return last; // u reached the end by rounding
}

/** Ids that survive top-k and top-p, ascending; null if nothing is cut. Ties go to the smaller id. */
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

/** How many of the most likely ids reach a share topP of their sum; at least one. */
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
