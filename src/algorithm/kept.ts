/**
 * Rows that filter groups (DAPO, StarPO-S) or reject what is far from the sampler: the objective does not see what is
 * left out. It is computed on the rest, then expanded to the whole batch.
 */
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit } from "../method/estimator/estimator.ts";
import type { Objective } from "./objectiveTypes.ts";
import { selectTokens, selectTrajectories, type Selection } from "./select.ts";

/** The trajectories and tokens that take part in the updates; null if all do. */
export function keptPart(batch: TrajectoryBatch, credit: Credit): Selection | null {
  const { kept, keptTokens } = credit; // [B], [N]
  if (keptTokens?.includes(0)) return selectTokens(batch, credit, keptTokens);
  if (!kept?.includes(0)) return null;
  const members = Array.from(kept.keys()).filter((b) => kept[b] === 1); // [B']
  return selectTrajectories(batch, credit, members);
}

/**
 * The objective `own` of the kept part at its places in the whole batch, no gradient and no clip
 * elsewhere. `whole`: the objective of all trajectories, whose ratios are also reported for
 * filtered trajectories. A metric that is undefined because nothing is kept is omitted.
 */
export function expandToBatch(
  config: AlgorithmConfig,
  own: Objective,
  whole: Objective,
  { turns, tokens }: Selection,
): Objective {
  const ofTokens = (x: Float64Array) => put(x, tokens, new Float64Array(whole.dLogprob.length)); // [N]
  const ofTurns = (x: Float64Array) => put(x, turns, new Float64Array(whole.turnRatio.length)); // [K]
  return {
    ...own,
    dLogprob: ofTokens(own.dLogprob),
    dLogprobCut: ofTokens(own.dLogprobCut),
    picked: own.picked && put(own.picked, tokens, new Uint8Array(whole.picked!.length)), // [N]
    dEntropy: own.dEntropy && ofTokens(own.dEntropy),
    dValue: own.dValue && (config.critic === "turn" ? ofTurns : ofTokens)(own.dValue),
    tokenRatio: whole.tokenRatio,
    turnRatio: whole.turnRatio,
    turnClipped: put(own.turnClipped, turns, new Uint8Array(whole.turnClipped.length)), // [K]
    tokenClipped: put(own.tokenClipped, tokens, new Uint8Array(whole.tokenClipped.length)), // [N]
    metrics: turns.length > 0 ? own.metrics : onlyFinite(own.metrics),
  };
}

/** x[i] at out[at[i]]. */
function put<T extends Float64Array | Uint8Array>(x: T, at: Int32Array, out: T): T {
  at.forEach((place, i) => (out[place] = x[i]!));
  return out;
}

function onlyFinite(metrics: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => Number.isFinite(value)));
}
