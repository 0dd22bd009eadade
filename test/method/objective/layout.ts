/** Packed offsets and policy inputs out of the reference's masked matrices. */
import { composeOffsets } from "../../../src/numeric/segments.ts";
import { countTotals, tokenWeights } from "../../../src/method/objective/aggregate.ts";
import type { ClipName } from "../../../src/method/clip/clips.ts";
import type { ClipNumbers } from "../../../src/method/objective/policyTypes.ts";
import { policyLoss } from "../../../src/method/objective/policyLoss.ts";
import { type PolicyLoss } from "../../../src/method/objective/policyTypes.ts";
import type { Aggregation } from "../../../src/method/objective/aggregate.ts";
import type { RatioName } from "../../../src/method/objective/ratio.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { maskedBatch, pack, type Matrix } from "../../golden/load.ts";

export const f64 = (x: ArrayLike<number>) => Float64Array.from(x);

/** Offsets of a mask's packed tokens, runs of mask 1 being turns. */
export function layout(mask: Matrix) {
  const { turnStart, tokenStart } = maskedBatch(mask, {});
  return {
    turnStart,
    offsets: { turn: tokenStart, trajectory: composeOffsets(turnStart, tokenStart) },
  };
}

export interface Rule extends Partial<ClipNumbers & { clip: ClipName }> {
  level: RatioName;
  aggregation: Aggregation;
}

interface Columns {
  mask: Matrix;
  logprob: Matrix;
  oldLogprob?: Matrix;
  adv: Matrix;
  /** Constants that scale each token's loss. */
  scale?: Matrix | null | undefined;
}

/** The policy loss of masked matrices; the range is 0.2 without dual clip unless told otherwise. */
export function maskedLoss(columns: Columns, rule: Rule): PolicyLoss {
  return policyLoss(policyInput(columns, rule));
}

/** What such a loss is computed from. */
export function policyInput<Level extends RatioName>(
  columns: Columns,
  { level, aggregation, ...clip }: Rule & { level: Level },
) {
  const { mask } = columns;
  const { offsets, turnStart } = layout(mask);
  const totals = countTotals(offsets, mask[0]!.length);
  const weight = tokenWeights(aggregation, offsets, turnStart, totals);
  const scale = columns.scale && pack(columns.scale, mask);
  const logprob = f64(pack(columns.logprob, mask));
  return {
    logprob,
    oldLogprob: columns.oldLogprob ? f64(pack(columns.oldLogprob, mask)) : logprob,
    adv: f64(pack(columns.adv, mask)),
    offsets,
    weight: scale ? weight.map((w, t) => w * scale[t]!) : weight,
    level,
    clip: { ...resolveAlgorithm("grpo"), ...clip },
  };
}
