/**
 * GRPO from rewards to gradients, in one pass. There is no critic: the rollouts of one task are
 * compared with each other.
 *
 *   L = 1/B sum_b 1/N_b sum_t (-gain_t + betaKl k3_t - entropyCoef H_t)
 *   gain_t = min(rho_t A_b, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_b)
 *
 * To be read, not run: training computes the same from parts, as row "grpo" of the table says, and
 * a test compares the two. Shapes: B trajectories have K turns have N tokens. Source: DeepSeekMath,
 * arXiv 2402.03300, sec. 4.1.
 */
import { exp } from "../../numeric/deterministic.ts";
import { broadcast, composeOffsets, segmentLengths, segmentSum } from "../../numeric/segments.ts";
import { mean, std } from "../../numeric/statistics.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";

/** Once per iteration, over the whole batch: what each token is credited with. */
export function credit(batch: TrajectoryBatch) {
  const { task, turnStart, tokenStart, turnReward } = batch;
  const start = composeOffsets(turnStart, tokenStart); // [B+1], in tokens
  const tokenReward = batch.tokenReward ?? new Float64Array(start.at(-1)!); // [N]

  // 1. Rewards: a trajectory has one reward, the sum of everything in it.
  const inside = segmentSum(tokenReward, tokenStart); // [K]
  const reward = turnReward.map((r, h) => r + inside[h]!); // [K]
  const ret = segmentSum(reward, turnStart); // [B]

  // 2. Advantages: the return minus the group's mean; of equal returns exactly 0.
  const groups = task.map((name) => ret.filter((_, c) => task[c] === name)); // B times [G]
  const baseline = groups.map((group) => {
    if (group.length === 1) return 0; // nothing to compare with
    return group.every((R) => R === group[0]) ? group[0]! : mean(group);
  }); // [B]
  const raw = ret.map((R, b) => R - baseline[b]!); // [B]

  // 3. Normalisation: by the group's standard deviation.
  const spread = groups.map((group) => (group.length === 1 ? 1 : std(group))); // [B]
  const scaled = raw.map((A, b) => A / (spread[b]! + 1e-6)); // [B]
  const adv = broadcast(scaled, start); // [N]
  return { adv, ret };
}

/** At every update: the losses and their gradients. entropy [N] */
export function objective(
  batch: TrajectoryBatch,
  { adv }: ReturnType<typeof credit>,
  settings: Pick<AlgorithmConfig, "epsLow" | "epsHigh" | "betaKl"> & { entropyCoef: number },
  entropy: Float64Array,
) {
  const { epsLow, epsHigh, betaKl, entropyCoef } = settings;
  const { turnStart, tokenStart, refLogprob } = batch;
  const start = composeOffsets(turnStart, tokenStart); // [B+1], in tokens
  const logprob = batch.logprob!; // [N]
  const oldLogprob = batch.oldLogprob!; // [N]

  // 4. Ratio: how much likelier each token has become, within e^20.
  const d = logprob.map((x, t) => x - oldLogprob[t]!); // [N]
  const ratio = d.map((x) => exp(Math.min(20, Math.max(-20, x)))); // [N]

  // 5. Clip: no gain beyond the range.
  const free = ratio.map((w, t) => w * adv[t]!); // [N]
  const held = ratio.map((w, t) => Math.min(1 + epsHigh, Math.max(1 - epsLow, w)) * adv[t]!); // [N]
  const gain = free.map((x, t) => Math.min(x, held[t]!)); // [N]

  // 6. Loss: the mean over a trajectory's tokens, then over trajectories.
  const B = turnStart.length - 1;
  const perToken = segmentLengths(start).map((N_b) => 1 / (B * N_b)); // [B]
  const weight = broadcast(perToken, start); // [N]
  const y = logprob.map((x, t) => (refLogprob?.[t] ?? x) - x); // [N]
  const k3 = y.map((x) => Math.min(10, exp(x) - 1 - x)); // [N]
  const tokenLoss = gain.map((x, t) => -x + betaKl * k3[t]! - entropyCoef * entropy[t]!); // [N]
  const loss = tokenLoss.reduce((sum, x, t) => sum + weight[t]! * x, 0);

  // 7. Gradient: d(rho A)/dlogprob = rho A; a clip, of the ratio or of k3, has none.
  const ofGain = free.map((x, t) => (gain[t] === x && Math.abs(d[t]!) <= 20 ? x : 0)); // [N]
  const ofK3 = y.map((x, t) => (k3[t]! < 10 ? 1 - exp(x) : 0)); // [N]
  const dLogprob = weight.map((c, t) => c * (betaKl * ofK3[t]! - ofGain[t]!)); // [N]
  const dEntropy = weight.map((c) => -entropyCoef * c); // [N]
  return { loss, dLogprob, dEntropy, valueLoss: null, dValue: null };
}
