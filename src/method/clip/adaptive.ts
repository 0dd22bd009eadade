/**
 * A2TGPO's clip: the range of `range.ts`, with its own width for each turn, computed from the
 * turn's information gain.
 *
 *   c_h = 1 + epsSpread (2 sigmoid(z_h) - 1)
 *
 * Source: arXiv 2605.06200, sec. 3 (adaptive turn-level clipping).
 */
import { sigmoid } from "../../numeric/deterministic.ts";
import type { ClipRule } from "./clipRule.ts";
import { minFormula, range, rangeLoss } from "./range.ts";
import { f, open } from "../formula/tex.ts";

export const adaptive: ClipRule = {
  ...range,
  about: "the same with a range that widens for turns of high gain (A2TGPO)",
  says: "A ratio outside the band is clipped where a further move would increase the objective; turns with high gain have a wider band than shown here.",
  settings: [...range.settings, "epsSpread"],
  verl: {},
  scalesRange: true,
  loss: (input) => rangeLoss(input, input.epsScale ?? null),
  formula: (terms) => {
    const [min, ...dual] = minFormula(terms, f`·${"turn.clipScale"}`);
    const scale = open`${"turn.clipScale"} &= 1 + ${"settings.epsSpread"}·\big(2\,\sigma(${"turn.gainScore"}) - 1\big)\ \text{ (1 in the last turn)}`;
    return [min!, scale, ...dual];
  },
};

/**
 * Factor of each turn's clip range, from 1 - spread to 1 + spread; 1 for a gain like its group's
 * mean and for the answering turn. z [K] -> [K]
 */
export function clipScales(z: Float64Array, spread: number): Float64Array {
  return z.map((x) => 1 + spread * (2 * sigmoid(x) - 1));
}
