/** The clipped objective of a unit at a place, from given numbers. */
import { broadcast } from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import type { Branches, ClipRule, ClipUnit } from "../../method/clip/clipRule.ts";
import { clips } from "../../method/clip/clips.ts";
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { BatchPlace } from "./place.ts";

/** The clip rule; null without a ratio, and where the row has one of its own. */
const ruleOf = ({ ratio, clip, own }: AlgorithmConfig): ClipRule | null =>
  ratio === "none" || own?.clip !== undefined ? null : clips[clip];

/** Whether the row's objective is a min of two sides, possibly limited by a dual clip. */
export function clipsRange(config: AlgorithmConfig): boolean {
  return ruleOf(config)?.branches !== undefined;
}

/** What the unit of ratio w and advantage A contributes to the objective. */
export function objectiveAt(place: BatchPlace, w: number, A: number): number {
  const { config, unitSurrogate } = place.all;
  if (unitSurrogate) return unitSurrogate[place.n]!;
  const unit = unitAt(place, w, A);
  return ruleOf(config)?.objective(unit, config) ?? A * unit.logprob;
}

/** The two sides of the same; only for a row that clips a range. */
export function branchesFor(place: BatchPlace, w: number, A: number): Branches {
  const { config } = place.all;
  return ruleOf(config)!.branches!(unitAt(place, w, A), config);
}

function unitAt(place: BatchPlace, w: number, A: number): ClipUnit {
  const { logprob, oldLogprob } = place.all.batch;
  const at = { logprob: logprob![place.n]!, oldLogprob: oldLogprob?.[place.n] ?? NaN };
  const picked = place.all.objective.picked?.[place.n] === 1;
  return { w, A, scale: rangeScale(place), picked, ...at };
}

/** Factor of the clip range of the unit at a place: the turn's, or the mean over an episode's tokens; 1 if it does not adapt. */
function rangeScale({ all, b, k }: BatchPlace): number {
  const { epsScale } = all.credit;
  if (!clips[all.config.clip].scalesRange || !epsScale) return 1;
  if (unitOf(all.config) !== "trajectory") return epsScale[k]!;
  return episodeMean(broadcast(epsScale, all.batch.tokenStart), { all, b });
}

/** Mean over the episode's tokens; exact if all are equal. x [N] */
export function episodeMean(x: Float64Array, { all, b }: Pick<BatchPlace, "all" | "b">): number {
  const part = x.subarray(all.tokensOf[b]!, all.tokensOf[b + 1]!);
  return part.every((y) => y === part[0]) ? part[0]! : mean(part);
}
