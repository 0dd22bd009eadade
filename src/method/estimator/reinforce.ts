/**
 * REINFORCE: each turn is credited with the rewards that follow it, without a baseline.
 *
 *   L = -1/B sum_b sum_t A_t log pi(y_t)
 *   without ratio and clip
 *
 * Row that differs by settings: REINFORCE with ReBN, whose returns are normalised over all turns of
 * the batch. Source: Williams 1992, Machine Learning 8, eq. 11.
 */
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { returnsToGo } from "../credit/returnsToGo.ts";
import { turnRewards } from "../credit/rewards.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { outputOf, turnReturnLine } from "../formula/parts.ts";
import { PER_TURN, returns, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";
import { f } from "../formula/tex.ts";

export const reinforce: EstimatorFacts = {
  ...returns,
  about: "the rewards from a turn on, discounted per turn",
  lesson: "reinforce",
  level: "turn",
  discount: PER_TURN,
  formula: (choices) => [
    turnReturnLine(choices),
    f`${outputOf(choices, "turn")} &= ${"turn.return"}`,
  ],
  estimate,
};

/** A_h = r_h + gamma A_{h+1} over turns, on every token of turn h */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const returns = returnsToGo(turnRewards(batch), batch.turnStart, config.gamma); // [K]
  return criticFree(fromTurns(returns, batch), { "turn.return": returns });
}
