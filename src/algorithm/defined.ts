/** Estimators that an experiment defines: converts a row's batch to their input, and their result to an estimate. */
import { fromTokens, fromTurns } from "../method/credit/givenAdvantage.ts";
import type { Estimate } from "../method/credit/estimate.ts";
import { bootstraps, tokenRewards, turnRewards } from "../method/credit/rewards.ts";
import { NO_TRACE } from "../method/credit/trace.ts";
import { tokenTargets } from "../method/credit/turnValues.ts";
import { composeOffsets } from "../numeric/segments.ts";
import type {
  EstimatorEpisode,
  EstimatorEpisodeResult,
  EstimatorInput,
} from "../record/definitions.ts";
import { requireColumn } from "../method/requireColumn.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { type AlgorithmConfig } from "../spec/algorithms.ts";
import { baselineFacts } from "../method/baselines.ts";
import { InputError } from "../numeric/inputError.ts";
import { callOf, checkNumbers, numberedTasks, rowSettings } from "./ownCode.ts";
import { turnValues } from "../method/estimator/turnCritic.ts";

/** The estimate of the row's defined estimator on the batch. @throws InputError naming what is missing or wrong. */
export function definedEstimate(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const call = callOf(config, "estimator");
  return estimateOfResult(config, batch, call(estimatorInput(config, batch)));
}

/** The batch episode by episode. @throws InputError naming a column that is missing. */
function estimatorInput(config: AlgorithmConfig, batch: TrajectoryBatch): EstimatorInput {
  const { gamma, lambda } = config;
  return { episodes: episodesOf(config, batch), gamma, lambda, settings: rowSettings(config) };
}

function episodesOf(config: AlgorithmConfig, batch: TrajectoryBatch): EstimatorEpisode[] {
  const { turnStart, tokenStart } = batch;
  const ofTurns = columnsOfTurns(config, batch);
  const ofTokens = columnsOfTokens(config, batch);
  const firstToken = composeOffsets(turnStart, tokenStart); // [B+1]
  const group = numberedTasks(batch.task); // [B]
  const bootstrap = bootstraps(batch); // [B]
  return batch.task.map((_, b) => {
    const turns = cut(ofTurns, turnStart[b]!, turnStart[b + 1]!);
    const tokens = cut(ofTokens, firstToken[b]!, firstToken[b + 1]!);
    return {
      group: group[b]!,
      terminated: batch.terminated[b]!,
      bootstrap: bootstrap[b]!,
      ...(batch.greedyScore && { greedyScore: batch.greedyScore[b]! }),
      turns,
      tokens: { ...tokens, turns: tokens.turns.map((k) => k - turnStart[b]!) },
    };
  });
}

type EstimatorColumns = Record<string, Float64Array | null>;

/** Each column's part of one episode. */
function cut<T extends EstimatorColumns>(columns: T, from: number, to: number): T {
  const parts = Object.entries(columns).map(([name, x]) => [name, x && x.slice(from, to)]);
  return Object.fromEntries(parts) as T;
}

function columnsOfTurns(config: AlgorithmConfig, batch: TrajectoryBatch) {
  const { tokenStart, anchor, turnGain } = batch;
  const valued = baselineFacts(config.baseline).critic === "turn";
  return {
    rewards: turnRewards(batch), // [K]
    values: valued ? turnValues(config, batch, "Value") : null, // [K]
    lengths: Float64Array.from(batch.turnReward, (_, k) => tokenStart[k + 1]! - tokenStart[k]!), // [K]
    ...(anchor && { anchors: numberedTasks(anchor) }), // [K]
    ...(turnGain && { gains: turnGain }), // [K]
  };
}

function columnsOfTokens(config: AlgorithmConfig, batch: TrajectoryBatch) {
  const { tokenStart } = batch;
  const turns = new Float64Array(tokenStart.at(-1)!); // [N]
  batch.turnReward.forEach((_, k) => turns.fill(k, tokenStart[k], tokenStart[k + 1]));
  const valued = baselineFacts(config.baseline).critic === "token";
  return {
    rewards: tokenRewards(batch), // [N]
    values: valued ? requireColumn(batch, "tokenValue", config.name) : null, // [N]
    turns,
    logprobs: batch.oldLogprob ?? null, // [N]
  };
}

type ResultField = keyof EstimatorEpisodeResult;

/** What the code returned, checked: one result per episode, all of them with the same fields. */
function estimateOfResult(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  result: unknown,
): Estimate {
  const column = columnReader(nameOf(config), batch, result);
  const adv = column("advantages", "turn");
  const tokenAdv = column("tokenAdvantages", "token");
  if ((adv === null) === (tokenAdv === null))
    throw wrong(
      nameOf(config),
      "must return either advantages or tokenAdvantages for each episode",
    );
  const { critic } = baselineFacts(config.baseline);
  const ret = critic === "turn" ? column("returns", "turn") : null; // [K]
  const tokenRet = critic === "token" ? column("tokenReturns", "token") : null; // [N]
  if (critic && !ret && !tokenRet)
    throw wrong(
      nameOf(config),
      `must also return ${critic === "turn" ? "returns" : "tokenReturns"}: the critic of ${config.name} learns them`,
    );
  const { valueAt } = config;
  // Values that are read from a token critic have their targets there too.
  const spread =
    ret && valueAt !== "state-end" ? tokenTargets(valueAt, ret, batch.tokenStart) : null; // [N]
  return {
    adv: adv ? fromTurns(adv, batch) : fromTokens(tokenAdv!, batch),
    turnReturn: spread ? null : ret,
    tokenReturn: spread ?? tokenRet,
    delta: column("deltas", "turn") ?? column("tokenDeltas", "token"),
    trace: NO_TRACE,
  };
}

/** Reads one field of all episodes as a column of the batch; null if no episode has it. */
function columnReader(name: string, batch: TrajectoryBatch, result: unknown) {
  const { turnStart, tokenStart } = batch;
  const firstToken = composeOffsets(turnStart, tokenStart); // [B+1]
  const B = batch.task.length;
  if (!Array.isArray(result) || result.length !== B)
    throw wrong(name, `must return a list with one result for each of ${B} episodes`);
  const episodes = result as Partial<Record<ResultField, unknown>>[];
  return (field: ResultField, unit: "turn" | "token"): Float64Array | null => {
    if (episodes.every((one) => one?.[field] === undefined)) return null;
    const start = unit === "turn" ? turnStart : firstToken;
    const column = new Float64Array(start.at(-1)!); // [K] or [N]
    for (const [b, one] of episodes.entries()) {
      const numbers = one?.[field];
      const length = start[b + 1]! - start[b]!;
      checkNumbers(`${name}: estimate`, `[${b}].${field}`, numbers, length);
      column.set(numbers, start[b]!);
    }
    return column;
  };
}

function nameOf({ own }: AlgorithmConfig): string {
  return own!.estimator!;
}

function wrong(name: string, what: string): InputError {
  return new InputError(`${name}: estimate ${what}`);
}
