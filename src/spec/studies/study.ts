/**
 * Small studies: conditions that differ in one thing and its consequences, as a sweep of every
 * condition with every method and three seeds. Each method has the settings that an equal search
 * chose for it (preset nano-fair), and takes its tasks as in that search, unless the study differs.
 * The measurements are in public/open-questions.jsonl; a cell without a line there has not been
 * run.
 */
import { mergeSpec, validateSpec, type ExperimentSpec, type PartialSpec } from "../experiment.ts";
import type { OwnSettings } from "../learning.ts";
import { NANO_RECIPES } from "../methodPresets.ts";
import { presetSpec, toSpec } from "../presets.ts";
import { overSeeds } from "../sweepGrid.ts";

export interface Condition {
  name: string;
  /** In words. */
  about: string;
  /** The condition's changes of the study's base. */
  set?: PartialSpec;
  /** Settings of each method (their axes and numbers). */
  method?: Record<string, number | string>;
  /** Its changes of each method's own settings. */
  with?: OwnSettings;
}

export interface Study {
  name: string;
  title: string;
  /** One sentence that ends in a question mark. */
  asks: string;
  /** What all conditions share in addition to the common base. */
  base?: PartialSpec;
  /** Each method with its own settings; absent: the two PPOs with theirs. */
  methods?: Readonly<Record<string, OwnSettings>>;
  conditions: readonly [Condition, Condition, ...Condition[]];
  /** Limits of the test that a reader should know. */
  note?: string;
  /** Whether it is about tokens and time, which are then shown with success. */
  costs?: true;
}

/** Seeds of every cell. */
const SEEDS: [number, ...number[]] = [21, 22, 23];

/** The settings that the search chose. */
export const recipeOf = (method: string): OwnSettings => NANO_RECIPES[method]!;

const USUAL: NonNullable<Study["methods"]> = {
  "turn-ppo": recipeOf("turn-ppo"),
  "token-ppo": recipeOf("token-ppo"),
};

const PRESET = "nano";

const COMMON = {
  preset: PRESET,
  optimisation: { iterations: 50 },
  evaluation: { levels: 256, every: 25, set: "test" },
  recordEpisodes: 0,
  engine: { name: "wasm" },
} as const;

/** The measures of a study; the page shows the first. */
export const STUDY_MEASURES = ["val-env/sokoban/success", "val-env/sokoban/reward"] as const;

/** The sweep that answers a study: every condition with every method and seed. */
export function sweepOf(study: Study) {
  const variants = study.conditions.flatMap((condition) =>
    methodsOf(study).map((method) => ({
      name: `${study.name}.${condition.name}.${method}`,
      set: { ...condition.set, algorithms: [entryOf(study, condition, method)] },
    })),
  );
  return { base: baseOf(study), variants, seeds: SEEDS, measures: STUDY_MEASURES };
}

const baseOf = ({ base }: Study) => ({ ...COMMON, ...base });

/** A method under a condition. */
function entryOf({ methods = USUAL }: Study, { method, with: changed }: Condition, name: string) {
  return { name, set: method ?? {}, ...ownOf(methods[name]!, changed) };
}

/** A cell's spec for every seed: exactly what the sweep runs. */
export function specsOf(study: Study, condition: Condition, method: string): ExperimentSpec[] {
  const spec = specWith(study, condition, [method]);
  return overSeeds(spec, SEEDS).map((one) => one.spec);
}

function specWith(study: Study, condition: Condition, methods: readonly string[]): ExperimentSpec {
  const algorithms = methods.map((name) => entryOf(study, condition, name));
  return validateSpec(mergeSpec(toSpec(baseOf(study)), { ...condition.set, algorithms }));
}

/** A condition for display: all its methods in one experiment, with the preset's recorded episodes. */
export function experimentOf(study: Study, condition: Condition): ExperimentSpec {
  const { recordEpisodes, engine } = presetSpec(PRESET);
  const [seed] = SEEDS;
  return { ...specWith(study, condition, methodsOf(study)), recordEpisodes, engine, seed };
}

/** A method's own settings, overridden by a condition's; no field if there are none. */
function ownOf(own: OwnSettings, changed: OwnSettings = {}): { with?: OwnSettings } {
  const parts = ["optimisation", "critic", "sampling"] as const;
  const merged = parts.flatMap((part) => {
    const both = { ...own[part], ...changed[part] };
    return Object.keys(both).length > 0 ? [[part, both]] : [];
  });
  return merged.length > 0 ? { with: Object.fromEntries(merged) as OwnSettings } : {};
}

/** Where a study's sweep is stored. */
export const sweepFileOf = ({ name }: Study): string => `test/bench/recipes/questions/${name}.json`;

/** Results of all studies, one run per line, as `sweep --keep` writes them. */
export const RESULTS_FILE = "open-questions.jsonl";

/** The command that runs it, and continues it. */
export const sweepCommandOf = (study: Study): string =>
  [
    `npm run -s turnbook -- sweep ${sweepFileOf(study)}`,
    `--out runs/${study.name} --keep public/${RESULTS_FILE}`,
  ].join(" ");

export const methodsOf = ({ methods = USUAL }: Study): readonly string[] => Object.keys(methods);

export const seedsPerCell = SEEDS.length;
