/** An algorithm in nine steps: which lines of its formulas belong to which, and the text for steps without any. */
import { divisorsOf } from "../../method/objective/aggregate.ts";
import { tokenRewards } from "../../method/credit/rewards.ts";
import { marked, sidesOf, termsIn, type Sides } from "../../method/formula/tex.ts";
import { symbols } from "../../method/formula/symbols.ts";
import { rowFormulas, type FormulaId } from "../../spec/algorithmDocs/docs.ts";
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import { termOf, type Binding } from "../../method/formula/vocabulary.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { branchesOf } from "./branch.ts";
import type { Branches } from "../../method/clip/clipRule.ts";
import { clipsRange } from "./clipBranches.ts";
import {
  aligned,
  equals,
  filledLine,
  isRounded,
  rightNumbers,
  relation,
  symbolLine,
  texNumber,
  type LineFilling,
  type Value,
  type Winner,
} from "./fill.ts";
import { numberAt } from "./numbers.ts";
import type { BatchPlace } from "./place.ts";
import type { StepId } from "./stepIds.ts";
import { words } from "./words.ts";

/** Steps that need the log-probs of an update. */
export const OF_UPDATES: readonly StepId[] = ["ratio", "clip", "loss", "update"];

/** Formulas that belong to one step as a whole; "advantage" is divided by what its lines define. */
const HOME: Partial<Record<FormulaId, StepId>> = {
  filter: "rollout",
  reward: "reward",
  normalised: "advantage",
  ratio: "ratio",
  surrogate: "clip",
  loss: "loss",
  critic: "update",
  correction: "update",
};

/** The step of a line of the advantage's formula. */
function homeOf(defines: Binding | null): StepId {
  if (defines === null) return "advantage";
  if (defines.endsWith(".delta")) return "tdError";
  if (defines === "trajectory.score" || defines.endsWith(".return")) return "reward";
  if (defines.startsWith("group.") || defines.endsWith(".value")) return "value";
  return "advantage";
}

export interface FilledFormula {
  id: string;
  step: StepId;
  tex: string;
  /** Terms in it, in order. */
  terms: readonly Binding[];
}

interface PlacedLine {
  id: FormulaId;
  step: StepId;
  line: Sides;
  /** Terms in it. */
  terms: readonly Binding[];
}

/** Every line of the row's formulas with the place's numbers, by step. */
export function filledFormulas(place: BatchPlace): FilledFormula[] {
  const { config } = place.all;
  const lines = placed.get(config) ?? placedLines(config);
  placed.set(config, lines);
  const made = [...grouped(lines)].map(([key, own]) => formulaOf(key, own, place));
  return [...made, ...extras(place)];
}

/** Cached, since they do not depend on the cursor. */
const placed = new WeakMap<AlgorithmConfig, PlacedLine[]>();

function placedLines(config: AlgorithmConfig): PlacedLine[] {
  return rowFormulas(config).flatMap(({ id, lines }) =>
    lines.map((piece): PlacedLine => {
      const line = sidesOf(piece);
      const step = id === "advantage" ? homeOf(line.defines) : (HOME[id] ?? "advantage");
      return { id, step, line, terms: termsIn([piece]) };
    }),
  );
}

function grouped(lines: readonly PlacedLine[]): Map<string, PlacedLine[]> {
  const groups = new Map<string, PlacedLine[]>();
  for (const one of lines) {
    const key = `${one.step}.${one.id}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

function formulaOf(key: string, lines: readonly PlacedLine[], place: BatchPlace): FilledFormula {
  const clip = lines[0]!.id === "surrogate" && hasMin(place) ? branchesOf(place) : null;
  const tex = aligned(lines.flatMap(({ line }) => textOf(line, clip, place)));
  const terms = [...new Set(lines.flatMap((one) => one.terms))];
  return { id: key, step: lines[0]!.step, tex, terms };
}

/** The objective's lines: its value before the dual clip, which then changes it or does not apply. */
function textOf(line: Sides, clip: Branches | null, place: BatchPlace): string[] {
  const { config } = place.all;
  const [names, settings] = [symbols(config, "symbols"), symbols(config, "values")];
  const value: Value = (binding) => numberAt(binding, place);
  const filled = (filling: LineFilling, from = filling) =>
    filledLine(line, names, filling, rightNumbers(line, settings, from));
  if (line.defines === "turn.ratio")
    return filled({ value, addends: (id) => turnAddends(id, place) });
  if (line.defines === "token.reward") return filled({ value }, { value: beforeKl(place, value) });
  // The 0 of a filtered group does not come from its formula.
  if (isFilteredOut(place) && line.defines?.endsWith(".advantage"))
    return filledLine(line, names, { value }, null);
  if (clip === null || !line.defines?.endsWith(".surrogate")) return filled({ value });
  const isDual = line.relation === "\\leftarrow";
  if (isDual && clip.floor === null) return symbolLine(line, names);
  if (isDual) return [...symbolLine(line, names), equals(clip.value, line.defines)];
  const first: Value = (binding) => (binding === line.defines ? clip.min : value(binding));
  return filled({ value: first, winner: winnerOf(clip) });
}

/** What the KL to the reference is subtracted from: the environment's reward. */
function beforeKl({ all, n }: BatchPlace, value: Value): Value {
  const reward = tokenRewards(all.batch)[n]!;
  return (binding) => (binding === "token.reward" ? reward : value(binding));
}

/** Whether the episode's group takes no part in the updates, so that its advantages are 0. */
export function isFilteredOut({ all, b }: BatchPlace): boolean {
  return all.credit.kept?.[b] === 0;
}

/** Equal sides have no winner. */
function winnerOf({ free, held }: Branches): Winner {
  if (free === held) return null;
  return held < free ? "held" : "free";
}

/** Log-ratios of each token of the turn; formulas sum nothing else. */
function turnAddends(binding: Binding, { all, k }: BatchPlace): number[] | null {
  const { tokenStart } = all.batch;
  return binding === "token.logRatio"
    ? [...all.logRatio.subarray(tokenStart[k]!, tokenStart[k + 1]!)]
    : null;
}

/** Whether the row's objective is a min of two sides. */
export function hasMin({ all: { config } }: BatchPlace): boolean {
  return clipsRange(config);
}

/** Steps without a formula on the pages, because there is nothing to choose: the sampling, the values, the gradient. */
function extras(place: BatchPlace): FilledFormula[] {
  const { all, n } = place;
  const unit = unitOf(all.config);
  const line = (step: StepId, tex: string, ...terms: Binding[]) => ({
    id: `${step}.own`,
    step,
    tex,
    terms,
  });
  const equations = (step: StepId, ...terms: Binding[]) =>
    line(step, aligned(terms.map((term) => equation(place, term))), ...terms);
  const isTurn = all.config.critic === "turn";
  const level = isTurn ? "turn" : "token";
  const hasValue = isTurn || all.trace["token.delta"] !== undefined;
  const gradient = `-\\frac{\\partial L}{\\partial ${symbol("token.logprob")}} ${equals(0 - all.corrected.objective.dLogprob[n]!)}`;
  return [
    equations("rollout", "token.oldLogprob"),
    equations("reward", unit === "token" ? "token.reward" : "turn.reward"),
    ...(hasValue ? [equations("value", `${level}.value`, `${level}.nextValue`)] : []),
    line("loss", lossShare(place), `${unit}.surrogate`),
    line("update", aligned([gradient]), "token.logprob"),
  ];
}

function symbol(binding: Binding): string {
  return marked(binding, termOf(binding).symbol);
}

/** "symbol = number", aligned; only the symbol if there is none. */
function equation(place: BatchPlace, binding: Binding): string {
  const value = numberAt(binding, place);
  return value === null
    ? `${symbol(binding)} &= \\text{?}`
    : `${symbol(binding)} ${equals(value, binding)}`;
}

/** What this unit contributes to the loss: its weight times its objective, and the loss itself. */
function lossShare(place: BatchPlace): string {
  const { all, b, k, n } = place;
  const unit = unitOf(all.config);
  const { tokenStart } = all.batch;
  const [from, to] = {
    token: [n, n + 1],
    turn: [tokenStart[k]!, tokenStart[k + 1]!],
    trajectory: [all.tokensOf[b]!, all.tokensOf[b + 1]!],
  }[unit] as [number, number];
  const weight = all.weight.subarray(from, to).reduce((sum, w) => sum + w, 0);
  const J = numberAt(`${unit}.surrogate`, place)!;
  const share = 0 - weight * J;
  const isNearly = isRounded(weight) || isRounded(J);
  const same = relation(isNearly);
  const index = { token: "t", turn: "h", trajectory: "b" }[unit];
  return aligned([
    `L ${equals(all.objective.loss)}`,
    `L_{${index}} &= -\\omega_{${index}}\\,${symbol(`${unit}.surrogate`)}`,
    `&${same} -${texNumber(weight)}\\cdot ${marked(`${unit}.surrogate`, texNumber(J, true))}`,
    `&${relation(isNearly || isRounded(share))} ${texNumber(share)}`,
  ]);
}

/** Over how many episodes, and with which weights. */
export function lossRemark({ all: { batch, config } }: BatchPlace): string {
  const { aggregation } = config;
  const { note } = divisorsOf(aggregation);
  if (config.own?.aggregation !== undefined) return words.over(batch.task.length);
  const averaged = `${words.over(batch.task.length)} ${words.averaged(aggregation)}`;
  return note === undefined ? averaged : `${averaged} ${note}`;
}
