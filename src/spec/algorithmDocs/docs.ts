/**
 * The documentation of each algorithm: a text, formulas built from the row's choices, and the terms
 * in them, each bound to its number. Plain data, for the page, the formula panel and the command
 * line.
 */
import { algorithmNames, resolveAlgorithm, type AlgorithmConfig } from "../algorithms.ts";
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
import { writer, type SettingStyle, type TexPiece } from "../../method/formula/tex.ts";
import { outsideTexts } from "./texts/outside.ts";
import type { DocText } from "./texts/text.ts";
import { termOf, type Binding, type Term } from "../../method/formula/vocabulary.ts";
import { criticTexts } from "./texts/critic.ts";
import { groupTexts } from "./texts/group.ts";
import { plainTexts } from "./texts/plain.ts";
import { turnGroupTexts } from "./texts/turnGroup.ts";

/** The texts of all rows of the table. */
export const rowTexts: Record<string, DocText> = {
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

/** A row's page, with formulas built from its choices. */
export function rowDoc(config: AlgorithmConfig, style: SettingStyle = "values"): AlgorithmDoc {
  const f = writer(config, style);
  const plain = config.ratio === "none";
  const formulas = [
    formula("filter", filterFormula(config, f)),
    formula("reward", rewardFormula(config, f)),
    formula("advantage", advantageFormula(config, f)),
    formula("normalised", normalisationFormula(config, f)),
    formula("ratio", ratioFormula(config, f)),
    { ...formula("surrogate", surrogateFormula(config, f)), ...(plain && { title: "Objective" }) },
    formula("loss", lossFormula(config, f)),
    formula("correction", correctionFormula(config, f)),
    formula("critic", criticFormula(config, f)),
  ];
  return doc(config, rowTexts[config.name]!, formulas);
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
  const f = writer(config, style);
  const formulas = [
    formula("logit", pairLogitFormula(config, f)),
    formula("pairLoss", pairLossFormula(config, f)),
  ];
  return doc(config, outsideTexts[config.name]!, formulas);
}

/** Settings in the formulas of a method outside the table. */
export function outsideSettings(name: string): object {
  return name === ITERATIVE_NAME ? iterativeDefaults() : preferenceDefaults();
}

function iterativePpo(style: SettingStyle): AlgorithmDoc {
  const f = writer(outsideSettings(ITERATIVE_NAME), style);
  const head = {
    name: ITERATIVE_NAME,
    title: "Iterative PPO",
    arxiv: "2511.21638",
    about: "Fits Q to logged episodes, improves single turns against it, repeats.",
  };
  const formulas = [formula("fit", fitFormula(f)), formula("improve", improveFormula(f))];
  return doc(head, outsideTexts[ITERATIVE_NAME]!, formulas);
}

function formula<Part extends TexPiece | null>(id: FormulaId, tex: Part) {
  return tex === null ? null : { id, title: formulaTitles[id], ...tex };
}

type Head = Pick<AlgorithmDoc, "name" | "title" | "arxiv" | "about">;

function doc(head: Head, text: DocText, parts: readonly unknown[]): AlgorithmDoc {
  const { name, title, arxiv, about } = head;
  const formulas = parts.filter((part) => part !== null) as Formula[];
  const ids = new Set(formulas.flatMap(({ terms }) => terms));
  return { name, title, arxiv, about, text, formulas, terms: [...ids].map(termOf) };
}
