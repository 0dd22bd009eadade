/**
 * Advantages that come with the batch replace computed ones, unit by unit, before any
 * normalisation.
 */
import { broadcast, segmentMean } from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";

export interface AdvantagePair {
  /** [K] */
  turn: Float64Array;
  /** [N] */
  token: Float64Array;
}

/** A turn's advantage on each of its tokens. [K] -> both */
export function fromTurns(turn: Float64Array, batch: TrajectoryBatch): AdvantagePair {
  return { turn, token: broadcast(turn, batch.tokenStart) };
}

/** A turn's advantage is the mean over its tokens (arXiv 2511.20718, eq. 4). [N] -> both */
export function fromTokens(token: Float64Array, batch: TrajectoryBatch): AdvantagePair {
  return { turn: segmentMean(token, batch.tokenStart), token };
}

/**
 * A token gets its own given advantage, else its turn's, else the computed one. A turn with tokens
 * that have their own gets the mean over its tokens, else its own given one, else the computed one.
 */
export function withGiven(computed: AdvantagePair, batch: TrajectoryBatch): AdvantagePair {
  const { turnAdvantage, tokenAdvantage, tokenStart } = batch;
  const turn = computed.turn.slice(); // [K]
  const token = computed.token.slice(); // [N]
  for (let k = 0; k < turn.length; k++) {
    const own = turnAdvantage?.[k] ?? NaN;
    const inside = token.subarray(tokenStart[k]!, tokenStart[k + 1]!); // [n_k], a view
    const given = tokenAdvantage?.subarray(tokenStart[k]!, tokenStart[k + 1]!); // [n_k]
    if (own === own) inside.fill((turn[k] = own));
    if (!given?.some((A) => A === A)) continue;
    given.forEach((A, t) => (inside[t] = A === A ? A : inside[t]!));
    turn[k] = mean(inside);
  }
  return { turn, token };
}

/**
 * Whether every token has a given advantage, its own or its turn's, so that none need be computed.
 */
export function allGiven(batch: TrajectoryBatch): boolean {
  const { turnAdvantage, tokenAdvantage, tokenStart } = batch;
  return batch.turnReward.every((_, k) => {
    const own = turnAdvantage?.[k] ?? NaN;
    const tokens = tokenAdvantage?.subarray(tokenStart[k]!, tokenStart[k + 1]!);
    return own === own || (tokens?.every((A) => A === A) ?? false);
  });
}
