/** What the algorithms with a value per turn share: the value, the returns, the value loss. */
import { gae } from "../credit/gae.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { bootstraps, turnRewards } from "../credit/rewards.ts";
import { readTurns, spreadTurns, tokenTargets } from "../credit/turnValues.ts";
import { valueLoss, type ValueLoss } from "../objective/valueLoss.ts";
import { requireColumn } from "../record/requireColumn.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit, Estimate } from "./algorithm.ts";

/** GAE over turns on the values that valueAt names. @throws InputError naming a missing value. */
export function turnEstimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const { valueAt, gamma, lambda } = config;
  const { delta, adv, ret } = gae({
    reward: turnRewards(batch), // [K]
    value: turnValues(config, batch, "Value"), // [K]
    start: batch.turnStart, // [B+1]
    bootstrap: bootstraps(batch), // [B]
    gamma,
    lambda,
  });
  const ofToken = valueAt === "state-end" ? null : tokenTargets(valueAt, ret, batch.tokenStart); // [N]
  return {
    adv: fromTurns(adv, batch),
    turnReturn: ofToken ? null : ret,
    tokenReturn: ofToken,
    delta,
  };
}

/**
 * The value loss over turns, and its gradient with respect to the critic's own values: those of
 * turns, or of the tokens that a turn's value is read off. null without new values. weight [K]
 * @throws InputError naming a missing value.
 */
export function turnCriticLoss(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  weight: Float64Array,
): ValueLoss | null {
  const { valueAt } = config;
  if (!(valueAt === "state-end" ? batch.turnNewValue : batch.tokenNewValue)) return null;
  const loss = valueLoss({
    value: turnValues(config, batch, "NewValue"), // [K]
    oldValue: turnValues(config, batch, "Value"), // [K]
    ret: turnTargets(credit, batch), // [K]
    weight,
    clip: config.valueClip,
  });
  if (valueAt === "state-end") return loss;
  return { ...loss, dValue: spreadTurns(valueAt, loss.dValue, batch.tokenStart) }; // dValue [N]
}

/** One value per turn, from the turn critic or read off the token critic. [K] */
function turnValues(
  { valueAt, name }: AlgorithmConfig,
  batch: TrajectoryBatch,
  column: "Value" | "NewValue",
): Float64Array {
  if (valueAt === "state-end") return requireColumn(batch, `turn${column}`, name);
  return readTurns(valueAt, requireColumn(batch, `token${column}`, name), batch.tokenStart);
}

/** A turn's target stands at its last token wherever its value is read. [K] */
function turnTargets(credit: Credit, { tokenStart }: TrajectoryBatch): Float64Array {
  if (credit.turnReturn) return credit.turnReturn;
  return Float64Array.from(tokenStart.subarray(1), (next) => credit.tokenReturn![next - 1]!); // [K]
}
