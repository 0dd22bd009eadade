/**
 * The clipped surrogate of PPO with dual clip, per unit:
 *
 *   L = max(-rho A, -clip(rho, 1 - c epsLow, 1 + c epsHigh) A)
 *   for A < 0 also L = min(L, -dualClip A)
 *
 * c is 1, or the unit's own factor if the range adapts (`adaptive.ts`).
 *
 * Sources: PPO, arXiv 1707.06347, eq. 7; dual clip, arXiv 1912.09729, eq. 5;
 * verl/trainer/ppo/core_algos.py, compute_policy_loss_vanilla.
 */
import { log } from "../../numeric/deterministic.ts";
import type { ClipRange, PolicyLoss, RatioInput } from "../objective/policyTypes.ts";
import type { Branches, ClipRule, ClipTerms, ClipUnit } from "./clipRule.ts";
import { lossOfUnits, ofUnits, type Surrogate } from "./unitLoss.ts";
import { f, minOf, NOTHING, open, type TexPiece } from "../formula/tex.ts";

export const range: ClipRule = {
  about: "the ratio, to 1 - epsLow .. 1 + epsHigh, where that makes the objective smaller (PPO)",
  says: "A ratio outside the band is clipped where a further move would increase the objective: above it if A > 0, below it if A < 0.",
  settings: ["epsLow", "epsHigh", "dualClip"],
  verl: { token: "vanilla", "sequence-geomean": "gspo" },
  plugin: { "turn-product": "turn_product", "turn-geomean": "turn_geomean" },
  weighsTokens: false,
  scalesRange: false,
  loss: (input) => rangeLoss(input),
  band: rangeBand,
  objective: rangeValue,
  branches: branchesOf,
  formula: (terms) => minFormula(terms),
};

/**
 * Loss of each unit from its ratio and advantage; epsScale holds the factors c, null if all are 1.
 * All [U].
 */
export function clippedSurrogate(
  ratio: Float64Array,
  adv: Float64Array,
  numbers: ClipRange,
  epsScale: Float64Array | null = null,
): Surrogate {
  const loss = new Float64Array(ratio.length); // [U]
  const dRatio = new Float64Array(ratio.length); // [U]
  const clipped = new Uint8Array(ratio.length); // [U]
  const clippedLower = new Uint8Array(ratio.length); // [U]
  for (let u = 0; u < ratio.length; u++) {
    const A = adv[u]!;
    const { free, held, value, winner } = branchesOf(
      { w: ratio[u]!, A, scale: epsScale?.[u] ?? 1 },
      numbers,
    );
    clipped[u] = held < free ? 1 : 0;
    clippedLower[u] = winner === "floor" ? 1 : 0;
    loss[u] = -value;
    dRatio[u] = clipped[u] || clippedLower[u] ? 0 : -A;
  }
  return { loss, dRatio, clipped, clippedLower };
}

/** The clipped surrogate of a batch. epsScale: factor of each token's range [N]. */
export function rangeLoss(input: RatioInput, epsScale: Float64Array | null = null): PolicyLoss {
  return lossOfUnits(input, (ratio, adv, unit) =>
    clippedSurrogate(ratio, adv, input.clip, epsScale && ofUnits(input, unit, epsScale)),
  );
}

/** clip(rho, 1 - epsLow, 1 + epsHigh). */
export function clampRatio(w: number, epsLow: number, epsHigh: number): number {
  return Math.min(1 + epsHigh, Math.max(1 - epsLow, w));
}

export function rangeBand({ epsLow, epsHigh, dualClip }: ClipRange) {
  return {
    low: epsLow < 1 ? log(1 - epsLow) : null,
    high: log(1 + epsHigh),
    dual: dualClip === null ? null : log(dualClip),
  };
}

/** What a unit contributes to the objective. */
export function rangeValue(unit: ClipUnit, numbers: ClipRange): number {
  return branchesOf(unit, numbers).value;
}

/** Both sides of the min of a unit, and the dual clip below them. */
function branchesOf(
  { w, A, scale }: Pick<ClipUnit, "w" | "A" | "scale">,
  { epsLow, epsHigh, dualClip }: ClipRange,
): Branches {
  const free = w * A;
  const held = clampRatio(w, epsLow * scale, epsHigh * scale) * A;
  const min = Math.min(free, held);
  const floor = A < 0 && dualClip !== null ? dualClip * A : null;
  if (floor !== null && min < floor)
    return { free, held, min, floor, value: floor, winner: "floor" };
  const winner = free === held ? "equal" : free < held ? "free" : "held";
  return { free, held, min, floor: null, value: min, winner };
}

/** scale: what multiplies both halves of the range. */
export function minFormula({ J, w, A, hasDual }: ClipTerms, scale: TexPiece = NOTHING): TexPiece[] {
  const min = f`${J} &= ${minOf(f`${w}·${A}`, f`${clampFormula(w, scale)}·${A}`)}`;
  if (!hasDual) return [min];
  const dual = open`${J} &\leftarrow \max\big(${J},\, ${"settings.dualClip"}·${A}\big)\quad\text{if } ${A} < 0`;
  return [min, dual];
}

export function clampFormula(w: ClipTerms["w"], scale: TexPiece = NOTHING): TexPiece {
  return f`\mathrm{clip}\big(${w},\, 1-${"settings.epsLow"}${scale},\, 1+${"settings.epsHigh"}${scale}\big)`;
}
