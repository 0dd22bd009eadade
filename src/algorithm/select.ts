/** A minibatch: some trajectories of a batch, with the credit computed over all of it. */
import { traceUnit, type Trace, type TraceName } from "../method/credit/trace.ts";
import {
  composeOffsets,
  gatherOffsets,
  gatherSegments,
  offsets,
  segmentSum,
} from "../numeric/segments.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { Credit } from "../method/estimator/estimator.ts";

const rowColumns = ["success", "greedyScore"] as const;
const namedColumns = ["anchor", "action"] as const;
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

/** What is chosen: indices in the whole batch, and the offsets of the chosen part. */
interface ChosenPart {
  /** [B'] */
  rows: ArrayLike<number>;
  /** [K'] */
  turns: Int32Array;
  /** [N'] */
  tokens: Int32Array;
  /** [B'+1] */
  turnStart: Int32Array;
  /** [K'+1] */
  tokenStart: Int32Array;
}

/** The chosen trajectories, in the given order, as a batch of their own. */
export function selectBatch(batch: TrajectoryBatch, indices: ArrayLike<number>): BatchSelection {
  return batchOf(batch, ofTrajectories(batch, indices));
}

/** The same with the credit that was computed over the whole batch. */
export function selectTrajectories(
  batch: TrajectoryBatch,
  credit: Credit,
  indices: ArrayLike<number>,
): Selection {
  return partOf(batch, credit, ofTrajectories(batch, indices));
}

/** The tokens with a 1 in `takesPart` [N]; turns and trajectories that have none of those are left out. */
export function selectTokens(
  batch: TrajectoryBatch,
  credit: Credit,
  takesPart: Uint8Array,
): Selection {
  const counted = segmentSum(Float64Array.from(takesPart), batch.tokenStart); // [K]
  const perRow = segmentSum(counted, batch.turnStart); // [B]
  const turnsOf = segmentSum(Float64Array.from(counted, Math.sign), batch.turnStart); // [B]
  const chosen = (x: Float64Array) => Array.from(x).filter((n) => n > 0);
  const at = (x: ArrayLike<number>) => indicesWhere(x.length, (i) => x[i]! > 0);
  return partOf(batch, credit, {
    rows: at(perRow),
    turns: at(counted),
    tokens: at(takesPart),
    turnStart: offsets(chosen(turnsOf)),
    tokenStart: offsets(chosen(counted)),
  });
}

const indicesWhere = (n: number, keep: (i: number) => boolean) =>
  Int32Array.from({ length: n }, (_, i) => i).filter(keep);

function ofTrajectories(batch: TrajectoryBatch, rows: ArrayLike<number>): ChosenPart {
  const tokenOffsets = composeOffsets(batch.turnStart, batch.tokenStart); // [B+1]
  const every = (n: number) => indicesWhere(n, () => true);
  const turns = gatherSegments(every(batch.turnReward.length), batch.turnStart, rows); // [K']
  return {
    rows,
    turns,
    tokens: gatherSegments(every(batch.tokenStart.at(-1)!), tokenOffsets, rows), // [N']
    turnStart: gatherOffsets(batch.turnStart, rows), // [B'+1]
    tokenStart: gatherOffsets(batch.tokenStart, turns), // [K'+1]
  };
}

function batchOf(batch: TrajectoryBatch, choice: ChosenPart): BatchSelection {
  const { rows, turns, tokens, turnStart, tokenStart } = choice;
  const selected: TrajectoryBatch = {
    task: Array.from(rows, (b) => batch.task[b]!), // [B']
    terminated: Array.from(rows, (b) => batch.terminated[b]!), // [B']
    bootstrapValue: picked(batch.bootstrapValue, rows), // [B']
    turnStart, // [B'+1]
    tokenStart, // [K'+1]
    turnReward: picked(batch.turnReward, turns), // [K']
  };
  for (const name of rowColumns) if (batch[name]) selected[name] = picked(batch[name], rows); // [B']
  const { finalAnchor } = batch;
  if (finalAnchor) selected.finalAnchor = Array.from(rows, (b) => finalAnchor[b]!); // [B']
  for (const name of namedColumns)
    if (batch[name]) selected[name] = Array.from(turns, (k) => batch[name]![k]!); // [K']
  for (const name of turnColumns) if (batch[name]) selected[name] = picked(batch[name], turns); // [K']
  for (const name of tokenColumns) if (batch[name]) selected[name] = picked(batch[name], tokens); // [N']
  return { batch: selected, turns, tokens };
}

function partOf(batch: TrajectoryBatch, credit: Credit, choice: ChosenPart): Selection {
  const { rows, turns, tokens } = choice;
  const ofTurns: Choose = (x) => picked(x, turns);
  const ofTokens: Choose = (x) => picked(x, tokens);
  const ofRows: Choose = (x) => picked(x, rows);
  const ofSteps = credit.delta?.length === batch.turnReward.length ? ofTurns : ofTokens;
  const { kept, keptTokens } = credit;
  return {
    ...batchOf(batch, choice),
    credit: {
      turnAdvantage: ofTurns(credit.turnAdvantage), // [K']
      tokenAdvantage: ofTokens(credit.tokenAdvantage), // [N']
      turnReturn: credit.turnReturn && ofTurns(credit.turnReturn), // [K']
      tokenReturn: credit.tokenReturn && ofTokens(credit.tokenReturn), // [N']
      delta: credit.delta && ofSteps(credit.delta), // [K'] or [N']
      epsScale: credit.epsScale && ofTurns(credit.epsScale), // [K']
      kept: kept && Uint8Array.from(rows, (b) => kept[b]!), // [B']
      keptTokens: keptTokens ? Uint8Array.from(tokens, (t) => keptTokens[t]!) : null, // [N']
      trace: ofTrace(credit.trace, { token: ofTokens, turn: ofTurns, trajectory: ofRows }),
    },
  };
}

type Choose = (x: Float64Array) => Float64Array;

const picked = (x: Float64Array, at: ArrayLike<number>) => Float64Array.from(at, (i) => x[i]!);

/** Each intermediate of the selection. */
function ofTrace(trace: Trace, choose: Record<ReturnType<typeof traceUnit>, Choose>): Trace {
  const columns = Object.entries(trace) as [TraceName, Float64Array][];
  return Object.fromEntries(columns.map(([name, x]) => [name, choose[traceUnit(name)](x)]));
}
