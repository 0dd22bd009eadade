/** Formulas of the methods outside the table: methods on pairs, and Iterative PPO. */
import type { PreferenceConfig } from "../preference.ts";
import { f, open, wording, type TexLines } from "../../method/formula/tex.ts";

/** The logit of a pair. */
export function pairLogitFormula({ seqKl, logps }: PreferenceConfig): TexLines {
  const per = logps === "mean" ? "\\tfrac{1}{|y|}\\sum_t" : "\\sum_t";
  const front = wording(per);
  const margin = f`m(y) &= ${front}\big(${"token.logprob"} - ${"token.refLogprob"}\big)`;
  const difference = f`${"pair.chosenMargin"} - ${"pair.rejectedMargin"}`;
  if (seqKl === "none") return [margin, f`${"pair.logit"} &= ${difference}`];
  const kl = open`D(y) &= \sum_t \mathrm{KL}\big(\pi_{\text{ref}}\,\|\,\pi_\theta\big)_t`;
  const klMargin =
    seqKl === "margin"
      ? f`\big(${"pair.rejectedKl"} - ${"pair.chosenKl"}\big)`
      : f`${"settings.alpha"}·\big(${"pair.rejectedKl"} - \mathrm{sg}[${"pair.chosenKl"}]\big)`;
  return [margin, kl, f`${"pair.logit"} &= ${difference} - ${klMargin}`];
}

export function pairLossFormula({ loss, labelSmoothing }: PreferenceConfig): TexLines {
  if (loss === "squared")
    return [f`L = \Big(${"pair.logit"} - \frac{1}{2·${"settings.beta"}}\Big)^2`];
  const right = f`\log\sigma\big(${"settings.beta"}·${"pair.logit"}\big)`;
  if (labelSmoothing === 0) return [f`L = -${right}`];
  const wrong = f`\log\sigma\big(-${"settings.beta"}·${"pair.logit"}\big)`;
  return [
    f`L = -\big(1-${"settings.labelSmoothing"}\big)·${right} - ${"settings.labelSmoothing"}·${wrong}`,
  ];
}

/** Iterative PPO's outer step: what is fitted, and the inner algorithm's reward. */
export function fitFormula(): TexLines {
  return [
    open`\hat Q_n &= \arg\min_Q \sum_h \big(Q(s_h, a_h) - ${"turn.return"}\big)^2`,
    f`${"turn.return"} &= ${"turn.reward"} + ${"settings.gamma"}·${"turn.nextReturn"}`,
  ];
}

export function improveFormula(): TexLines {
  return [
    open`${"turn.reward"} &:= ${"turn.fittedQ"},\quad \text{each turn an episode of its own}`,
    open`\pi_{n+1} &= \text{token-PPO}\big(\pi_n;\ ${"turn.reward"}\big)`,
  ];
}
