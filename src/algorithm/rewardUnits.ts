/**
 * Conversion between scaled rewards, which training uses, and the environment's, which people read.
 */
import type { Normalisation } from "../method/credit/whiten.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit } from "../method/estimator/estimator.ts";
import { advantagesAreRewards, computeCredit, estimateOf } from "./credit.ts";

/**
 * Rewards, values, returns and TD errors divided by the scale, and advantages if the algorithm has
 * them in units of reward; normalised ones stay.
 */
export function inRewardUnits(
  algorithm: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  rewardScale: number,
): { batch: TrajectoryBatch; credit: Credit } {
  const unscaled = (x: Float64Array) => x.map((number) => number / rewardScale);
  const advantage = (x: Float64Array) => (advantagesAreRewards(algorithm) ? unscaled(x) : x);
  const { turnReturn, tokenReturn, delta } = credit;
  return {
    batch: mapRewards(batch, unscaled, advantage),
    credit: {
      ...credit,
      turnAdvantage: advantage(credit.turnAdvantage), // [K]
      tokenAdvantage: advantage(credit.tokenAdvantage), // [N]
      turnReturn: turnReturn && unscaled(turnReturn), // [K]
      tokenReturn: tokenReturn && unscaled(tokenReturn), // [N]
      delta: delta && unscaled(delta), // [K] or [N]
    },
  };
}

/**
 * The credit of training on scaled rewards, for a batch in the environment's units: the small
 * constant beside a standard deviation weighs more if rewards are small. Returns are in the
 * environment's units again; `whole`, as in `computeCredit`, is of the advantages as recorded,
 * before they are normalised.
 */
export function creditUnderScale(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  rewardScale: number,
  whole: Normalisation | null = null,
): Credit {
  if (!dependsOnRewardScale(config) || rewardScale === 1)
    return computeCredit(config, batch, whole);
  const inRewards = advantagesAreRewards({ ...config, whiten: "none" });
  const factor = inRewards ? rewardScale : 1;
  const scaled = scaleRewards(batch, rewardScale, factor);
  const penalty = { ...config, betaKlReward: config.betaKlReward * rewardScale };
  const { mean = 0, divisor = 1 } = whole ?? {};
  const own = whole && { mean: mean * factor, divisor: divisor * factor };
  const made = computeCredit(penalty, scaled, own);
  // Intermediates are in the environment's units and need no conversion.
  const trace = estimateOf(config, batch).trace;
  const plain = computeCredit(config, batch, whole);
  const credit = inRewardUnits(config, scaled, made, rewardScale).credit;
  return {
    ...credit,
    turnAdvantage: countedInRewards(plain.turnAdvantage, credit.turnAdvantage, rewardScale),
    tokenAdvantage: countedInRewards(plain.tokenAdvantage, credit.tokenAdvantage, rewardScale),
    trace,
  };
}

/**
 * Advantages under the scale, except those that are in units of reward anyway: a group of one has
 * nothing to be compared with and keeps its score, and defined code need not divide. They are the
 * ones that grow with the scale. Both [K] or [N]
 */
function countedInRewards(plain: Float64Array, scaled: Float64Array, rewardScale: number) {
  return scaled.map((A, i) => {
    const grown = plain[i]! * rewardScale;
    return Math.abs(grown - A) <= ROUNDING * Math.abs(A) ? plain[i]! : A;
  });
}

/** Relative difference of two ways to compute one number. */
const ROUNDING = 1e-9;

/** Whether the scale of rewards changes more of the advantages than their unit. */
export function dependsOnRewardScale(config: AlgorithmConfig): boolean {
  return !advantagesAreRewards(config);
}

/** Everything in units of reward, times a factor; `given`: the factor of given advantages. */
export function scaleRewards(batch: TrajectoryBatch, factor: number, given = 1): TrajectoryBatch {
  const times = (by: number) => (x: Float64Array) => x.map((y) => y * by);
  return mapRewards(batch, times(factor), times(given));
}

/** Columns in units of reward, and those of given advantages. */
const REWARDS = [
  ...(["turnReward", "tokenReward", "bootstrapValue", "greedyScore"] as const),
  ...(["turnFormat", "turnProcess"] as const),
  ...(["turnValue", "turnNewValue", "tokenValue", "tokenNewValue"] as const),
];
const GIVEN = ["turnAdvantage", "tokenAdvantage"] as const;

/** The batch with every such column mapped. */
function mapRewards(
  batch: TrajectoryBatch,
  reward: (x: Float64Array) => Float64Array,
  given: (x: Float64Array) => Float64Array,
): TrajectoryBatch {
  const mapped = { ...batch };
  for (const name of REWARDS) if (batch[name]) mapped[name] = reward(batch[name]);
  for (const name of GIVEN) if (batch[name]) mapped[name] = given(batch[name]);
  return mapped;
}
