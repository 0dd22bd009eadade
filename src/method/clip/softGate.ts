/**
 * SAPO: no clip, but a sigmoid gate whose slope falls smoothly on both sides of a ratio of 1.
 *
 *   L_u = -A_u (4 / tau) sigmoid(tau (rho_u - 1)),   tau = tauPos where A_u > 0, else tauNeg
 *
 * The slope in rho is 4 sigmoid (1 - sigmoid): 1 at rho = 1, and never 0. The value at rho = 1 is 2 A / tau, not A: loss
 * curves of SAPO and PPO are not comparable.
 *
 * Sources: SAPO, arXiv 2511.20347; verl/trainer/ppo/core_algos.py, compute_policy_loss_sapo.
 */
import { sigmoid } from "../../numeric/deterministic.ts";
import type { ClipNumbers } from "../objective/policyTypes.ts";
import { f, open, type TexPiece } from "../formula/tex.ts";
import type { ClipRule } from "./clipRule.ts";
import { lossOfUnits } from "./unitLoss.ts";

export const softGate: ClipRule = {
  about: "nothing: a sigmoid of the ratio instead, flatter the further it is from 1 (SAPO)",
  says: "There is no band: the gradient shrinks smoothly on both sides of a ratio of 1.",
  settings: ["tauPos", "tauNeg"],
  verl: { token: "sapo" },
  verlKeys: { tau_pos: "tauPos", tau_neg: "tauNeg" },
  weighsTokens: false,
  scalesRange: false,
  loss: (input) =>
    lossOfUnits(input, (ratio, adv) => ({
      loss: ratio.map((w, u) => -gate(w, adv[u]!, input.clip).value * adv[u]!), // [U]
      dRatio: ratio.map((w, u) => -gate(w, adv[u]!, input.clip).slope * adv[u]!), // [U]
      clipped: new Uint8Array(ratio.length), // [U]
      clippedLower: new Uint8Array(ratio.length), // [U]
    })),
  band: () => ({ low: null, high: null, dual: null }),
  objective: ({ w, A }, numbers) => gate(w, A, numbers).value * A,
  formula: ({ J, w, A }) => {
    const side = (tau: TexPiece) => f`\frac{4}{${tau}}\,\sigma\big(${tau}·(${w} - 1)\big)·${A}`;
    const [up, down] = [side(f`${"settings.tauPos"}`), side(f`${"settings.tauNeg"}`)];
    return [open`${J} &= \begin{cases}${up} & ${A} > 0\\ ${down} & \text{else}\end{cases}`];
  },
};

function gate(w: number, A: number, { tauPos, tauNeg }: ClipNumbers) {
  const tau = A > 0 ? tauPos : tauNeg;
  const s = sigmoid(tau * (w - 1));
  return { value: (4 / tau) * s, slope: 4 * s * (1 - s) };
}
