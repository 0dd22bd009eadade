/**
 * DPPO: a token whose probability has moved too far in the direction of its advantage loses its gradient; the others have
 * the ratio as a constant weight. What counts is the move of the probability p of the sampled token, not its ratio: a rare
 * token may become many times likelier, a frequent one may not.
 *
 *   L_t = -sg[min(rho, c)] A_t log pi(y_t)   if valid, else 0
 *   tv: valid unless  p - q > epsHigh with A_t > 0,  or  q - p > epsLow with A_t < 0
 *   kl: the same with D = q log(q/p) + (1-q) log((1-q)/(1-p)) beyond the limit, and p on that side of q
 *
 * q is the old probability, c is dualClip.
 *
 * Sources: DPPO, arXiv 2602.04879 (binary forms); verl/trainer/ppo/core_algos.py, compute_policy_loss_dppo_tv and
 * compute_policy_loss_dppo_kl, whose 1e-8 in the logarithm is kept.
 */
import { exp, log } from "../../numeric/deterministic.ts";
import { broadcast, singletons } from "../../numeric/segments.ts";
import { f, open, type TexPiece } from "../formula/tex.ts";
import { clipShares } from "../objective/clipShares.ts";
import type { ClipNumbers, PolicyLoss, RatioInput } from "../objective/policyTypes.ts";
import { constantWeights } from "../objective/reinforceLoss.ts";
import type { ClipRule, ClipTerms, ClipUnit } from "./clipRule.ts";
import { ratiosOf } from "./unitLoss.ts";

/** How far the probability of the sampled token has moved, from its log-probs. */
interface Divergence {
  of(logprob: number, oldLogprob: number): number;
  formula: TexPiece;
}

const tv: Divergence = {
  of: (logprob, oldLogprob) => Math.abs(exp(logprob) - exp(oldLogprob)),
  formula: f`\lvert p_t - q_t\rvert`,
};

const kl: Divergence = {
  of: (logprob, oldLogprob) => {
    const q = exp(oldLogprob);
    // Rounding may leave a probability just above 1.
    const rest = (p: number) => Math.max(0, 1 - p) + 1e-8;
    const others = log(rest(q) / rest(exp(logprob)));
    return q * (oldLogprob - logprob) + (1 - q) * others;
  },
  formula: f`q_t \log\frac{q_t}{p_t} + (1-q_t)\log\frac{1-q_t}{1-p_t}`,
};

export const divergenceTv: ClipRule = {
  ...divergenceRule(tv),
  about: "tokens whose probability moved by more than epsLow or epsHigh (DPPO, total variation)",
  says: "A token loses its gradient once its probability, not its ratio, has moved too far towards its advantage.",
  verl: { token: "dppo_tv" },
};

export const divergenceKl: ClipRule = {
  ...divergenceRule(kl),
  about: "tokens whose binary KL from the old policy is above epsLow or epsHigh (DPPO, KL)",
  says: "A token loses its gradient once the KL of its own probability is too large and moves towards its advantage.",
  verl: { token: "dppo_kl" },
};

function divergenceRule(divergence: Divergence): Omit<ClipRule, "about" | "says" | "verl"> {
  const held = (unit: Omit<ClipUnit, "scale">, numbers: ClipNumbers) =>
    isValid(divergence, unit, numbers) ? Math.min(unit.w, numbers.dualClip ?? Infinity) : 0;
  return {
    settings: ["epsLow", "epsHigh", "dualClip"],
    weighsTokens: true,
    scalesRange: false,
    loss: (input) => maskedLoss(input, held),
    band: () => ({ low: null, high: null, dual: null }),
    objective: (unit, numbers) => held(unit, numbers) * unit.A * unit.logprob,
    formula: (terms) => lines(divergence, terms),
  };
}

function isValid(
  divergence: Divergence,
  { A, logprob, oldLogprob }: Omit<ClipUnit, "scale" | "w">,
  { epsLow, epsHigh }: ClipNumbers,
): boolean {
  const up = A > 0;
  const towards = up ? logprob > oldLogprob : logprob < oldLogprob;
  return !towards || divergence.of(logprob, oldLogprob) <= (up ? epsHigh : epsLow);
}

/** Units are tokens, whatever a ratio covers: their probabilities are what is compared. */
function maskedLoss(
  input: RatioInput,
  heldOf: (unit: Omit<ClipUnit, "scale">, numbers: ClipNumbers) => number,
): PolicyLoss {
  const { logprob, oldLogprob, adv, clip } = input;
  const ratios = ratiosOf(input);
  const ratio = broadcast(ratios.ratio, ratios.unit); // [N]
  const held = ratio.map((w, t) =>
    heldOf({ w, A: adv[t]!, logprob: logprob[t]!, oldLogprob: oldLogprob[t]! }, clip),
  ); // [N]
  const result = {
    ...constantWeights(input, singletons(ratio.length), ratio, held),
    clipped: Uint8Array.from(held, (w) => (w === 0 ? 1 : 0)), // [N]
    clippedLower: Uint8Array.from(held, (w, t) => (w > 0 && w < ratio[t]! ? 1 : 0)), // [N]
  };
  return { ...result, shares: clipShares(result) };
}

function lines({ formula }: Divergence, { J, w, A, hasDual }: ClipTerms): TexPiece[] {
  const weight = hasDual ? f`\min\big(${w},\, ${"settings.dualClip"}\big)` : f`${w}`;
  return [
    open`${J} &= \begin{cases}0 & ${A} > 0,\ p_t > q_t,\ D_t > ${"settings.epsHigh"}\\ 0 & ${A} \le 0,\ p_t < q_t,\ D_t > ${"settings.epsLow"}\\ \mathrm{sg}\big[${weight}\big]·${A}·${"token.logprob"} & \text{else}\end{cases}`,
    open`&\text{with } p_t = \exp ${"token.logprob"},\quad q_t = \exp ${"token.oldLogprob"},`,
    open`&\text{and } D_t = ${formula}`,
  ];
}
