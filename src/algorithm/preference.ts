/**
 * Losses on preference pairs, and their exact gradients with respect to per-token log-probs and per-token KL.
 *
 * P pairs are 2P responses: the chosen ones first, then the rejected ones in the same order. With m(y) = sum_t
 * [log pi(y_t) - log ref(y_t)] and D(y) = sum_t KL(ref || pi)_t over the whole vocabulary, both over trainable tokens
 * only, a pair's logit z is
 *
 *   DPO, IPO  m_w - m_l        TDPO1  m_w - m_l - (D_l - D_w)        TDPO2  m_w - m_l - alpha (D_l - sg[D_w])
 *
 * and its loss -log sigmoid(beta z), or (z - 1/(2 beta))^2 (IPO, whose m is a mean over tokens). Label smoothing s
 * mixes in s times the loss of the pair the other way round.
 *
 * Sources: DPO, arXiv 2305.18290, equation 7; IPO, arXiv 2310.12036, equation 17; both with label smoothing as in
 * eric-mitchell/direct-preference-optimization, trainers.py, preference_loss.
 * TDPO1 and TDPO2, arXiv 2404.11999; Vance0124/Token-level-Direct-Preference-Optimization, trainers.py, tdpo_loss and
 * _tdpo_get_batch_logps.
 */
import { logSumExp, sigmoid } from "../numeric/deterministic.ts";
import { broadcast, segmentLengths, segmentSum } from "../numeric/segments.ts";
import { mean } from "../numeric/statistics.ts";
import type { PreferenceConfig } from "../spec/preference.ts";

export type PreferenceRule = Pick<
  PreferenceConfig,
  "loss" | "seqKl" | "logps" | "beta" | "alpha" | "labelSmoothing"
> & {
  /** The reference counts as uniform in the loss; rewards are still reported against the real one. */
  referenceFree?: boolean;
};

/** Responses as numbers. */
interface ResponseSums {
  /** log pi(y). [2P] */
  logps: Float64Array;
  /** log ref(y). [2P] */
  refLogps: Float64Array;
  /** D(y). [2P] */
  seqKl: Float64Array;
}

interface PairLoss {
  /** Mean over pairs. */
  loss: number;
  /** [P] */
  pairLoss: Float64Array;
  /** z. [P] */
  logit: Float64Array;
  /** d loss / d log pi(y). [2P] */
  dLogps: Float64Array;
  /** d loss / d D(y); all 0 where the method has no KL. [2P] */
  dSeqKl: Float64Array;
  /** Implicit rewards: beta m(y), with KL beta (m(y) + D(y)). [2P] */
  reward: Float64Array;
}

/** The loss of pairs whose responses are summed up already. */
export function pairLoss(rule: PreferenceRule, { logps, refLogps, seqKl }: ResponseSums): PairLoss {
  const P = logps.length / 2;
  const m = logps.map((x, i) => x - refLogps[i]!); // [2P]
  const counted = rule.referenceFree ? logps : m; // [2P]
  const [weight, dChosen] = klWeights(rule);
  const logit = new Float64Array(P); // [P]
  const each = new Float64Array(P); // [P]
  const dLogps = new Float64Array(2 * P); // [2P]
  const dSeqKl = new Float64Array(2 * P); // [2P]
  for (let p = 0; p < P; p++) {
    const [w, l] = [p, P + p];
    const z = counted[w]! - counted[l]! - weight * (seqKl[l]! - seqKl[w]!);
    const [value, slope] = lossOf(rule, z);
    [logit[p], each[p]] = [z, value];
    const dz = slope / P; // of the mean
    [dLogps[w], dLogps[l]] = [dz, -dz];
    [dSeqKl[w], dSeqKl[l]] = [dChosen * dz, -weight * dz];
  }
  const withKl = rule.seqKl === "none" ? 0 : 1;
  const reward = m.map((x, i) => rule.beta * (x + withKl * seqKl[i]!)); // [2P]
  return { loss: mean(each), pairLoss: each, logit, dLogps, dSeqKl, reward };
}

/** Weight of D_l - D_w in -z, and dz/dD_w: 0 where the chosen response's KL is held constant. */
function klWeights({ seqKl, alpha }: PreferenceRule): [weight: number, dChosen: number] {
  if (seqKl === "none") return [0, 0];
  return seqKl === "margin" ? [1, 1] : [alpha, 0];
}

/** Loss and slope at z. */
function lossOf({ loss, beta, labelSmoothing: s }: PreferenceRule, z: number): [number, number] {
  if (loss === "squared") {
    const off = z - 1 / (2 * beta);
    return [off * off, 2 * off];
  }
  const x = beta * z;
  const value = (1 - s) * softplus(-x) + s * softplus(x);
  return [value, beta * (s * sigmoid(x) - (1 - s) * sigmoid(-x))];
}

/** log(1 + e^x) = -log sigmoid(-x). */
function softplus(x: number): number {
  return logSumExp([0, x]);
}

export interface PreferenceInput {
  /** Log-prob under the policy being trained. [N] */
  logprob: Float64Array;
  /** The same under the reference. [N] */
  refLogprob: Float64Array;
  /** KL(ref || pi) of the distribution each token was drawn from. [N] */
  kl: Float64Array;
  /** Tokens of each response, in the order of the pairs. [2P+1] */
  start: Int32Array;
}

export interface PreferenceLoss extends PairLoss, ResponseSums {
  /** [N] */
  dLogprob: Float64Array;
  /** null where the method has no KL. [N] */
  dKl: Float64Array | null;
}

/** The loss of pairs of token sequences; every response has at least one token. */
export function preferenceLoss(rule: PreferenceRule, input: PreferenceInput): PreferenceLoss {
  const { logprob, refLogprob, kl, start } = input;
  const scale = responseScale(rule, start); // [2P]
  const scaled = (x: Float64Array) => segmentSum(x, start).map((sum, i) => sum * scale[i]!);
  const sums = {
    logps: scaled(logprob), // [2P]
    refLogps: scaled(refLogprob), // [2P]
    seqKl: segmentSum(kl, start), // [2P]
  };
  const result = pairLoss(rule, sums);
  const dSum = result.dLogps.map((d, i) => d * scale[i]!); // [2P]
  return {
    ...sums,
    ...result,
    dLogprob: broadcast(dSum, start), // [N]
    dKl: rule.seqKl === "none" ? null : broadcast(result.dSeqKl, start), // [N]
  };
}

/** 1 for sums over tokens, 1/n for means. [2P] */
function responseScale({ logps }: PreferenceRule, start: Int32Array): Float64Array {
  return segmentLengths(start).map((n) => (logps === "mean" ? 1 / n : 1));
}
