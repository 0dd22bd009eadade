/** From a whole iteration's batch to the constants of its updates. */
import { allGiven, withGiven, type AdvantagePair } from "../credit/givenAdvantage.ts";
import { VERL_COUNT_EPSILON, whitening } from "../credit/whiten.ts";
import { hasColumn } from "../record/requireColumn.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit, Estimate } from "./algorithm.ts";
import { algorithmOf } from "./bindings.ts";

/**
 * Advantages (given ones put in, then normalised over the whole batch) and returns (as they were
 * before that). Without values, an algorithm with a critic is content when every advantage is
 * given; returns are then null.
 * @throws InputError naming the first number that is missing.
 */
export function computeCredit(config: AlgorithmConfig, batch: TrajectoryBatch): Credit {
  const estimate = isContent(config, batch)
    ? nothing(batch)
    : algorithmOf(config.name).estimate(config, batch);
  const adv = normalise(config, withGiven(estimate.adv, batch));
  return {
    turnAdvantage: adv.turn,
    tokenAdvantage: adv.token,
    turnReturn: estimate.turnReturn,
    tokenReturn: estimate.tokenReturn,
    delta: estimate.delta,
    epsScale: estimate.epsScale ?? null,
    kept: null,
  };
}

function isContent({ critic }: AlgorithmConfig, batch: TrajectoryBatch): boolean {
  if (critic === "none" || !allGiven(batch)) return false;
  return !hasColumn(batch, critic === "turn" ? "turnValue" : "tokenValue");
}

function nothing(batch: TrajectoryBatch): Estimate {
  const turn = new Float64Array(batch.turnReward.length); // [K]
  const token = new Float64Array(batch.tokenStart.at(-1)!); // [N]
  return { adv: { turn, token }, turnReturn: null, tokenReturn: null, delta: null };
}

/** Whitens with the statistics of all turns or all tokens; turns and tokens are mapped alike. */
function normalise({ whiten }: AlgorithmConfig, adv: AdvantagePair): AdvantagePair {
  if (whiten === "none") return adv;
  const map = whiten === "turns" ? whitening(adv.turn) : whitening(adv.token, VERL_COUNT_EPSILON);
  return { turn: adv.turn.map(map), token: adv.token.map(map) };
}
