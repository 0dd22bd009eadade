/**
 * Token-PPO from rewards to gradients, in one pass. Every token is a step: a critic values the
 * prefix before each, and each has its own ratio.
 *
 *   L = 1/N sum_t (-gain_t + betaKl k3_t - entropyCoef H_t)
 *   gain_t = min(rho_t A_t, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_t)
 *   L_V = 1/2 1/N sum_t (V_t - R_t)^2
 *
 * To be read, not run: training computes the same from parts, as row "token-ppo" of the table says,
 * and a test compares the two. Shapes: B trajectories have K turns have N tokens. Sources: PPO,
 * arXiv 1707.06347; GAE, 1506.02438; dual clip, 1912.09729.
 */
import { exp } from "../../numeric/deterministic.ts";
import { composeOffsets } from "../../numeric/segments.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";

/** Once per iteration, over the whole batch: what each token is credited with. */
export function credit(
  batch: TrajectoryBatch,
  { gamma, lambda }: Pick<AlgorithmConfig, "gamma" | "lambda">,
) {
  const { turnStart, tokenStart, turnReward, terminated, bootstrapValue } = batch;
  const start = composeOffsets(turnStart, tokenStart); // [B+1], in tokens
  const N = start.at(-1)!;
  const value = batch.tokenValue!; // [N]

  // 1. Rewards: a turn's reward is at its last token.
  const reward = batch.tokenReward?.slice() ?? new Float64Array(N); // [N]
  turnReward.forEach((r, h) => (reward[tokenStart[h + 1]! - 1]! += r));

  // 2. Advantages: from the last token back; a truncated episode continues with its value.
  const raw = new Float64Array(N); // [N]
  for (let b = 0; b < terminated.length; b++) {
    let nextValue = terminated[b] ? 0 : bootstrapValue[b]!;
    let nextAdv = 0;
    for (let t = start[b + 1]! - 1; t >= start[b]!; t--) {
      const delta = reward[t]! + gamma * nextValue - value[t]!;
      nextAdv = raw[t] = delta + gamma * lambda * nextAdv;
      nextValue = value[t]!;
    }
  }
  const ret = raw.map((A, t) => A + value[t]!); // [N]

  // 3. Normalisation: over all tokens of the batch, counted as verl does; equal ones become 0.
  const n = N + 1e-8;
  const center = raw.reduce((sum, A) => sum + A, 0) / n;
  const squares = raw.reduce((sum, A) => sum + (A - center) * (A - center), 0);
  const scale = 1 / Math.sqrt(((squares / n) * N) / (N - 1) + 1e-8);
  const isFlat = raw.every((A) => A === raw[0]);
  const adv = raw.map((A) => (isFlat ? 0 : (A - center) * scale)); // [N]
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
  const { refLogprob } = batch;
  const logprob = batch.logprob!; // [N]
  const oldLogprob = batch.oldLogprob!; // [N]
  const value = batch.tokenNewValue!; // [N]

  // 4. Ratio: how much likelier each token has become, within e^20.
  const d = logprob.map((x, t) => x - oldLogprob[t]!); // [N]
  const ratio = d.map((x) => exp(Math.min(20, Math.max(-20, x)))); // [N]

  // 5. Clip: no gain beyond the range, and a bad token costs no more than dualClip.
  const free = ratio.map((w, t) => w * adv[t]!); // [N]
  const held = ratio.map((w, t) => Math.min(1 + epsHigh, Math.max(1 - epsLow, w)) * adv[t]!); // [N]
  const floor = adv.map((A) => (A < 0 && dualClip !== null ? dualClip * A : -Infinity)); // [N]
  const gain = free.map((x, t) => Math.max(floor[t]!, Math.min(x, held[t]!))); // [N]

  // 6. Loss: the mean over all tokens.
  const N = logprob.length;
  const weight = new Float64Array(N).fill(1 / N); // [N]
  const y = logprob.map((x, t) => (refLogprob?.[t] ?? x) - x); // [N]
  const k3 = y.map((x) => Math.min(10, exp(x) - 1 - x)); // [N]
  const tokenLoss = gain.map((x, t) => -x + betaKl * k3[t]! - entropyCoef * entropy[t]!); // [N]
  const loss = tokenLoss.reduce((sum, x, t) => sum + weight[t]! * x, 0);
  const error = value.map((V, t) => V - ret[t]!); // [N]
  const valueLoss = error.reduce((sum, e, t) => sum + 0.5 * weight[t]! * e * e, 0);

  // 7. Gradient: d(rho A)/dlogprob = rho A; a clip, of the ratio or of k3, has none.
  const ofGain = free.map((x, t) => (gain[t] === x && Math.abs(d[t]!) <= 20 ? x : 0)); // [N]
  const ofK3 = y.map((x, t) => (k3[t]! < 10 ? 1 - exp(x) : 0)); // [N]
  const dLogprob = weight.map((c, t) => c * (betaKl * ofK3[t]! - ofGain[t]!)); // [N]
  const dEntropy = weight.map((c) => -entropyCoef * c); // [N]
  const dValue = error.map((e, t) => weight[t]! * e); // [N]
  return { loss, dLogprob, dEntropy, valueLoss, dValue };
}
