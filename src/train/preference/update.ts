/** One optimiser step on a minibatch of pairs, and the same metrics without a step. */
import type { BackwardRequest, ForwardRequest } from "../../engine/engine.ts";
import { NotFiniteError } from "../../engine/errors.ts";
import { gatherOffsets, gatherSegments } from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import { preferenceLoss, type PreferenceLoss } from "../../algorithm/preference.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { checkFinite, gather, maskAt, type PlacedRows, scatter } from "../columns.ts";
import { placeRows } from "../episodes.ts";
import type { Collected } from "./collected.ts";
import type { PreferenceLearner } from "./learner.ts";
import type { RolloutPair } from "./pairs.ts";

/** The policy's log-probs of some pairs, and their loss. */
export interface Judged {
  /** Rollouts of the pairs, chosen before rejected. [2P] */
  members: number[];
  placed: PlacedRows;
  /** Under the current policy. [N] */
  logprob: Float64Array;
  result: PreferenceLoss;
  metrics: Metrics;
}

/** The loss of pairs under the current policy. @throws NotFiniteError if a number of the model is not finite. */
export async function judgePairs(
  spec: ExperimentSpec,
  { algorithm, actor, reference }: PreferenceLearner,
  collected: Collected,
  pairs: RolloutPair[],
): Promise<Judged> {
  const members = [...pairs.map(({ chosen }) => chosen), ...pairs.map(({ rejected }) => rejected)];
  const placed = placeRows(members.map((b) => collected.rows[b]!));
  const { rows, tokenAt } = placed;
  const { temperature } = spec.sampling;
  const mask = maskAt(rows, tokenAt);
  const asked: ForwardRequest = { rows, mask, temperature, entropy: true, kl: reference };
  const out = await actor.forward(asked);
  const logprob = gather(out.logprob, tokenAt); // [N]
  const kl = gather(out.kl!, tokenAt); // [N]
  const entropy = gather(out.entropy!, tokenAt); // [N]
  checkFinite("logprob", logprob);
  checkFinite("KL to the reference", kl);
  const refLogprob = gatherSegments(collected.batch.refLogprob!, collected.tokens, members); // [N]
  const start = gatherOffsets(collected.tokens, members); // [2P+1]
  const result = preferenceLoss(algorithm, { logprob, refLogprob, kl, start });
  const metrics = { ...pairMetrics(result), kl: mean(kl), "actor/entropy": mean(entropy) };
  return { members, placed, logprob, result, metrics };
}

/** Names of TRL's DPO trainer; those of KL as in the TDPO repository. All are means over pairs. */
function pairMetrics({ loss, reward, logps, seqKl }: PreferenceLoss): Metrics {
  const P = reward.length / 2;
  const chosen = (x: Float64Array) => x.subarray(0, P); // [P]
  const rejected = (x: Float64Array) => x.subarray(P); // [P]
  const margins = chosen(reward).map((r, p) => r - reward[P + p]!); // [P]
  return {
    loss,
    "rewards/chosen": mean(chosen(reward)),
    "rewards/rejected": mean(rejected(reward)),
    "rewards/accuracies": margins.filter((margin) => margin > 0).length / P,
    "rewards/margins": mean(margins),
    "logps/chosen": mean(chosen(logps)),
    "logps/rejected": mean(rejected(logps)),
    "kl/chosen": mean(chosen(seqKl)),
    "kl/rejected": mean(rejected(seqKl)),
    "kl/margin": mean(chosen(seqKl)) - mean(rejected(seqKl)),
  };
}

/** @throws NotFiniteError if a log-prob, KL or gradient is not finite; nothing is changed then. */
export async function updateOnPairs(
  spec: ExperimentSpec,
  learner: PreferenceLearner,
  collected: Collected,
  pairs: RolloutPair[],
): Promise<Judged> {
  const { actor, reference } = learner;
  const judged = await judgePairs(spec, learner, collected, pairs);
  const { rows, tokenAt } = judged.placed;
  const { dLogprob, dKl } = judged.result;
  const request: BackwardRequest = {
    rows,
    temperature: spec.sampling.temperature,
    dLogprob: scatter(dLogprob, tokenAt, rows), // [B, L]
    ...(dKl && { dKl: scatter(dKl, tokenAt, rows), kl: reference }), // [B, L]
  };
  await actor.backward(request);
  const norm = await actor.gradNorm(["trunk"]);
  if (!Number.isFinite(norm)) {
    actor.zeroGrads();
    throw new NotFiniteError("a gradient was not finite; the update was not made");
  }
  const { maxGradNorm, weightDecay } = spec.optimisation;
  // torch.nn.utils.clip_grad_norm_: factor limit / (norm + 1e-6), at most 1.
  if (maxGradNorm > 0 && norm > maxGradNorm)
    actor.scaleGrads(maxGradNorm / (norm + 1e-6), ["trunk"]);
  const { lr } = spec.preference!;
  await actor.update({ lr: { trunk: lr }, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay });
  const step = { "actor/grad_norm": norm, "actor/lr": lr };
  return { ...judged, metrics: { ...judged.metrics, ...step } };
}
