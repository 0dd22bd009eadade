/** Each turn's ratio in the objective, and whether a clip cut it. */
import { exp } from "../numeric/deterministic.ts";
import { broadcast, segmentMean, segmentSum } from "../numeric/segments.ts";
import type { PolicyLoss } from "../method/objective/policyTypes.ts";
import { isTurnMean, LOG_RATIO_LIMIT, plainLogRatios } from "../method/objective/ratio.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

export interface TurnUse {
  /** The product of token ratios, or their geometric mean if the objective uses that. [K] */
  turnRatio: Float64Array;
  /** 1 if a range or dual clip cut the turn or any of its tokens. [K] */
  turnClipped: Uint8Array;
  /** 1 if a range or dual clip cut the token's unit. [N] */
  tokenClipped: Uint8Array;
}

/** logRatio, each within its limit [N]; a geometric mean takes its tokens' as they are. */
export function turnUse(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  actor: PolicyLoss,
  logRatio: Float64Array,
): TurnUse {
  const { tokenStart } = batch;
  const isOwn = config.own?.ratio !== undefined && actor.unit.length === tokenStart.length;
  const logTurn = isTurnMean(config.ratio)
    ? segmentMean(plainLogRatios(batch), tokenStart) // [K]
    : segmentSum(logRatio, tokenStart); // [K]
  const cut = actor.clipped.map((c, u) => c | actor.clippedLower[u]!); // [U]
  const tokenClipped = Uint8Array.from(broadcast(Float64Array.from(cut), actor.unit)); // [N]
  return {
    turnRatio: isOwn
      ? actor.ratio
      : logTurn.map((x) => exp(Math.min(LOG_RATIO_LIMIT, Math.max(-LOG_RATIO_LIMIT, x)))),
    turnClipped: Uint8Array.from({ length: logTurn.length }, (_, k) =>
      tokenClipped.subarray(tokenStart[k]!, tokenStart[k + 1]!).includes(1) ? 1 : 0,
    ),
    tokenClipped,
  };
}
