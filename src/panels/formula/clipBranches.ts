/** The two sides of the clipped objective of a unit, and which of them decides, of given numbers. */
import { clampRatio } from "../../objective/clip.ts";
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

/** Of the unit's ratio w and advantage A. Of a row that clips a range; of others the value alone means something. */
export function branchesFor({ all, k }: BatchPlace, w: number, A: number): Branches {
  const { config } = all;
  const c = all.credit.epsScale?.[k] ?? 1;
  const free = w * A;
  // GMPO has clipped already, before it took the mean.
  const held =
    config.clip === "log-geomean" ? free : clampRatio(w, config.epsLow * c, config.epsHigh * c) * A;
  const min = Math.min(free, held);
  const floor =
    A < 0 && config.dualClip !== null && config.clip === "range" ? config.dualClip * A : null;
  if (floor !== null && min < floor)
    return { free, held, min, floor, value: floor, winner: "floor" };
  const winner = free === held ? "equal" : free < held ? "free" : "held";
  return { free, held, min, floor: null, value: min, winner };
}
