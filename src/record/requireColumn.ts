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

export type RequiredColumn = keyof typeof keys;

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
