/**
 * REINFORCE: each turn is paid the rewards that follow it; there is nothing to compare them with.
 *
 *   L = -1/B sum_b sum_t A_t log pi(y_t)
 *   without ratio and clip
 *
 * Row that differs by settings: REINFORCE with ReBN, whose returns are normalised over all turns of the batch.
 * Source: Williams 1992, Machine Learning 8, eq. 11.
 */
import { criticFree, type Estimate } from "../method/credit/estimate.ts";
import { fromTurns } from "../method/credit/givenAdvantage.ts";
import { returnsToGo } from "../method/credit/returnsToGo.ts";
import { turnRewards } from "../method/credit/rewards.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/** A_h = r_h + gamma A_{h+1} over turns, on every token of turn h */
export function estimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const returns = returnsToGo(turnRewards(batch), batch.turnStart, config.gamma); // [K]
  return criticFree(fromTurns(returns, batch), { "turn.return": returns });
}

/** There is no critic. */
export { criticLoss } from "./grpo.ts";
