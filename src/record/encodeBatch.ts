/**
 * Writes a batch as the file that `decodeBatch` reads: what the page exports and the command line
 * reads.
 */
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { JsonObject } from "../spec/jsonText.ts";

/** Nested plain objects; a missing number of a unit is left out. */
export function encodeBatch(batch: TrajectoryBatch): { trajectories: JsonObject[] } {
  const { turnStart, tokenStart } = batch;
  const turns = (b: number) =>
    range(turnStart[b]!, turnStart[b + 1]!).map((k) => ({
      ...turnFields(batch, k),
      tokens: range(tokenStart[k]!, tokenStart[k + 1]!).map((n) => tokenFields(batch, n)),
    }));
  return {
    trajectories: batch.task.map((task, b) => ({
      task,
      terminated: batch.terminated[b]!,
      ...known({
        bootstrapValue: batch.terminated[b] ? undefined : batch.bootstrapValue[b]!,
        greedyScore: batch.greedyScore?.[b],
      }),
      ...(batch.success && !Number.isNaN(batch.success[b]) && { success: batch.success[b] === 1 }),
      ...(batch.finalAnchor && { finalAnchor: batch.finalAnchor[b]! }),
      turns: turns(b),
    })),
  };
}

function turnFields(batch: TrajectoryBatch, k: number): JsonObject {
  return {
    ...known({
      reward: batch.turnReward[k],
      value: batch.turnValue?.[k],
      newValue: batch.turnNewValue?.[k],
      advantage: batch.turnAdvantage?.[k],
      gain: batch.turnGain?.[k],
      format: batch.turnFormat?.[k],
      process: batch.turnProcess?.[k],
    }),
    ...(batch.anchor && { anchor: batch.anchor[k]! }),
    ...(batch.action && { action: batch.action[k]! }),
  };
}

function tokenFields(batch: TrajectoryBatch, n: number): JsonObject {
  return known({
    logprob: batch.logprob?.[n],
    oldLogprob: batch.oldLogprob?.[n],
    refLogprob: batch.refLogprob?.[n],
    rolloutLogprob: batch.rolloutLogprob?.[n],
    sumPiSquared: batch.sumPiSquared?.[n],
    value: batch.tokenValue?.[n],
    newValue: batch.tokenNewValue?.[n],
    reward: batch.tokenReward?.[n],
    advantage: batch.tokenAdvantage?.[n],
  });
}

/** Without absent and NaN numbers. */
function known(fields: Record<string, number | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value === value),
  );
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
