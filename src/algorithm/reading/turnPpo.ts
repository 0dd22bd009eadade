/**
 * Turn-PPO from rewards to gradients, in one pass. Every turn is a step: a critic values the state
 * before each, and a whole response has one ratio.
 *
 *   L = 1/B sum_b 1/N_b sum_h (-gain_h + betaKl mean_t k3_t) - entropyCoef mean_t H_t
 *   gain_h = min(rho_h A_h, clip(rho_h, 1 - epsLow, 1 + epsHigh) A_h)
 *   L_V = 1/2 1/B sum_b 1/K_b sum_h (V_h - R_h)^2
 *
 * To be read, not run: training computes the same from parts, as row "turn-ppo" of the table says,
 * and a test compares the two. Shapes: B trajectories have K turns have N tokens. Sources:
 * Turn-PPO, arXiv 2512.17008; GAE, 1506.02438; dual clip, 1912.09729.
 */
import { exp } from "../../numeric/deterministic.ts";
import {
  broadcast,
  composeOffsets,
  segmentLengths,
  segmentMean,
  segmentSum,
} from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";

/** Once per iteration, over the whole batch: what each turn is credited with. */
export function credit(
  batch: TrajectoryBatch,
  { gamma, lambda }: Pick<AlgorithmConfig, "gamma" | "lambda">,
) {
  const { turnStart, tokenStart, turnReward, terminated, bootstrapValue } = batch;
  const K = turnReward.length;
  const tokenReward = batch.tokenReward ?? new Float64Array(tokenStart.at(-1)!); // [N]
  const value = batch.turnValue!; // [K]

  // 1. Rewards: a turn's reward is the sum of everything in it.
  const inside = segmentSum(tokenReward, tokenStart); // [K]
  const reward = turnReward.map((r, h) => r + inside[h]!); // [K]

  // 2. Advantages: from the last turn back; a truncated episode continues with its value.
  const raw = new Float64Array(K); // [K]
  for (let b = 0; b < terminated.length; b++) {
    let nextValue = terminated[b] ? 0 : bootstrapValue[b]!;
    let nextAdv = 0;
    for (let h = turnStart[b + 1]! - 1; h >= turnStart[b]!; h--) {
      const delta = reward[h]! + gamma * nextValue - value[h]!;
      nextAdv = raw[h] = delta + gamma * lambda * nextAdv;
      nextValue = value[h]!;
    }
  }
  const ret = raw.map((A, h) => A + value[h]!); // [K]

  // 3. Normalisation: over all turns of the batch; equal ones become 0.
  const center = raw.reduce((sum, A) => sum + A, 0) / K;
  const squares = raw.reduce((sum, A) => sum + (A - center) * (A - center), 0);
  const scale = 1 / Math.sqrt(squares / (K - 1) + 1e-8);
  const isFlat = raw.every((A) => A === raw[0]);
  const adv = raw.map((A) => (isFlat ? 0 : (A - center) * scale)); // [K]
  return { adv, ret };
}

/** At every update: the losses and their gradients. entropy [N] */
export function objective(
  batch: TrajectoryBatch,
  { adv, ret }: ReturnType<typeof credit>,
  settings: Pick<AlgorithmConfig, "epsLow" | "epsHigh" | "dualClip" | "betaKl"> & {
    entropyCoef: number;
  },
  entropy: Float64Array,
) {
  const { epsLow, epsHigh, dualClip, betaKl, entropyCoef } = settings;
  const { turnStart, tokenStart, refLogprob } = batch;
  const start = composeOffsets(turnStart, tokenStart); // [B+1], in tokens
  const logprob = batch.logprob!; // [N]
  const oldLogprob = batch.oldLogprob!; // [N]
  const value = batch.turnNewValue!; // [K]

  // 4. Ratio: how much likelier each response has become, within e^20.
  const d = logprob.map((x, t) => x - oldLogprob[t]!); // [N]
  const bounded = d.map((x) => Math.min(20, Math.max(-20, x))); // [N]
  const dTurn = segmentSum(bounded, tokenStart); // [K]
  const ratio = dTurn.map((x) => exp(Math.min(20, Math.max(-20, x)))); // [K]

  // 5. Clip: no gain beyond the range, and a bad turn costs no more than dualClip.
  const free = ratio.map((w, h) => w * adv[h]!); // [K]
  const held = ratio.map((w, h) => Math.min(1 + epsHigh, Math.max(1 - epsLow, w)) * adv[h]!); // [K]
  const floor = adv.map((A) => (A < 0 && dualClip !== null ? dualClip * A : -Infinity)); // [K]
  const gain = free.map((x, h) => Math.max(floor[h]!, Math.min(x, held[h]!))); // [K]

  // 6. Loss: the sum over a trajectory's turns by its tokens, then the mean over trajectories.
  const [B, N] = [turnStart.length - 1, logprob.length];
  const perTurn = segmentLengths(start).map((N_b) => 1 / (B * N_b)); // [B]
  const weight = broadcast(perTurn, turnStart); // [K]
  const y = logprob.map((x, t) => (refLogprob?.[t] ?? x) - x); // [N]
  const k3 = y.map((x) => Math.min(10, exp(x) - 1 - x)); // [N]
  const kl = segmentMean(k3, tokenStart); // [K]
  const turnLoss = gain.map((x, h) => -x + betaKl * kl[h]!); // [K]
  const bonus = entropyCoef * mean(entropy);
  const loss = turnLoss.reduce((sum, x, h) => sum + weight[h]! * x, -bonus);
  const perValue = segmentLengths(turnStart).map((K_b) => 1 / (B * K_b)); // [B]
  const valueWeight = broadcast(perValue, turnStart); // [K]
  const error = value.map((V, h) => V - ret[h]!); // [K]
  const valueLoss = error.reduce((sum, e, h) => sum + 0.5 * valueWeight[h]! * e * e, 0);

  // 7. Gradient: d(rho A)/dlogprob = rho A throughout a turn; a clip, of a ratio or of k3, has none.
  const ofTurn = free.map((x, h) => (gain[h] === x && Math.abs(dTurn[h]!) <= 20 ? x : 0)); // [K]
  const ofGain = broadcast(ofTurn, tokenStart).map((x, t) => (Math.abs(d[t]!) <= 20 ? x : 0)); // [N]
  const n = broadcast(segmentLengths(tokenStart), tokenStart); // [N], tokens of the token's turn
  const ofK3 = y.map((x, t) => (k3[t]! < 10 ? (1 - exp(x)) / n[t]! : 0)); // [N]
  const tokenWeight = broadcast(weight, tokenStart); // [N]
  const dLogprob = tokenWeight.map((c, t) => c * (betaKl * ofK3[t]! - ofGain[t]!)); // [N]
  const dEntropy = logprob.map(() => -entropyCoef / N); // [N]
  const dValue = error.map((e, h) => valueWeight[h]! * e); // [K]
  return { loss, dLogprob, dEntropy, valueLoss, dValue };
}
