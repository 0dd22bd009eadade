/** Pieces that the formulas of several estimators are made of, in KaTeX. */
import type { Settings } from "../axes.ts";
import type { Baseline } from "../baselines.ts";
import type { TexPiece, Writer } from "./tex.ts";
import type { Binding } from "./vocabulary.ts";

/** What a formula of advantages depends on. */
interface Choices extends Settings {
  baseline: Baseline;
}

/** A formula, or a line of one, made of a row's choices. */
export type FormulaPart = (choices: Choices, f: Writer) => TexPiece;

/** What one advantage belongs to. */
export type AdvantageLevel = "token" | "turn" | "trajectory";

/** The estimator's output: with a tilde where normalisation follows. */
export function outputOf({ whiten }: Pick<Choices, "whiten">, level: AdvantageLevel): Binding {
  return whiten === "none" ? `${level}.advantage` : `${level}.rawAdvantage`;
}

/** The same of the next turn or token. */
export function nextOutput({ whiten }: Choices, level: "token" | "turn"): Binding {
  return whiten === "none" ? `${level}.nextAdvantage` : `${level}.nextRawAdvantage`;
}

export const scoreLine: FormulaPart = (_, f) =>
  f`${"trajectory.score"} &= \sum_{h\in b} ${"turn.reward"}`;

/** "/ (std + 1e-6)" as a fraction around the difference, where scores are divided. */
export function scaled(
  difference: TexPiece,
  std: Binding,
  { std: divisor }: Choices,
  f: Writer,
): TexPiece {
  return divisor === "none" ? difference : f`\frac{${difference}}{${std} + 10^{-6}}`;
}

const BASELINES: Partial<Record<Baseline, Binding>> = {
  "group-mean": "group.mean",
  "leave-one-out": "group.othersMean",
  "length-weighted-mean": "group.lengthWeightedMean",
  greedy: "trajectory.greedyScore",
};

/** The term of a baseline of scores. */
export function baselineTerm({ baseline }: Choices): Binding {
  return BASELINES[baseline] ?? "group.mean";
}

/** What the baseline is the mean of. */
export const baselineLine: FormulaPart = ({ baseline }, f) => {
  if (baseline === "leave-one-out")
    return f`${"group.othersMean"} &= \frac{1}{${"group.size"}-1}\sum_{j\in g,\,j\ne b} R_j`;
  if (baseline === "length-weighted-mean")
    return f`${"group.lengthWeightedMean"} &= \frac{\sum_{j\in g} N_j R_j}{\sum_{j\in g} N_j}`;
  return f`${"group.mean"} &= \frac{1}{${"group.size"}}\sum_{j\in g} R_j`;
};

/** What the group's standard deviation is; nothing where scores are not divided. */
export function stdLine({ std }: Choices, f: Writer): TexPiece[] {
  if (std === "none") return [];
  const count = std === "sample" ? f`${"group.size"}-1` : f`${"group.size"}`;
  return [f`${"group.std"}^2 &= \frac{1}{${count}}\sum_{j\in g} \big(R_j - ${"group.mean"}\big)^2`];
}

/** The same in words, where several are divided by. */
export function stdWords({ std }: Choices): TexPiece[] {
  if (std === "none") return [];
  const kind = std === "sample" ? "unbiased" : "population";
  return [{ tex: `&\\text{with ${kind} standard deviations}`, terms: [] }];
}

/** A difference in brackets; a fraction needs none. */
export function bracketed(term: TexPiece, { std }: Choices, f: Writer): TexPiece {
  return std === "none" ? f`\big(${term}\big)` : term;
}

export const turnReturnLine: FormulaPart = (_, f) =>
  f`${"turn.return"} &= ${"turn.reward"} + ${"settings.gamma"}·${"turn.nextReturn"}`;

export const tokenDeltaLine: FormulaPart = (_, f) =>
  f`${"token.delta"} &= ${"token.reward"} + ${"settings.gamma"}·${"token.nextValue"} - ${"token.value"}`;

/** Where the value of a turn is read, if not at the state-end. */
export function valueLine({ valueAt }: Choices, f: Writer): TexPiece[] {
  if (valueAt === "state-end") return [];
  if (valueAt === "turn-end")
    return [
      f`${"turn.value"} &:= ${"token.value"}\ \text{at the last token } t \text{ of turn } h`,
    ];
  return [f`${"turn.value"} &:= \frac{1}{${"turn.tokens"}}\sum_{t\in h} ${"token.value"}`];
}

/** A_k = delta_k + gamma lambda A_{k+1} over steps of this kind. */
export function gaeLine(choices: Choices, f: Writer, level: "token" | "turn"): TexPiece {
  return f`${outputOf(choices, level)} &= ${`${level}.delta`} + ${"settings.gamma"}·${"settings.lambda"}·${nextOutput(choices, level)}`;
}

/** With one advantage for the turns before an episode's last and another for that one. */
export function exceptLast(
  choices: Choices,
  f: Writer,
  earlier: TexPiece,
  last: TexPiece,
): TexPiece {
  return f`${outputOf(choices, "turn")} &= \begin{cases}${earlier} & h < ${"trajectory.turns"}\\ ${last} & h = ${"trajectory.turns"}\end{cases}`;
}

/** Which states are compared, if not only equal ones. */
export function likeness({ anchorSimilarity }: Choices, f: Writer): TexPiece[] {
  if (anchorSimilarity === 1) return [];
  return [f`&s_h \text{: states alike to at least } ${"settings.anchorSimilarity"}`];
}
