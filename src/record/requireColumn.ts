/** Columns a batch may lack, and the sentence that says where one is missing. */
import { InputError } from "../spec/inputError.ts";
import type { TrajectoryBatch } from "./trajectoryBatch.ts";

const keys = {
  turnValue: "value",
  turnNewValue: "newValue",
  tokenValue: "value",
  tokenNewValue: "newValue",
  turnGain: "gain",
  logprob: "logprob",
  oldLogprob: "oldLogprob",
  refLogprob: "refLogprob",
} as const;

type RequiredColumn = keyof typeof keys;

/** Whether every unit has a number in the column. */
export function hasColumn(batch: TrajectoryBatch, name: RequiredColumn): boolean {
  return batch[name]?.every((x) => x === x) ?? false;
}

/**
 * The whole column. [K] or [N]
 * @throws InputError naming the first unit without the number and who needs it.
 */
export function requireColumn(
  batch: TrajectoryBatch,
  name: RequiredColumn,
  user: string,
): Float64Array {
  const column = batch[name];
  if (column && hasColumn(batch, name)) return column;
  const missing = column ? column.findIndex((x) => x !== x) : 0;
  const path = name.startsWith("turn") ? turnPath(batch, missing) : tokenPath(batch, missing);
  throw new InputError(`${path}.${keys[name]} is missing; ${user} needs it`);
}

/**
 * Score of the greedy rollout of each trajectory's task. [B]
 * @throws InputError naming the first trajectory without it and who needs it.
 */
export function requireGreedyScore(batch: TrajectoryBatch, user: string): Float64Array {
  const missing = batch.task.findIndex((_, b) => Number.isNaN(batch.greedyScore?.[b] ?? NaN));
  if (batch.greedyScore && missing < 0) return batch.greedyScore;
  throw new InputError(`trajectories[${missing}].greedyScore is missing; ${user} needs it`);
}

/**
 * Names of the states before the turns. [K]
 * @throws InputError naming who needs them where the batch has none.
 */
export function requireAnchor(batch: TrajectoryBatch, user: string): string[] {
  if (batch.anchor) return batch.anchor;
  throw new InputError(`${turnPath(batch, 0)}.anchor is missing; ${user} needs it`);
}

/**
 * Gains of information; a trajectory's last turn, which answers, needs none and may have NaN. [K]
 * @throws InputError naming the first other turn without one and who needs it.
 */
export function requireGains(batch: TrajectoryBatch, user: string): Float64Array {
  const gain = batch.turnGain ?? new Float64Array(batch.turnReward.length).fill(NaN); // [K]
  const answers = new Set(batch.turnStart.subarray(1));
  const missing = gain.findIndex((x, k) => x !== x && !answers.has(k + 1));
  if (missing < 0) return gain;
  throw new InputError(`${turnPath(batch, missing)}.gain is missing; ${user} needs it`);
}

/** Segment that holds element i. */
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
