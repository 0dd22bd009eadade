/**
 * How far the sampler's log-probs are from those of the training pass. The first ratios are 1 by
 * construction (old log-probs are recomputed), so an error in the KV cache or in reduced precision
 * shows here.
 *
 * Names and definitions: verl, `training/rollout_probs_diff_*` (verl/utils/debug/metrics.py) and
 * `rollout_corr/*` (verl/trainer/ppo/rollout_corr_helper.py), token weights, untruncated.
 */
import { exp } from "../../numeric/deterministic.ts";
import { composeOffsets, segmentMean } from "../../numeric/segments.ts";
import { max, mean, std } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";

/** Of a batch with old log-probs. sampled: the sampler's log-probs. [N] */
export function samplerMismatch(
  batch: Pick<TrajectoryBatch, "turnStart" | "tokenStart" | "oldLogprob">,
  sampled: Float64Array,
): Metrics {
  const old = batch.oldLogprob!; // [N]
  const x = old.map((value, t) => value - sampled[t]!); // log pi_train / pi_rollout [N]
  const apart = x.map(Math.abs); // [N]
  const probs = old.map((value, t) => Math.abs(exp(value) - exp(sampled[t]!))); // [N]
  return {
    "training/rollout_logprob_diff_mean": mean(apart),
    "training/rollout_logprob_diff_max": max(apart),
    "training/rollout_probs_diff_mean": mean(probs),
    "training/rollout_probs_diff_max": max(probs),
    ...(probs.length > 1 ? { "training/rollout_probs_diff_std": std(probs) } : {}),
    ...correction(batch, x),
  };
}

/** verl's SAFETY_BOUND: weights above e^20 are clamped to e^20. */
const LOG_WEIGHT_LIMIT = 20;

/** x = log pi_train - log pi_rollout. [N] */
function correction(
  { turnStart, tokenStart }: Pick<TrajectoryBatch, "turnStart" | "tokenStart">,
  x: Float64Array,
): Metrics {
  const weight = x.map((d) => exp(Math.min(d, LOG_WEIGHT_LIMIT))); // [N]
  const centre = mean(weight);
  // Perplexity of the training pass divided by the sampler's, per trajectory.
  const perplexity = segmentMean(x, composeOffsets(turnStart, tokenStart)).map((m) => exp(-m)); // [B]
  return {
    "rollout_corr/kl": -mean(x),
    "rollout_corr/k3_kl": mean(x.map((d, t) => weight[t]! - 1 - d)),
    "rollout_corr/ppl_ratio": mean(perplexity),
    "rollout_corr/rollout_is_mean": centre,
    "rollout_corr/rollout_is_max": max(weight),
    "rollout_corr/rollout_is_eff_sample_size": 1 / mean(weight.map((w) => (w / centre) ** 2)),
  };
}
