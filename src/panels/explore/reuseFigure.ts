/** A figure on one batch used for many updates: what the batch promises, the truth, and where the clip stops it. */
import { formatBrief, formatPercent } from "../../numeric/format.ts";
import { softmax } from "../../numeric/deterministic.ts";
import { categorical, normals, uniforms } from "../../numeric/rng.ts";
import { mean } from "../../numeric/statistics.ts";
import { clippedSurrogate } from "../../method/clip/range.ts";
import { handle, type Exploration } from "./exploration.ts";

/** Mean reward of each of six actions; a single sample has noise with this standard deviation. */
const REWARDS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const NOISE = 1.5;
/** Updates after which the figure shows the state. */
const LOOKS = [0, 1, 2, 4, 8, 16, 32];
/** The limit at the handle's right end: no clip. */
const NO_CLIP = 2;

interface SampledBatch {
  /** Sampled by the uniform policy. [n] */
  action: Int32Array;
  /** Reward minus the batch's mean. [n] */
  adv: Float64Array;
}

/**
 * One batch, used for updates until the last snapshot; a policy of six logits that starts uniform.
 */
export const reuseFigure: Exploration = {
  title: "One batch, many updates",
  handles: [
    handle("tries", "samples in the batch", [6, 200, 1], 16),
    handle("eps", "limit ε (2: no clip)", [0.1, NO_CLIP, 0.1], NO_CLIP),
    handle("rate", "step size", [0.2, 3, 0.2], 1),
    handle("draw", "draw", [1, 20, 1], 1),
  ],
  show({ tries = 6, eps = NO_CLIP, rate = 1, draw = 1 }) {
    const batch = drawBatch(tries, draw);
    const seen = train(batch, eps, rate);
    const last = seen.at(-1)!;
    return {
      unit: "updates",
      columns: LOOKS.map(String),
      rows: [
        { name: "batch promises", kind: "amount", values: seen.map(({ promised }) => promised) },
        { name: "true gain", kind: "amount", values: seen.map(({ gain }) => gain) },
        { name: "share clipped", kind: "amount", values: seen.map(({ clipped }) => clipped) },
        { name: "effective share", kind: "amount", values: seen.map(({ share }) => share) },
      ],
      says: `After 32 updates the batch promises ${formatBrief(last.promised)} more reward; the true gain is ${formatBrief(last.gain)}. The batch is worth ${formatPercent(last.share)} of its ${tries} samples.`,
    };
  },
};

function drawBatch(n: number, seed: number): SampledBatch {
  const key = { seed, stream: "explore-reuse", iteration: 0, trajectory: 0, step: 0 };
  const even = REWARDS.map(() => 1);
  const action = Int32Array.from(uniforms(key, n), (u) => categorical(even, u)); // [n]
  const noise = normals({ ...key, step: 1 }, n); // [n]
  const reward = noise.map((z, i) => REWARDS[action[i]!]! + NOISE * z); // [n]
  const centre = mean(reward);
  return { action, adv: reward.map((r) => r - centre) };
}

/** The state of the policy at each snapshot. */
function train({ action, adv }: SampledBatch, eps: number, rate: number) {
  const bound = eps >= NO_CLIP ? Infinity : eps;
  const logits = new Float64Array(REWARDS.length); // [A]
  const seen: ReturnType<typeof judge>[] = [];
  for (let step = 0; step <= LOOKS.at(-1)!; step++) {
    const pi = softmax(logits); // [A]
    const ratio = Float64Array.from(action, (a) => pi[a]! * REWARDS.length); // [n]
    const range = { epsLow: bound, epsHigh: bound, dualClip: null };
    const { dRatio, clipped } = clippedSurrogate(ratio, adv, range);
    if (LOOKS.includes(step)) seen.push(judge({ pi, ratio, adv, clipped }));
    ascend(logits, { pi, action, pull: dRatio.map((x, i) => (-x * ratio[i]!) / adv.length) }, rate);
  }
  return seen;
}

interface JudgedPolicy {
  /** [A] */
  pi: Float64Array;
  /** [n] */
  ratio: Float64Array;
  /** [n] */
  adv: Float64Array;
  /** [n] */
  clipped: Uint8Array;
}

function judge({ pi, ratio, adv, clipped }: JudgedPolicy) {
  const total = ratio.reduce((sum, w) => sum + w, 0);
  const squares = ratio.reduce((sum, w) => sum + w * w, 0);
  return {
    /** The objective without its clip, relative to the start: advantages sum to 0. */
    promised: mean(ratio.map((w, i) => (w - 1) * adv[i]!)),
    gain: pi.reduce((sum, p, a) => sum + p * REWARDS[a]!, 0) - mean(REWARDS),
    clipped: mean(clipped),
    /** Effective sample size as a share of the batch (Kong 1992). */
    share: total ** 2 / (ratio.length * squares),
  };
}

interface Pull {
  /** [A] */
  pi: Float64Array;
  /** [n] */
  action: Int32Array;
  /** d objective / d log-probability of each sample's action. [n] */
  pull: Float64Array;
}

/** One step of gradient ascent, in place: d log pi(a) / d logit b = 1{a = b} - pi(b). */
function ascend(logits: Float64Array, { pi, action, pull }: Pull, rate: number): void {
  const all = pull.reduce((sum, x) => sum + x, 0);
  const step = pi.map((p) => -p * all); // [A]
  action.forEach((a, i) => (step[a]! += pull[i]!));
  step.forEach((x, a) => (logits[a]! += rate * x));
}
