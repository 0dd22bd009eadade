/** A batch filter that an experiment defines: its input, and its checked result. */
import { trajectoryScores, turnRewards } from "../method/credit/rewards.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { segmentLengths } from "../numeric/segments.ts";
import type { OwnFilterInput } from "../record/definitions.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { callOf, numberedTasks, rowSettings } from "./ownCode.ts";

/** 1 for the trajectories that the row's own filter keeps. [B] @throws InputError unless it says so of each. */
export function ownKept(config: AlgorithmConfig, batch: TrajectoryBatch): Uint8Array {
  const who = `${config.own!.filter!}: keep`;
  const found = callOf(config, "filter")(filterInput(config, batch));
  const B = batch.task.length;
  // A list of numbers alone crosses as one of numbers.
  const list: unknown = ArrayBuffer.isView(found) ? Array.from(found as Float64Array) : found;
  if (!Array.isArray(list) || list.length !== B)
    throw new InputError(`${who} must return a list with true or false for each of ${B} episodes`);
  const wrong = list.findIndex((one) => typeof one !== "boolean");
  if (wrong >= 0)
    throw new InputError(
      `${who} returned ${show(list[wrong])} as [${wrong}]; it must be true or false`,
    );
  return Uint8Array.from(list, Number);
}

function filterInput(config: AlgorithmConfig, batch: TrajectoryBatch): OwnFilterInput {
  const { task, turnStart, tokenStart, success } = batch;
  const group = numberedTasks(task); // [B]
  const score = trajectoryScores(batch); // [B]
  const rewards = turnRewards(batch); // [K]
  const lengths = Float64Array.from(segmentLengths(tokenStart)); // [K]
  const episodes = task.map((_, b) => {
    const [from, to] = [turnStart[b]!, turnStart[b + 1]!];
    return {
      group: group[b]!,
      score: score[b]!,
      success: success && Number.isFinite(success[b]) ? success[b] === 1 : null,
      rewards: rewards.slice(from, to),
      lengths: lengths.slice(from, to),
    };
  });
  return { episodes, settings: rowSettings(config) };
}
