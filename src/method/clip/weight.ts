/**
 * CISPO: the clipped ratio is a constant weight of REINFORCE's gradient.
 *
 *   L_t = -sg[clip(rho, 1 - epsLow, 1 + epsHigh)] A_t log pi(y_t)
 *
 * No token loses its gradient; a clipped weight loses what is beyond the range. There is no dual clip.
 *
 * Sources: MiniMax-M1, arXiv 2506.13585, eq. 4 and 5; verl/trainer/ppo/core_algos.py, compute_policy_loss_cispo.
 */
import { constantWeights } from "../objective/reinforceLoss.ts";
import type { ClipRule } from "./clipRule.ts";
import { clampFormula, clampRatio, rangeBand } from "./range.ts";
import { ratiosOf } from "./unitLoss.ts";
import { f } from "../formula/tex.ts";

export const constantWeight: ClipRule = {
  about: "the ratio as a constant weight of REINFORCE's gradient (CISPO)",
  says: "A ratio outside the band counts as its edge; no token loses its whole gradient.",
  settings: ["epsLow", "epsHigh"],
  verl: { token: "cispo" },
  weighsTokens: true,
  scalesRange: false,
  loss: (input) => {
    const { clip } = input;
    const { unit, ratio } = ratiosOf(input);
    const held = ratio.map((w) => clampRatio(w, clip.epsLow, clip.epsHigh)); // [U]
    return constantWeights(input, unit, ratio, held);
  },
  band: (numbers) => rangeBand({ ...numbers, dualClip: null }),
  objective: ({ w, A, logprob }, { epsLow, epsHigh }) =>
    clampRatio(w, epsLow, epsHigh) * A * logprob,
  formula: ({ J, w, A }) => [
    f`${J} &= \mathrm{sg}\big[${clampFormula(w)}\big]·${A}·${"token.logprob"}`,
  ],
};
