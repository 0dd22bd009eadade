/**
 * The documentation of each algorithm: a text, formulas built from the row's choices, and the terms
 * in them, each bound to its number. Plain data, for the page, the formula panel and the command
 * line.
 */
import {
  algorithmNames,
  resolveAlgorithm,
  rowNameOf,
  type AlgorithmConfig,
} from "../algorithms.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { ITERATIVE_NAME, iterativeDefaults } from "../iterative.ts";
import {
  preferenceConfig,
  preferenceDefaults,
  preferenceNames,
  type PreferenceConfig,
} from "../preference.ts";
import {
  advantageFormula,
  criticFormula,
  normalisationFormula,
  rewardFormula,
} from "./advantageFormulas.ts";
import {
  correctionFormula,
  filterFormula,
  lossFormula,
  ratioFormula,
  surrogateFormula,
} from "./objectiveFormulas.ts";
import { fitFormula, improveFormula, pairLogitFormula, pairLossFormula } from "./pairFormulas.ts";
import { formulaTex, termsIn, type TexLines, type Writing } from "../../method/formula/tex.ts";
import { symbols, type SettingStyle } from "../../method/formula/symbols.ts";
import { outsideTexts } from "./texts/outside.ts";
import type { DocText, TableText } from "./texts/text.ts";
import { termOf, type Binding, type Term } from "../../method/formula/vocabulary.ts";
import { criticTexts } from "./texts/critic.ts";
import { groupTexts } from "./texts/group.ts";
import { plainTexts } from "./texts/plain.ts";
import { turnGroupTexts } from "./texts/turnGroup.ts";

/** The texts of all rows of the table. */
export const rowTexts: Record<string, TableText> = {
  ...plainTexts,
  ...groupTexts,
  ...criticTexts,
  ...turnGroupTexts,
};

const formulaTitles = {
  reward: "Reward",
  advantage: "Advantage",
  normalised: "Normalisation",
  ratio: "Ratio",
  surrogate: "Clip",
  loss: "Loss",
  critic: "Critic",
  filter: "Filter",
  correction: "Correction",
  fit: "Fit",
  improve: "Improve",
  logit: "Logit of a pair",
  pairLoss: "Loss of a pair",
} as const;

export type FormulaId = keyof typeof formulaTitles;

interface Formula {
  id: FormulaId;
  title: string;
  /** KaTeX; terms are in \htmlData{term=ID}{...}. */
  tex: string;
  /** Terms in it, in order. */
  terms: readonly Binding[];
}

export interface AlgorithmDoc {
  name: string;
  title: string;
  /** arXiv number; null if there is none. */
  arxiv: string | null;
  about: string;
  text: DocText;
  formulas: readonly Formula[];
  /** Terms of all formulas, without duplicates, in order. */
  terms: readonly Term[];
}

/** Names that have a page but are not rows of the table. */
export const outsideNames: readonly string[] = [...preferenceNames, ITERATIVE_NAME];

/** A formula as data. */
interface FormulaLines {
  id: FormulaId;
  title: string;
  lines: TexLines;
}

/** A row's formulas, from its choices. */
export function rowFormulas(config: AlgorithmConfig): FormulaLines[] {
  const surrogate = formula("surrogate", surrogateFormula(config));
  const objective = surrogate.map((one) => ({ ...one, title: "Objective" }));
  return [
    ...formula("filter", filterFormula(config)),
    ...formula("reward", rewardFormula(config)),
    ...formula("advantage", advantageFormula(config)),
    ...formula("normalised", normalisationFormula(config)),
    ...formula("ratio", ratioFormula(config)),
    ...(config.ratio === "none" ? objective : surrogate),
    ...formula("loss", lossFormula(config)),
    ...formula("correction", correctionFormula(config)),
    ...formula("critic", criticFormula(config)),
  ];
}

/** A row's page. */
export function rowDoc(config: AlgorithmConfig, style: SettingStyle = "values"): AlgorithmDoc {
  return doc(
    config,
    rowTexts[rowNameOf(config.name).row]!,
    rowFormulas(config),
    symbols(config, style),
  );
}

/**
 * The page of an algorithm by name, with its own settings.
 * @throws InputError naming an algorithm without a page, or an invalid setting.
 */
export function algorithmDoc(name: string, set: Record<string, unknown> = {}): AlgorithmDoc {
  if (algorithmNames.includes(name)) return rowDoc(resolveAlgorithm(name, set));
  if (!outsideNames.includes(name)) {
    const all = [...algorithmNames, ...outsideNames].join(", ");
    throw new InputError(`algorithm is ${show(name)}; allowed: ${all}`);
  }
  return outsideDoc(name);
}

/** The page of a method outside the table, with default settings. */
export function outsideDoc(name: string, style: SettingStyle = "values"): AlgorithmDoc {
  if (name === ITERATIVE_NAME) return iterativePpo(style);
  return pairDoc(preferenceConfig(name, preferenceDefaults()), style);
}

function pairDoc(config: PreferenceConfig, style: SettingStyle): AlgorithmDoc {
  const formulas = [
    ...formula("logit", pairLogitFormula(config)),
    ...formula("pairLoss", pairLossFormula(config)),
  ];
  return doc(config, outsideTexts[config.name]!, formulas, symbols(config, style));
}

/** Settings in the formulas of a method outside the table. */
export function outsideSettings(name: string): object {
  return name === ITERATIVE_NAME ? iterativeDefaults() : preferenceDefaults();
}

function iterativePpo(style: SettingStyle): AlgorithmDoc {
  const head = {
    name: ITERATIVE_NAME,
    title: "Iterative PPO",
    arxiv: "2511.21638",
    about: "Fits Q to logged episodes, improves single turns against it, repeats.",
  };
  const formulas = [...formula("fit", fitFormula()), ...formula("improve", improveFormula())];
  const how = symbols(outsideSettings(ITERATIVE_NAME), style);
  return doc(head, outsideTexts[ITERATIVE_NAME]!, formulas, how);
}

/** None if there is nothing to write. */
function formula(id: FormulaId, lines: TexLines | null): FormulaLines[] {
  return lines === null ? [] : [{ id, title: formulaTitles[id], lines }];
}

type Head = Pick<AlgorithmDoc, "name" | "title" | "arxiv" | "about">;

function doc(
  head: Head,
  text: DocText,
  parts: readonly FormulaLines[],
  how: Writing,
): AlgorithmDoc {
  const { name, title, arxiv, about } = head;
  const formulas = parts.map(({ lines, ...named }): Formula => {
    return { ...named, tex: formulaTex(lines, how), terms: termsIn(lines) };
  });
  const ids = new Set(formulas.flatMap(({ terms }) => terms));
  return { name, title, arxiv, about, text, formulas, terms: [...ids].map(termOf) };
}
