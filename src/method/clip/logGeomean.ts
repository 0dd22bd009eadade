/**
 * GMPO: each token's log-ratio is clipped on the side that would raise the objective, then pooled.
 *
 *   d'_t = min(d_t, epsHigh) where A_t > 0, max(d_t, -epsLow) where A_t < 0, 0 where A_t = 0
 *   L_b  = -exp(mean of d'_t over the trajectory) A_b
 *
 * The range is one of log-ratios, not of ratios. A clipped token keeps its part in the mean and
 * loses its gradient. Other ratio levels pool d' in their own way.
 *
 * Source: GMPO, arXiv 2507.20673, eq. 4; verl/trainer/ppo/core_algos.py,
 * compute_policy_loss_geo_mean.
 */
import { exp } from "../../numeric/deterministic.ts";
import { segmentLengths, segmentSum, singletons } from "../../numeric/segments.ts";
import { clipShares } from "../objective/clipShares.ts";
import type { ClipRange, PolicyLoss, RatioInput } from "../objective/policyTypes.ts";
import { plainLogRatios, poolLogRatios, throughRatio, tokenLogRatios } from "../objective/ratio.ts";
import type { ClipRule } from "./clipRule.ts";
import { f, open } from "../formula/tex.ts";

/** verl's: added to the token counts of both means. */
const COUNT_EPSILON = 1e-8;

export const logGeomean: ClipRule = {
  about: "each token's log-ratio, to -epsLow .. epsHigh, before the geometric mean (GMPO)",
  says: "A token's log-ratio is limited to the band: above if A > 0, below if A < 0.",
  settings: ["epsLow", "epsHigh"],
  verl: { "sequence-geomean": "geo_mean" },
  weighsTokens: false,
  scalesRange: false,
  loss: logGeomeanLoss,
  // The range is of token log-ratios, however they are pooled afterwards.
  band: ({ epsLow, epsHigh }) => ({ low: -epsLow, high: epsHigh, dual: null, ofTokens: true }),
  objective: ({ w, A }) => w * A,
  formula: ({ J, w, A }) => [f`${J} &= ${w}·${A}`],
  held: {
    of: holdLogRatio,
    formula: (A) => {
      const d = "token.logRatio";
      const up = f`\min\big(${d},\, ${"settings.epsHigh"}\big)`;
      const down = f`\max\big(${d},\, -${"settings.epsLow"}\big)`;
      return open`${"token.clippedLogRatio"} &= \begin{cases}${up} & ${A} > 0\\ ${down} & ${A} < 0\end{cases}`;
    },
  },
};

/** Units are tokens: they are what is clipped. There is no dual clip. */
function logGeomeanLoss(input: RatioInput): PolicyLoss {
  const { level, offsets, adv } = input;
  const d = plainLogRatios(input); // [N]
  const held = d.map((x, t) => holdLogRatio(x, adv[t]!, input.clip)); // [N]
  const ratios = poolLogRatios(level, held, offsets, COUNT_EPSILON);
  const free = poolLogRatios(level, d, offsets, COUNT_EPSILON);
  const n = segmentLengths(ratios.unit); // [U]
  const A = segmentSum(adv, ratios.unit).map((sum, u) => sum / (n[u]! + COUNT_EPSILON)); // [U]
  const weight = segmentSum(input.weight, ratios.unit); // [U]
  const negative = A.map((x) => -x); // [U]
  const moves = held.map((x, t) => (x === d[t] && adv[t] !== 0 ? 1 : 0)); // [N]
  const kept = throughRatio(negative, weight, ratios).map((g, t) => (moves[t] ? g : 0)); // [N]
  const whole = throughRatio(negative, weight, free); // [N]
  const result = {
    dLogprob: kept,
    dLogprobCut: whole.map((g, t) => g - kept[t]!),
    unit: singletons(d.length),
    ratio: tokenLogRatios(input.logprob, input.oldLogprob).map(exp),
    clipped: Uint8Array.from(held, (x, t) => (x !== d[t] && adv[t] !== 0 ? 1 : 0)), // [N]
    clippedLower: new Uint8Array(d.length), // [N]
  };
  return {
    loss: negative.reduce((sum, x, u) => sum + x * ratios.ratio[u]! * weight[u]!, 0),
    ...result,
    shares: { ...clipShares(result), ...outside(d, adv, input.clip) },
  };
}

/** d' of one token: see above. */
function holdLogRatio(d: number, A: number, { epsLow, epsHigh }: ClipRange): number {
  if (A > 0) return Math.min(d, epsHigh);
  return A < 0 ? Math.max(d, -epsLow) : 0;
}

/**
 * verl's two fractions of GMPO: tokens outside of the range on either side, with A > 0 and with
 * A < 0. They count tokens that keep their gradient too. Both [N].
 */
function outside(d: Float64Array, adv: Float64Array, { epsLow, epsHigh }: ClipRange) {
  const beyond = (x: number) => x < -epsLow || x > epsHigh;
  const share = (counts: (t: number) => boolean) =>
    d.reduce((sum, x, t) => sum + (beyond(x) && counts(t) ? 1 : 0), 0) / d.length;
  return { clipped: share((t) => adv[t]! > 0), clippedLower: share((t) => adv[t]! < 0) };
}
