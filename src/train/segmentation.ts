/**
 * Turns for credit and updates as a user definition cuts them: merged, split, of fixed length, or
 * where the policy is uncertain. Tokens and their rewards stay in place; a segment's reward is that
 * of its tokens, its state is the prefix before its first token, and it is one action for ratio,
 * clip and estimator.
 */
import type { Credit } from "../algorithm/registry.ts";
import { tokenRewards } from "../method/credit/rewards.ts";
import { composeOffsets, offsets, segmentMean, segmentSum } from "../numeric/segments.ts";
import type { DefinedCode, SegmentInput } from "../record/definitions.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { InputError, show } from "../numeric/inputError.ts";
import type { TokenRow } from "../text/tokenRow.ts";
import type { Experience, IterationContext } from "./context.ts";
import { definedCode } from "./definitions.ts";
import type { Learner } from "./learner.ts";
import type { LastUse } from "./records.ts";

interface MeasuredRows {
  rows: TokenRow[];
  batch: TrajectoryBatch;
  /** Entropy of the distribution that each token was sampled from. [N] */
  entropy: Float64Array;
  /** V of the prefix before each token; null without a critic. [N] */
  prefix: Float64Array | null;
}

/** Rows and batch with the segmentation's turns; unchanged if the spec has none. */
export function segmented(
  { spec, definitions = null }: IterationContext,
  learner: Learner,
  measured: MeasuredRows,
): Pick<Experience, "rows" | "batch" | "played"> {
  const { rows, batch } = measured;
  const name = spec.optimisation.segmentation;
  if (name === undefined) return { rows, batch };
  const code = definedCode(definitions, { kind: "segmentation", name });
  const starts = rows.map((_, b) => startsOf(code, measured, b)); // [B][K'_b]
  return {
    rows: rows.map((row, b) => cutRow(row, starts[b]!)),
    batch: cutBatch(learner, measured, starts),
    played: { rows, batch },
  };
}

/** First token of each segment of an episode, from the user's code. @throws InputError if the result is invalid. */
function startsOf(
  code: DefinedCode,
  { batch, entropy, prefix }: MeasuredRows,
  b: number,
): number[] {
  const { turnStart, tokenStart } = batch;
  const [from, to] = [turnStart[b]!, turnStart[b + 1]!];
  const [first, last] = [tokenStart[from]!, tokenStart[to]!];
  const turns = Array.from({ length: to - from }, (_, h) => tokenStart[from + h]! - first);
  const result = code.call("segment", {
    turns: {
      starts: Float64Array.from(turns),
      rewards: batch.turnReward.slice(from, to),
    },
    tokens: {
      count: last - first,
      logprobs: batch.oldLogprob!.slice(first, last),
      entropies: entropy.slice(first, last),
      values: prefix && prefix.slice(first, last),
    },
  } satisfies SegmentInput);
  return checkStarts(code, result, last - first);
}

function checkStarts(code: DefinedCode, result: unknown, tokens: number): number[] {
  const starts = result instanceof Float64Array || Array.isArray(result) ? Array.from(result) : [];
  const rising = starts.every(
    (at, i) => Number.isInteger(at) && at < tokens && (i === 0 ? at === 0 : at > starts[i - 1]!),
  );
  if (rising && (starts.length > 0 || tokens === 0)) return starts as number[];
  throw new InputError(
    `${code.name}: segment returned ${show(Array.isArray(result) ? result : starts)}; it must list each segment's first token: 0, then rising numbers below ${tokens}`,
  );
}

/** The same tokens with other turns. */
function cutRow(row: TokenRow, starts: readonly number[]): TokenRow {
  const { tokenIndices } = row;
  const next = [...starts.slice(1), tokenIndices.length];
  const turnId = row.turnId.map(() => -1);
  starts.forEach((start, h) => {
    for (let t = start; t < next[h]!; t++) turnId[tokenIndices[t]!] = h;
  });
  return {
    ...row,
    turnId,
    stateEnd: starts.map((start) => tokenIndices[start]! - 1),
    turnEnd: next.map((end) => tokenIndices[end - 1]!),
  };
}

function cutBatch(
  { algorithm }: Learner,
  { batch, prefix }: MeasuredRows,
  starts: readonly number[][],
): TrajectoryBatch {
  const firstToken = composeOffsets(batch.turnStart, batch.tokenStart); // [B+1]
  const tokenStart = Int32Array.from([
    ...starts.flatMap((own, b) => own.map((at) => firstToken[b]! + at)),
    firstToken.at(-1)!,
  ]); // [K'+1]
  const { tokenReward: _, turnValue: __, ...rest } = batch;
  return {
    ...rest,
    turnStart: offsets(starts.map((own) => own.length)), // [B+1]
    tokenStart,
    turnReward: segmentSum(tokenRewards(batch), tokenStart), // [K']
    ...(algorithm.critic === "turn" && {
      turnValue: Float64Array.from(tokenStart.subarray(0, -1), (at) => prefix![at]!), // [K']
    }),
  };
}

interface InUnits {
  batch: TrajectoryBatch;
  credit: Credit;
}

/** What records show for the environment's own turns: a turn's advantage is the mean over its tokens. */
export function inTurnsPlayed(
  { played, batch: cut }: Experience,
  { batch, credit }: InUnits,
  lastUse: LastUse,
  rewardScale: number,
): InUnits & { lastUse: LastUse } {
  if (!played) return { batch, credit, lastUse };
  const { turnStart, tokenStart, turnReward, turnValue } = played.batch;
  const segmentOf = segmentsAt(cut.tokenStart, tokenStart); // [K]
  const unscaled = (x: Float64Array) => x.map((number) => number / rewardScale);
  const at = (x: Float64Array | null) => x && segmentOf.map((k) => x[k]!);
  return {
    batch: {
      ...batch,
      turnStart,
      tokenStart,
      turnReward: unscaled(turnReward),
      ...(turnValue && { turnValue: unscaled(turnValue) }),
    },
    credit: {
      ...credit,
      turnAdvantage: segmentMean(credit.tokenAdvantage, tokenStart), // [K]
      turnReturn: at(credit.turnReturn), // [K]
    },
    lastUse: {
      ...lastUse,
      turnRatio: at(lastUse.turnRatio)!, // [K]
      turnClipped: Uint8Array.from(segmentOf, (k) => lastUse.turnClipped[k]!), // [K]
    },
  };
}

/** The segment that holds each turn's first token. [K] */
function segmentsAt(cut: Int32Array, tokenStart: Int32Array): Float64Array {
  let k = 0;
  return Float64Array.from(tokenStart.subarray(0, -1), (at) => {
    while (cut[k + 1]! <= at) k += 1;
    return k;
  });
}
