/**
 * Small studies: conditions that differ in one thing, as a sweep of every condition with two methods and three seeds. What has
 * been measured stands in public/open-questions.jsonl; a cell without a line there is not run.
 */
import { mergeSpec, validateSpec, type ExperimentSpec, type PartialSpec } from "./experiment.ts";
import type { OwnSettings } from "./learning.ts";
import { toSpec } from "./presets.ts";
import { overSeeds } from "./sweepGrid.ts";

interface Condition {
  name: string;
  /** In words. */
  about: string;
  /** What the condition changes of the study's base. */
  set?: PartialSpec;
  /** Settings of each method (their axes and numbers). */
  method?: Record<string, number | string>;
  /** What it changes of the settings that each method has for itself. */
  with?: OwnSettings;
}

export interface Study {
  name: string;
  title: string;
  /** One sentence that ends in a question mark. */
  asks: string;
  /** What all conditions share beside the common base. */
  base?: PartialSpec;
  /** Each method with the settings that it has for itself; absent: rates that suit the usual two. */
  methods?: Readonly<Record<string, OwnSettings>>;
  conditions: readonly [Condition, Condition, ...Condition[]];
  /** What a reader should know of the test's limits. */
  note?: string;
}

/** Seeds of every cell. */
const SEEDS = [21, 22, 23];
const ITERATIONS = 50;

/** One rate suits both on nano's boards. */
const USUAL: NonNullable<Study["methods"]> = { "turn-ppo": {}, "token-ppo": {} };

const COMMON = {
  preset: "nano",
  optimisation: { iterations: ITERATIONS, grouping: "all" },
  evaluation: { levels: 256, every: 25, set: "test" },
  recordEpisodes: 0,
  engine: { name: "wasm" },
} as const;

/** What a study compares; the page shows the first. */
export const STUDY_MEASURES = ["val-env/sokoban/success", "val-env/sokoban/reward"] as const;

/** Weights are cloned in the run itself, so that a condition is not met for the first time in RL. */
export const CLONED: PartialSpec = { model: { warmStart: "clone" } };

/** The sweep that answers a study: every condition with every method and seed. */
export function sweepOf(study: Study) {
  const { base = {}, methods = USUAL, conditions } = study;
  const variants = conditions.flatMap(({ name, set = {}, method = {}, with: changed }) =>
    Object.entries(methods).map(([algorithm, own]) => ({
      name: variantName(study, name, algorithm),
      set: { ...set, algorithms: [{ name: algorithm, set: method, ...ownOf(own, changed) }] },
    })),
  );
  return { base: { ...COMMON, ...base }, variants, seeds: SEEDS, measures: STUDY_MEASURES };
}

/** A cell's spec of every seed: just what the sweep runs. */
export function specsOf(study: Study, condition: string, method: string): ExperimentSpec[] {
  const { base, variants, seeds } = sweepOf(study);
  const { set } = variants.find(({ name }) => name === variantName(study, condition, method))!;
  return overSeeds(validateSpec(mergeSpec(toSpec(base), set)), seeds).map(({ spec }) => spec);
}

const variantName = (study: Study, condition: string, method: string) =>
  `${study.name}.${condition}.${method}`;

/** A method's own settings with a condition's in their place; no field where there are none. */
function ownOf(own: OwnSettings, changed: OwnSettings = {}): { with?: OwnSettings } {
  const parts = ["optimisation", "critic", "sampling"] as const;
  const merged = parts.flatMap((part) => {
    const both = { ...own[part], ...changed[part] };
    return Object.keys(both).length > 0 ? [[part, both]] : [];
  });
  return merged.length > 0 ? { with: Object.fromEntries(merged) as OwnSettings } : {};
}

/** Where a study's sweep is kept. */
export const sweepFileOf = ({ name }: Study): string => `test/bench/recipes/questions/${name}.json`;

/** Results of all studies, a run a line, as `sweep --keep` writes them. */
export const RESULTS_FILE = "open-questions.jsonl";

/** What runs it, and continues it. */
export const studyCommand = (study: Study): string =>
  [
    `npm run -s turnbook -- sweep ${sweepFileOf(study)}`,
    `--out runs/${study.name} --keep public/${RESULTS_FILE}`,
  ].join(" ");

export const methodsOf = ({ methods = USUAL }: Study): readonly string[] => Object.keys(methods);

export const seedsPerCell = SEEDS.length;
