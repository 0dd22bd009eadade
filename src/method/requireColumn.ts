/** Columns that a batch may lack, and the error for a missing one. */
import { InputError } from "../numeric/inputError.ts";
import type { TrajectoryBatch } from "./trajectoryBatch.ts";

const keys = {
  turnValue: "value",
  turnNewValue: "newValue",
  tokenValue: "value",
  tokenNewValue: "newValue",
  turnGain: "gain",
  turnFormat: "format",
  logprob: "logprob",
  oldLogprob: "oldLogprob",
  refLogprob: "refLogprob",
  rolloutLogprob: "rolloutLogprob",
  sumPiSquared: "sumPiSquared",
} as const;

type RequiredColumn = keyof typeof keys;

/** A column of a batch lacks a number that a row needs. */
export class MissingColumnError extends InputError {
  override name = "MissingColumnError";
  /** "tokens": a column of tokens is missing because there are no tokens. */
  readonly column: RequiredColumn | "greedyScore" | "success" | "anchor" | "action" | "tokens";

  constructor(column: MissingColumnError["column"], path: string, user: string) {
    super(`${path} is missing; ${user} needs it`);
    this.column = column;
  }
}

/** Whether every unit has a number in the column. */
export function hasColumn(batch: TrajectoryBatch, name: RequiredColumn): boolean {
  return batch[name]?.every((x) => x === x) ?? false;
}

/**
 * The whole column. [K] or [N]
 * @throws MissingColumnError naming the first unit without the number and what needs it.
 */
export function requireColumn(
  batch: TrajectoryBatch,
  name: RequiredColumn,
  user: string,
): Float64Array {
  const column = batch[name];
  if (column && hasColumn(batch, name)) return column;
  const missing = column ? column.findIndex((x) => x !== x) : 0;
  const ofTurns = name.startsWith("turn");
  const path = ofTurns ? turnPath(batch, missing) : tokenPath(batch, missing);
  const noTokens = !ofTurns && batch.tokenStart.at(-1) === 0;
  throw new MissingColumnError(noTokens ? "tokens" : name, `${path}.${keys[name]}`, user);
}

/**
 * A number of each trajectory: the score of its task's greedy rollout, or whether it solved the
 * task. [B]
 * @throws MissingColumnError naming the first trajectory without it and what needs it.
 */
export function requireOfTrajectories(
  batch: TrajectoryBatch,
  name: "greedyScore" | "success",
  user: string,
): Float64Array {
  const column = batch[name];
  const missing = batch.task.findIndex((_, b) => Number.isNaN(column?.[b] ?? NaN));
  if (column && missing < 0) return column;
  throw new MissingColumnError(name, `trajectories[${missing}].${name}`, user);
}

/**
 * Names of the states before the turns. [K]
 * @throws MissingColumnError naming what needs them if the batch has none.
 */
export function requireAnchor(batch: TrajectoryBatch, user: string): string[] {
  if (batch.anchor) return batch.anchor;
  throw new MissingColumnError("anchor", `${turnPath(batch, 0)}.anchor`, user);
}

/**
 * Names of the turns' actions. [K]
 * @throws MissingColumnError naming what needs them if the batch has none.
 */
export function requireAction(batch: TrajectoryBatch, user: string): string[] {
  if (batch.action) return batch.action;
  throw new MissingColumnError("action", `${turnPath(batch, 0)}.action`, user);
}

/**
 * Information gains; a trajectory's last turn, which answers, needs none and may have NaN. [K]
 * @throws MissingColumnError naming the first other turn without one and what needs it.
 */
export function requireGains(batch: TrajectoryBatch, user: string): Float64Array {
  const gain = batch.turnGain ?? new Float64Array(batch.turnReward.length).fill(NaN); // [K]
  const answers = new Set(batch.turnStart.subarray(1));
  const missing = gain.findIndex((x, k) => x !== x && !answers.has(k + 1));
  if (missing < 0) return gain;
  throw new MissingColumnError("turnGain", `${turnPath(batch, missing)}.gain`, user);
}

/** Segment that contains element i. */
function segmentOf(start: Int32Array, i: number): number {
  return start.findIndex((offset) => offset > i) - 1;
}

function turnPath(batch: TrajectoryBatch, k: number): string {
  const b = segmentOf(batch.turnStart, k);
  return `trajectories[${b}].turns[${k - batch.turnStart[b]!}]`;
}

function tokenPath(batch: TrajectoryBatch, n: number): string {
  const k = segmentOf(batch.tokenStart, n);
  return `${turnPath(batch, k)}.tokens[${n - batch.tokenStart[k]!}]`;
}
