/** Pieces of several estimators' formulas, in KaTeX. */
import type { Settings } from "../axes.ts";
import type { Baseline } from "../baselines.ts";
import type { Binding } from "./vocabulary.ts";
import { f, open, squareOf, type TexLines, type TexPiece, wording } from "./tex.ts";

/** What a formula of advantages depends on. */
interface Choices extends Settings {
  baseline: Baseline;
}

/** A formula, or a line of one, from a row's choices. */
type FormulaLine = (choices: Choices) => TexPiece;

/** How an estimator forms advantages, from a row's choices. */
export type FormulaPart = (choices: Choices) => TexLines;

/** What one advantage belongs to. */
export type AdvantageLevel = "token" | "turn" | "trajectory";

/** The estimator's output: with a tilde if normalisation follows. */
export function outputOf({ whiten }: Pick<Choices, "whiten">, level: AdvantageLevel): Binding {
  return whiten === "none" ? `${level}.advantage` : `${level}.rawAdvantage`;
}

/** The same of the next turn or token. */
export function nextOutput({ whiten }: Choices, level: "token" | "turn"): Binding {
  return whiten === "none" ? `${level}.nextAdvantage` : `${level}.nextRawAdvantage`;
}

export const scoreLine: FormulaLine = () =>
  open`${"trajectory.score"} &= \sum_{h\in b} ${"turn.reward"}`;

/** "/ (std + 1e-6)" as a fraction around the difference, if scores are divided. */
export function scaled(difference: TexPiece, std: Binding, { std: divisor }: Choices): TexPiece {
  return divisor === "none" ? difference : f`\frac{${difference}}{${std} + 10^{-6}}`;
}

/** The definition of the group's standard deviation; nothing if scores are not divided. */
export function stdLine({ std }: Choices): TexPiece[] {
  if (std === "none") return [];
  const count = std === "sample" ? f`${"group.size"}-1` : f`${"group.size"}`;
  return [
    open`${squareOf("group.std")} &= \frac{1}{${count}}\sum_{j\in g} \big(R_j - ${"group.mean"}\big)^2`,
  ];
}

/** The same in words, if there are several divisors. */
export function stdWords({ std }: Choices): TexPiece[] {
  if (std === "none") return [];
  const kind = std === "sample" ? "unbiased" : "population";
  return [wording(`&\\text{with ${kind} standard deviations}`)];
}

/** A difference in brackets; a fraction needs none. */
export function bracketed(term: TexPiece, { std }: Choices): TexPiece {
  return std === "none" ? f`\big(${term}\big)` : term;
}

export const turnReturnLine: FormulaLine = () =>
  f`${"turn.return"} &= ${"turn.reward"} + ${"settings.gamma"}·${"turn.nextReturn"}`;

export const tokenDeltaLine: FormulaLine = () =>
  f`${"token.delta"} &= ${"token.reward"} + ${"settings.gamma"}·${"token.nextValue"} - ${"token.value"}`;

export const turnDeltaLine: FormulaLine = () =>
  f`${"turn.delta"} &= ${"turn.reward"} + ${"settings.gamma"}·${"turn.nextValue"} - ${"turn.value"}`;

/** GAE's decay of a rollout, where its length sets it. */
export function lengthLine({ lengthAlpha }: Choices, steps: "tokens" | "turns"): TexPiece[] {
  if (lengthAlpha === null) return [];
  return [
    f`${"trajectory.lambda"} &= \max\Big(0,\; 1 - \frac{1}{${"settings.lengthAlpha"}·${`trajectory.${steps}`}}\Big)`,
  ];
}

/** The setting lambda, or the rollout's own. */
export const decayOf = ({ lengthAlpha }: Pick<Choices, "lengthAlpha">): Binding =>
  lengthAlpha === null ? "settings.lambda" : "trajectory.lambda";

/** Where the value of a turn is read, if not at the state-end. */
export function valueLine({ valueAt }: Choices): TexPiece[] {
  if (valueAt === "state-end") return [];
  if (valueAt === "turn-end")
    return [
      open`${"turn.value"} &:= ${"token.value"}\ \text{at the last token } t \text{ of turn } h`,
    ];
  return [open`${"turn.value"} &:= \frac{1}{${"turn.tokens"}}\sum_{t\in h} ${"token.value"}`];
}

/** A_k = delta_k + gamma lambda A_{k+1} over steps of this kind. */
export function gaeLine(
  choices: Choices,
  level: "token" | "turn",
  decay: Binding = "settings.lambda",
): TexPiece {
  return f`${outputOf(choices, level)} &= ${`${level}.delta`} + ${"settings.gamma"}·${decay}·${nextOutput(choices, level)}`;
}

/** With one advantage for the turns before an episode's last and another for that one. */
export function exceptLast(choices: Choices, earlier: TexPiece, last: TexPiece): TexPiece {
  return open`${outputOf(choices, "turn")} &= \begin{cases}${earlier} & h < ${"trajectory.turns"}\\ ${last} & h = ${"trajectory.turns"}\end{cases}`;
}

/** Which states are compared, if not only equal ones. */
export function likeness({ anchorSimilarity }: Choices): TexPiece[] {
  if (anchorSimilarity === 1) return [];
  return [open`&s_h \text{: states alike to at least } ${"settings.anchorSimilarity"}`];
}
