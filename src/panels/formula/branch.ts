/** The two sides of the clipped objective at a place. */
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import type { Branches } from "../../method/clip/clipRule.ts";
import { branchesFor } from "./clipBranches.ts";
import { numberAt } from "./numbers.ts";
import type { BatchPlace } from "./place.ts";

/** Only for a row that clips a range. */
export function branchesOf(place: BatchPlace): Branches {
  const unit = unitOf(place.all.config);
  const w = numberAt(`${unit}.ratio`, place)!;
  const A = numberAt(`${unit}.advantage`, place)!;
  return branchesFor(place, w, A);
}
