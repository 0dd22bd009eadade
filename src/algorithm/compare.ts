/**
 * One frozen batch, any set of algorithms: the credit and objective of each on the same rollouts,
 * and how far they agree. A row whose inputs the batch lacks is refused with a reason; the others
 * are computed.
 */
import { pearson, ranks, variance } from "../numeric/statistics.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { InputError } from "../numeric/inputError.ts";
import type { Credit } from "../method/estimator/estimator.ts";
import { correctOnBatch } from "./clipBias.ts";
import { computeCredit } from "./credit.ts";
import { computeObjective } from "./objective.ts";
import { type Objective } from "./objectiveTypes.ts";

/** One algorithm's results on the batch. */
interface ComparedRow {
  config: AlgorithmConfig;
  /** Advantages before any normalisation, by group or by batch: in the rewards' units where the row has them. */
  raw: Credit;
  /** As the loss takes them. */
  credit: Credit;
  /** Corrected for the clipping bias if the row requests it and the batch allows it. */
  objective: Objective;
  /** What the row requests and the batch does not allow; null if there is nothing. */
  note: string | null;
}

/** A row that cannot be computed on this batch. */
export interface RefusedRow {
  config: AlgorithmConfig;
  /** What is missing, and who needs it. */
  reason: string;
}

/** How far the rows agree on one quantity; rows and columns in the order of `Comparison.rows`. */
interface RowAgreement {
  /** Linear correlation; NaN where one side is constant. [R][R] */
  pearson: number[][];
  /** Rank correlation, ties sharing their mean rank. [R][R] */
  spearman: number[][];
  /** Share of the units for which both give the same sign, among those where neither is 0; NaN if there are none. [R][R] */
  sameSign: number[][];
}

export interface Comparison {
  rows: ComparedRow[];
  refused: RefusedRow[];
  agreement: {
    /** Of turn advantages, as the loss takes them. */
    turnAdvantage: RowAgreement;
    /** Of -dL/dlogprob: how strongly each token is pushed. */
    tokenWeight: RowAgreement;
  };
  /** Unbiased variances, one per row. [R] */
  variance: { rawTurnAdvantage: number[]; turnAdvantage: number[]; tokenWeight: number[] };
}

/**
 * Runs every row on the batch, or on its own form of the same rollouts, with the critic's values that it uses. A batch without log-probs under the policy being trained counts as
 * being at its first update, where they are the old ones and every ratio is 1.
 */
export function compareRows(
  batch: TrajectoryBatch | ((config: AlgorithmConfig) => TrajectoryBatch),
  configs: readonly AlgorithmConfig[],
): Comparison {
  const batchOf = typeof batch === "function" ? batch : () => batch;
  const tried = configs.map((config) => tryRow(config, atFirst(batchOf(config))));
  const rows = tried.filter((row): row is ComparedRow => "credit" in row);
  const rawTurn = rows.map(({ raw }) => raw.turnAdvantage); // [R][K]
  const turn = rows.map(({ credit }) => credit.turnAdvantage); // [R][K]
  const weight = rows.map(({ objective }) => tokenWeight(objective)); // [R][N]
  return {
    rows,
    refused: tried.filter((row): row is RefusedRow => "reason" in row),
    agreement: { turnAdvantage: agreementOf(turn), tokenWeight: agreementOf(weight) },
    variance: {
      rawTurnAdvantage: rawTurn.map(variance),
      turnAdvantage: turn.map(variance),
      tokenWeight: weight.map(variance),
    },
  };
}

/** The row without the divisor of groups and without batch normalisation. */
export function unnormalised(config: AlgorithmConfig): AlgorithmConfig {
  return { ...config, whiten: "none", std: "none" };
}

/** -dL/dlogprob: positive where the update makes the token likelier. [N] */
export function tokenWeight({ dLogprob }: Objective): Float64Array {
  return dLogprob.map((g) => 0 - g);
}

function atFirst(batch: TrajectoryBatch): TrajectoryBatch {
  return !batch.logprob && batch.oldLogprob ? { ...batch, logprob: batch.oldLogprob } : batch;
}

function tryRow(config: AlgorithmConfig, batch: TrajectoryBatch): ComparedRow | RefusedRow {
  try {
    const credit = computeCredit(config, batch);
    if (credit.turnAdvantage.length > 0 && credit.turnAdvantage.every(Number.isNaN))
      return { config, reason: `no turn's reward is known; ${config.name} needs them` };
    const objective = computeObjective(config, batch, credit);
    return {
      config,
      raw: computeCredit(unnormalised(config), batch),
      credit,
      ...correctOnBatch(config, batch, credit, objective),
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { config, reason: error.message };
  }
}

function agreementOf(columns: readonly Float64Array[]): RowAgreement {
  const ranked = columns.map(ranks); // once for each, not once for each pair
  return {
    pearson: pairwise(columns, pearson),
    spearman: pairwise(ranked, pearson),
    sameSign: pairwise(columns, sameSign),
  };
}

function pairwise(
  columns: readonly Float64Array[],
  measure: (x: Float64Array, y: Float64Array) => number,
): number[][] {
  return columns.map((x) => columns.map((y) => measure(x, y)));
}

/** Share of equal signs among the units where neither number is 0; NaN without such a unit. x, y [n] */
export function sameSign(x: Float64Array, y: Float64Array): number {
  let [same, signed] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    if (x[i] === 0 || y[i] === 0) continue;
    signed += 1;
    if (x[i]! > 0 === y[i]! > 0) same += 1;
  }
  return same / signed;
}
