/** A critic of turns: where its values are read, and its loss. */
import { readTurnValues, spreadTurns } from "../credit/turnValues.ts";
import type { LossTotals } from "../objective/aggregate.ts";
import { turnValueWeights, valueLoss, type ValueLoss } from "../objective/valueLoss.ts";
import { requireColumn } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import type { Credit, EstimatorConfig } from "./estimator.ts";

/**
 * The value loss over turns, and its gradient with respect to the critic's own values: those of
 * turns, or of the tokens that a turn's value is read off. null without new values.
 * @throws InputError naming a missing value.
 */
export function turnCriticLoss(
  config: EstimatorConfig,
  batch: TrajectoryBatch,
  credit: Credit,
  totals: LossTotals,
): ValueLoss | null {
  const { valueAt } = config;
  if (!(valueAt === "state-end" ? batch.turnNewValue : batch.tokenNewValue)) return null;
  const loss = valueLoss({
    value: turnValues(config, batch, "NewValue"), // [K]
    oldValue: turnValues(config, batch, "Value"), // [K]
    ret: turnTargets(credit, batch), // [K]
    weight: turnWeights(config, batch, totals), // [K]
    clip: config.valueClip,
  });
  if (valueAt === "state-end") return loss;
  return { ...loss, dValue: spreadTurns(valueAt, loss.dValue, batch.tokenStart) }; // dValue [N]
}

/** A mean over all turns, or over each trajectory's turns first. [K] */
function turnWeights(
  { criticMean }: EstimatorConfig,
  { turnStart, turnReward }: TrajectoryBatch,
  totals: LossTotals,
): Float64Array {
  if (criticMean === "trajectories") return turnValueWeights(turnStart, totals);
  return new Float64Array(turnReward.length).fill(1 / totals.turns);
}

/**
 * One value per turn, from the turn critic or read off the token critic. [K]
 * @throws InputError naming a missing value.
 */
export function turnValues(
  { valueAt, name }: EstimatorConfig,
  batch: TrajectoryBatch,
  column: "Value" | "NewValue",
): Float64Array {
  if (valueAt === "state-end") return requireColumn(batch, `turn${column}`, name);
  return readTurnValues(valueAt, requireColumn(batch, `token${column}`, name), batch.tokenStart);
}

/** A turn's target is at its last token wherever its value is read. [K] */
function turnTargets(credit: Credit, { tokenStart }: TrajectoryBatch): Float64Array {
  if (credit.turnReturn) return credit.turnReturn;
  return Float64Array.from(tokenStart.subarray(1), (next) => credit.tokenReturn![next - 1]!); // [K]
}
