/** A minibatch: some trajectories of a batch, with the credit computed over all of it. */
import { traceUnit, type Trace, type TraceName } from "../method/credit/trace.ts";
import { composeOffsets, gatherOffsets, gatherSegments } from "../numeric/segments.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { Credit } from "../method/estimator/estimator.ts";

const turnColumns = [
  "turnValue",
  "turnNewValue",
  "turnAdvantage",
  "turnGain",
  "turnFormat",
  "turnProcess",
] as const;
const tokenColumns = [
  "tokenReward",
  "tokenValue",
  "tokenNewValue",
  "tokenAdvantage",
  "logprob",
  "oldLogprob",
  "refLogprob",
  "rolloutLogprob",
  "sumPiSquared",
] as const;

/** Some trajectories of a batch without any credit. */
export interface BatchSelection {
  batch: TrajectoryBatch;
  /** Index of each selected turn in the whole batch. [K'] */
  turns: Int32Array;
  /** Index of each selected token in the whole batch. [N'] */
  tokens: Int32Array;
}

export interface Selection extends BatchSelection {
  credit: Credit;
}

/** The chosen trajectories, in the given order, as a batch of their own. */
export function selectBatch(batch: TrajectoryBatch, indices: ArrayLike<number>): BatchSelection {
  const tokenOffsets = composeOffsets(batch.turnStart, batch.tokenStart); // [B+1]
  const ofTurns = <T extends Float64Array | Int32Array>(x: T) =>
    gatherSegments(x, batch.turnStart, indices);
  const ofTokens = <T extends Float64Array | Int32Array>(x: T) =>
    gatherSegments(x, tokenOffsets, indices);
  const turns = ofTurns(Int32Array.from(batch.turnReward, (_, k) => k)); // [K']
  const selected: TrajectoryBatch = {
    task: Array.from(indices, (b) => batch.task[b]!), // [B']
    terminated: Array.from(indices, (b) => batch.terminated[b]!), // [B']
    bootstrapValue: Float64Array.from(indices, (b) => batch.bootstrapValue[b]!), // [B']
    turnStart: gatherOffsets(batch.turnStart, indices), // [B'+1]
    tokenStart: gatherOffsets(batch.tokenStart, turns), // [K'+1]
    turnReward: ofTurns(batch.turnReward), // [K']
  };
  if (batch.success) selected.success = Float64Array.from(indices, (b) => batch.success![b]!); // [B']
  if (batch.greedyScore)
    selected.greedyScore = Float64Array.from(indices, (b) => batch.greedyScore![b]!); // [B']
  if (batch.anchor) selected.anchor = Array.from(turns, (k) => batch.anchor![k]!); // [K']
  for (const name of turnColumns) if (batch[name]) selected[name] = ofTurns(batch[name]); // [K']
  for (const name of tokenColumns) if (batch[name]) selected[name] = ofTokens(batch[name]); // [N']
  const all = Int32Array.from({ length: batch.tokenStart.at(-1)! }, (_, t) => t); // [N]
  return { batch: selected, turns, tokens: ofTokens(all) };
}

/** The same with the credit that was computed over the whole batch. */
export function selectTrajectories(
  batch: TrajectoryBatch,
  credit: Credit,
  indices: ArrayLike<number>,
): Selection {
  const tokenOffsets = composeOffsets(batch.turnStart, batch.tokenStart); // [B+1]
  const ofTurns = (x: Float64Array) => gatherSegments(x, batch.turnStart, indices);
  const ofTokens = (x: Float64Array) => gatherSegments(x, tokenOffsets, indices);
  const ofRows = (x: Float64Array) => Float64Array.from(indices, (b) => x[b]!);
  const ofSteps = credit.delta?.length === batch.turnReward.length ? ofTurns : ofTokens;
  return {
    ...selectBatch(batch, indices),
    credit: {
      turnAdvantage: ofTurns(credit.turnAdvantage), // [K']
      tokenAdvantage: ofTokens(credit.tokenAdvantage), // [N']
      turnReturn: credit.turnReturn && ofTurns(credit.turnReturn), // [K']
      tokenReturn: credit.tokenReturn && ofTokens(credit.tokenReturn), // [N']
      delta: credit.delta && ofSteps(credit.delta), // [K'] or [N']
      epsScale: credit.epsScale && ofTurns(credit.epsScale), // [K']
      kept: credit.kept && Uint8Array.from(indices, (b) => credit.kept![b]!), // [B']
      trace: ofTrace(credit.trace, { token: ofTokens, turn: ofTurns, trajectory: ofRows }),
    },
  };
}

type Choose = (x: Float64Array) => Float64Array;

/** Each intermediate of the selection. */
function ofTrace(trace: Trace, choose: Record<ReturnType<typeof traceUnit>, Choose>): Trace {
  const columns = Object.entries(trace) as [TraceName, Float64Array][];
  return Object.fromEntries(columns.map(([name, x]) => [name, choose[traceUnit(name)](x)]));
}
