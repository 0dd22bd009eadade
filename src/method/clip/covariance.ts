/**
 * Clip-Cov and KL-Cov: entropy falls through the few units whose advantage and log-prob are both high, so these are picked
 * by their covariance and silenced, or tethered to the old policy.
 *
 *   cov_u = (A_u - mean A) (log pi_u - mean log pi), means over the units of the minibatch; constants
 *   Clip-Cov: PPO's clip; of the units it leaves, with covLow < cov_u < covHigh, max(1, covShare U) at random lose theirs
 *   KL-Cov:   L_u = -rho_u A_u, no clip; + covPull |log rho_u| for the max(1, covShare U) of highest covariance
 *
 * In the paper a unit is a token; at other ratio levels it is what a ratio covers, and log pi_u its tokens' mean. Counts are
 * rounded down. Which units are picked depends on the whole minibatch.
 *
 * Sources: arXiv 2505.22617; verl/trainer/ppo/core_algos.py, compute_policy_loss_clip_cov and compute_policy_loss_kl_cov.
 */
import { log } from "../../numeric/deterministic.ts";
import { permutation } from "../../numeric/rng.ts";
import { segmentLengths, segmentMean } from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import { f, open } from "../formula/tex.ts";
import type { PolicyLoss, RatioInput } from "../objective/policyTypes.ts";
import type { ClipRule } from "./clipRule.ts";
import { clippedSurrogate, minFormula, rangeBand, rangeValue } from "./range.ts";
import { lossOfUnits } from "./unitLoss.ts";

const byBatch = { weighsTokens: false, scalesRange: false, picks: true } as const;
const covariance = open`\mathrm{cov}_u &= (A_u - \bar A)\,(\log\pi_u - \overline{\log\pi}) \text{ over the minibatch}`;

export const covDrop: ClipRule = {
  ...byBatch,
  about: "as PPO, and some units of high covariance of advantage and log-prob at random (Clip-Cov)",
  says: "A ratio outside the band is clipped as in PPO; a few units of high covariance lose their gradient wherever they are.",
  settings: ["epsLow", "epsHigh", "covShare", "covLow", "covHigh"],
  verl: { token: "clip_cov" },
  verlKeys: {
    "policy_loss.clip_cov_ratio": "covShare",
    "policy_loss.clip_cov_lb": "covLow",
    "policy_loss.clip_cov_ub": "covHigh",
  },
  loss: (input) => covDropLoss(input),
  band: (numbers) => rangeBand({ ...numbers, dualClip: null }),
  objective: (unit, numbers) =>
    unit.picked ? 0 : rangeValue(unit, { ...numbers, dualClip: null }),
  formula: (terms) => {
    const { J } = terms;
    const share = f`\max(1,\ ${"settings.covShare"}·U)`;
    return [
      ...minFormula({ ...terms, hasDual: false }),
      open`${J} &\leftarrow 0 \text{ for } ${share} \text{ random ones with } ${"settings.covLow"} < \mathrm{cov}_u < ${"settings.covHigh"}`,
      covariance,
    ];
  },
};

export const covPull: ClipRule = {
  ...byBatch,
  about: "nothing: units of highest covariance are tethered to the old policy (KL-Cov)",
  says: "There is no band: the units of highest covariance of advantage and log-prob are pulled back to the old policy.",
  settings: ["covShare", "covPull"],
  verl: { token: "kl_cov" },
  verlKeys: {
    "policy_loss.kl_cov_ratio": "covShare",
    "policy_loss.ppo_kl_coef": "covPull",
  },
  loss: covPullLoss,
  band: () => ({ low: null, high: null, dual: null }),
  objective: ({ w, A, picked }, numbers) =>
    w * A - (picked ? numbers.covPull * Math.abs(log(w)) : 0),
  formula: ({ J, w, A }) => [
    open`${J} &= \begin{cases}${w}·${A} - ${"settings.covPull"}·\lvert\log ${w}\rvert & \text{the } \max(1,\ ${"settings.covShare"}·U) \text{ of highest cov}_u\\ ${w}·${A} & \text{else}\end{cases}`,
    covariance,
  ],
};

/** `order`: of the candidates, a permutation of so many; the first of them lose their gradient. */
export function covDropLoss(
  input: RatioInput,
  order: (n: number) => Int32Array = shuffled,
): PolicyLoss {
  const { clip } = input;
  let picked = new Uint8Array(0);
  const result = lossOfUnits(input, (ratio, adv, unit) => {
    const own = clippedSurrogate(ratio, adv, { ...clip, dualClip: null });
    const cov = covariances(input, adv, unit); // [U]
    const candidates = Array.from(cov.keys()).filter(
      (u) => !own.clipped[u] && cov[u]! > clip.covLow && cov[u]! < clip.covHigh,
    );
    const first = order(candidates.length).subarray(0, pickCount(clip.covShare, cov.length));
    picked = marked(
      Array.from(first, (i) => candidates[i]!),
      cov.length,
    ); // [U]
    const kept = (x: Float64Array) => x.map((v, u) => (picked[u] ? 0 : v)); // [U]
    return {
      ...own,
      loss: kept(own.loss),
      dRatio: kept(own.dRatio),
      clipped: own.clipped.map((c, u) => c | picked[u]!), // [U]
    };
  });
  // verl's fraction counts the units that were picked, and not what PPO's clip cut.
  const tokens = segmentLengths(result.unit); // [U]
  const clipped = tokens.reduce((sum, n, u) => sum + n * picked[u]!, 0) / input.adv.length;
  return { ...result, picked, shares: { ...result.shares, clipped } };
}

/** Candidates in a fixed order that follows neither their place nor their numbers. */
const shuffled = (n: number) =>
  permutation(n, { seed: n, stream: "cov-drop", iteration: 0, trajectory: 0, step: 0 });

function covPullLoss(input: RatioInput): PolicyLoss {
  const { clip } = input;
  let picked = new Uint8Array(0);
  const result = lossOfUnits(input, (ratio, adv, unit) => {
    const cov = covariances(input, adv, unit); // [U]
    const highest = Array.from(cov.keys()).sort((a, b) => cov[b]! - cov[a]! || a - b);
    picked = marked(highest.slice(0, pickCount(clip.covShare, cov.length)), cov.length); // [U]
    const pull = clip.covPull;
    return {
      loss: ratio.map((w, u) => -w * adv[u]! + (picked[u] ? pull * Math.abs(log(w)) : 0)), // [U]
      dRatio: ratio.map((w, u) => -adv[u]! + (picked[u] ? (pull * Math.sign(log(w))) / w : 0)), // [U]
      clipped: new Uint8Array(ratio.length), // [U]
      clippedLower: new Uint8Array(ratio.length), // [U]
    };
  });
  // The pull is added; nothing is cut.
  const dLogprobCut = new Float64Array(input.adv.length); // [N]
  return { ...result, dLogprobCut, picked, shares: { ...result.shares, cut: 0 } };
}

/** cov_u of every unit. adv [U], unit [U+1] -> [U] */
function covariances({ logprob }: RatioInput, adv: Float64Array, unit: Int32Array): Float64Array {
  const own = segmentMean(logprob, unit); // [U]
  const [A, l] = [mean(adv), mean(own)];
  return adv.map((x, u) => (x - A) * (own[u]! - l));
}

const pickCount = (share: number, units: number) => Math.max(1, Math.floor(share * units));

function marked(members: readonly number[], count: number): Uint8Array<ArrayBuffer> {
  const marks = new Uint8Array(count); // [U]
  for (const u of members) marks[u] = 1;
  return marks;
}
