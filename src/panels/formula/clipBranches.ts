/** The two sides of the clipped objective of a unit, and which of them decides, of given numbers. */
import { broadcast } from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import { clampRatio } from "../../method/objective/clip.ts";
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { BatchPlace } from "./place.ts";

export interface Branches {
  /** w A. */
  free: number;
  /** clip(w) A. */
  held: number;
  /** The smaller of both. */
  min: number;
  /** dualClip A where that is what decides, else null. */
  floor: number | null;
  /** What the unit adds to the objective. */
  value: number;
  /** `equal`: the ratio is within the range, or the advantage 0. */
  winner: "free" | "held" | "equal" | "floor";
}

/** Whether the row's objective is a min of two sides, under which a dual clip may stand. */
export function clipsRange({ ratio, clip }: AlgorithmConfig): boolean {
  return ratio !== "none" && ["range", "adaptive"].includes(clip);
}

/** Of the unit's ratio w and advantage A. Of a row that clips a range; of others the value alone means something. */
export function branchesFor(place: BatchPlace, w: number, A: number): Branches {
  const { config } = place.all;
  const c = rangeScale(place);
  const free = w * A;
  // GMPO has clipped already, before it took the mean.
  const held =
    config.clip === "log-geomean" ? free : clampRatio(w, config.epsLow * c, config.epsHigh * c) * A;
  const min = Math.min(free, held);
  const bound = clipsRange(config) ? config.dualClip : null;
  const floor = A < 0 && bound !== null ? bound * A : null;
  if (floor !== null && min < floor)
    return { free, held, min, floor, value: floor, winner: "floor" };
  const winner = free === held ? "equal" : free < held ? "free" : "held";
  return { free, held, min, floor: null, value: min, winner };
}

/** Factor of the clip range of the unit at a place: the turn's, or the mean over an episode's tokens; 1 where it does not adapt. */
function rangeScale({ all, b, k }: BatchPlace): number {
  const { epsScale } = all.credit;
  if (all.config.clip !== "adaptive" || !epsScale) return 1;
  if (unitOf(all.config) !== "trajectory") return epsScale[k]!;
  return episodeMean(broadcast(epsScale, all.batch.tokenStart), { all, b });
}

/** Mean over the episode's tokens: where all are equal, just that. x [N] */
export function episodeMean(x: Float64Array, { all, b }: Pick<BatchPlace, "all" | "b">): number {
  const part = x.subarray(all.tokensOf[b]!, all.tokensOf[b + 1]!);
  return part.every((y) => y === part[0]) ? part[0]! : mean(part);
}
