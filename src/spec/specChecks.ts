/** Rules across fields of a spec; the schema has checked each field separately. */
import {
  algorithmNames,
  isAlgorithmName,
  neededColumns,
  resolveAlgorithm,
  rowNameOf,
  type AlgorithmConfig,
} from "./algorithms.ts";
import { clips } from "../method/clip/clips.ts";
import type { ClipRule } from "../method/clip/clipRule.ts";
import { checkDefinitions, ROW_KINDS, type Definition, type NamedUse } from "./definitions.ts";
import type { environment } from "./environments.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { checkLevels, type LevelFields } from "./levelCount.ts";
import type { OwnSettings } from "./learning.ts";
import { checkFolder, type FolderSpec } from "./folder.ts";
import { checkLora } from "./lora.ts";
import { checkPlants, withPlants, type ChangesDuringRun } from "./plants.ts";
import { checkPreference, type PreferenceSpec } from "./preference.ts";
import { checkProcessReward, type ProcessRewardSpec } from "./process.ts";
import type { ThoughtLength } from "./thoughts.ts";
import type { z } from "./zod.ts";

/** The fields used by the checks. */
interface CheckedFields extends Pick<LevelFields, "revision" | "seed">, ChangesDuringRun {
  model: Parameters<typeof checkLora>[0]["model"] & {
    preset: string;
    warmStart: string;
    checkpoint?: string | undefined;
    folder?: FolderSpec | undefined;
  };
  engine: { name: string; backend: string };
  environment: z.infer<typeof environment>;
  context: "full" | "turn";
  clone: {
    noise?: number | undefined;
    expert?: string | undefined;
    thoughts?: readonly ThoughtLength[] | undefined;
    misread?: number | undefined;
    language?: number | undefined;
  };
  definitions?: readonly Definition[] | undefined;
  algorithms: readonly {
    name: string;
    set: Readonly<Record<string, number | string | null>>;
    with?: OwnSettings | undefined;
  }[];
  preference?: PreferenceSpec | undefined;
  iterative?: object | undefined;
  processReward?: ProcessRewardSpec | undefined;
  critic: object;
  sampling: { maxTokensPerTurn: number; kvCache?: "float16" | undefined };
  optimisation: {
    iterations: number;
    tasksPerIteration: number;
    groupSize: number;
    minibatch: number;
    segmentation?: string | undefined;
  };
  evaluation: { levels: number; set?: "validation" | "test" | undefined };
}

/** @throws InputError naming the first field that conflicts with the others, its value and what is allowed. */
export function checkSpec(spec: CheckedFields): void {
  checkAlgorithms(spec);
  checkDefinitions(spec.definitions, namedUses(spec));
  checkSegmentation(spec);
  checkPrompt(spec);
  checkPreference(spec);
  checkCounts(spec);
  checkTestSet(spec);
  checkNoise(spec);
  checkProcessReward(spec.processReward);
  checkSlip(spec);
  checkTurnLength(spec);
  checkThoughts(spec);
  checkLevels(spec);
  checkPlanted(spec);
  checkLora(spec);
  checkKvCache(spec);
  checkFolder(spec);
}

/** Other engines' kernels read keys and values in float32. */
function checkKvCache({ sampling, engine: { name, backend } }: CheckedFields): void {
  const isOnCard = name !== "tfjs" && [name, backend].includes("webgpu");
  if (sampling.kvCache && !isOnCard)
    throw new InputError(
      `engine.name is ${show(name)} with engine.backend ${show(backend)}; sampling.kvCache needs engine.name "webgpu"`,
    );
}

/** Levels of a test or validation set: half of the held-out ones. */
export const LEVELS_OF_SET = 256;

function checkAlgorithms(spec: CheckedFields): void {
  if (spec.algorithms.length === 0 && !spec.preference && !spec.iterative)
    throw new InputError("algorithms is []; it must be a list of at least 1");
  const seen = new Set<string>();
  for (const [i, { name, set }] of spec.algorithms.entries()) {
    const field = `algorithms[${i}]`;
    if (!isAlgorithmName(name)) {
      const names = algorithmNames.join(", ");
      throw new InputError(`${field}.name is ${show(name)}; allowed: ${names}`);
    }
    if (seen.has(name))
      throw new InputError(
        `${field}.name is ${show(name)} a second time; each algorithm may appear once`,
      );
    seen.add(name);
    try {
      checkOwn(resolveAlgorithm(name, set));
    } catch (error) {
      if (error instanceof InputError) throw new InputError(`${field}.set: ${error.message}`);
      throw error;
    }
  }
}

/** Code in place of a choice that the row does not have. @throws InputError */
function checkOwn({ name, own = {}, ratio, clip }: AlgorithmConfig): void {
  const { held }: ClipRule = clips[clip];
  const reason =
    ratio === "none"
      ? "there is no ratio"
      : held && own.ratio !== undefined && own.clip === undefined
        ? `${clip} pools log-ratios itself`
        : null;
  if (reason === null || (own.ratio === undefined && own.clip === undefined)) return;
  throw new InputError(
    `${show(name)} has code for a ratio or a clip; it must have none, as ${reason}`,
  );
}

/** Every field that names a definition. */
export function namedUses(spec: CheckedFields): NamedUse[] {
  const { environment, clone, optimisation, algorithms } = spec;
  const named: [NamedUse["kind"], string, string | null | undefined][] = [
    [
      "environment",
      "environment.definition",
      "definition" in environment ? environment.definition : null,
    ],
    ["reward", "environment.reward", environment.reward],
    ["prompt", "environment.prompt", environment.prompt],
    ["expert", "clone.expert", clone.expert],
    ["segmentation", "optimisation.segmentation", optimisation.segmentation],
    ...algorithms.flatMap(({ name, with: own }, i): typeof named => [
      ...ROW_KINDS.map((kind): (typeof named)[number] => [
        kind,
        `algorithms[${i}].name`,
        rowNameOf(name).own[kind],
      ]),
      [
        "segmentation",
        `algorithms[${i}].with.optimisation.segmentation`,
        own?.optimisation?.segmentation,
      ],
    ]),
  ];
  return named.flatMap(([kind, field, name]) =>
    typeof name === "string" ? [{ field, kind, name }] : [],
  );
}

/** Columns of the environment's turns do not fit other turns. */
function checkSegmentation(spec: CheckedFields): void {
  const { segmentation: common } = spec.optimisation;
  if (spec.iterative && common !== undefined)
    throw new InputError(
      `optimisation.segmentation is ${show(common)}; it must be absent beside iterative, whose units are the environment's turns`,
    );
  for (const [i, { name, set, with: own }] of spec.algorithms.entries()) {
    const chosen = own?.optimisation?.segmentation ?? spec.optimisation.segmentation;
    if (chosen === undefined) continue;
    const columns = neededColumns(resolveAlgorithm(name, set)).filter(
      (one) => one === "anchor" || one === "action" || one === "turnGain" || one === "turnFormat",
    );
    const reason = spec.processReward
      ? "processReward pays"
      : columns.length > 0
        ? `${name} compares`
        : null;
    if (reason === null) continue;
    throw new InputError(
      `algorithms[${i}] has segmentation ${show(chosen)}; it must have none, as ${reason} the environment's turns`,
    );
  }
}

/** A compact vocabulary has the words of its game and no others. */
function checkPrompt({ environment, model }: CheckedFields): void {
  const { prompt, kind } = environment;
  if (prompt === undefined || ("thought" in environment && environment.thought !== undefined))
    return;
  throw new InputError(
    `environment.prompt is ${show(prompt)}; it needs a model that reads text: environment.kind sokoban with environment.thought (presets talker-nano, talker-nano-24, talker-nano-64, talker) or with a model.folder. The model ${model.preset} reads only the compact words of ${kind}`,
  );
}

function checkCounts(spec: CheckedFields): void {
  const { tasksPerIteration, groupSize } = spec.optimisation;
  const episodes = tasksPerIteration * groupSize;
  if (episodes > 65_536) {
    throw new InputError(
      `optimisation.tasksPerIteration x groupSize is ${episodes}; it must be at most 65536`,
    );
  }
  checkMinibatch("", spec.optimisation.minibatch, episodes);
  for (const [i, own] of spec.algorithms.entries())
    checkMinibatch(`algorithms[${i}].with.`, own.with?.optimisation?.minibatch ?? 1, episodes);
}

/** Memory is planned, and episodes are put into rows, for the sizes that a run begins with. */
function checkPlanted(spec: CheckedFields): void {
  checkPlants(spec.plants);
  const size = ({ optimisation, sampling }: CheckedFields) => ({
    "tasksPerIteration x groupSize": optimisation.tasksPerIteration * optimisation.groupSize,
    maxTokensPerTurn: sampling.maxTokensPerTurn,
  });
  for (const [i, { at }] of (spec.plants ?? []).entries()) {
    const planted = withPlants(spec, spec.plants!, at);
    for (const [name, most] of Object.entries(size(spec))) {
      const value = size(planted)[name as keyof ReturnType<typeof size>];
      if (value > most)
        throw new InputError(
          `plants[${i}] makes ${name} ${value}; it must be at most the run's own, ${most}`,
        );
    }
    const { minibatch, tasksPerIteration, groupSize } = planted.optimisation;
    checkMinibatch(`plants[${i}] `, minibatch, tasksPerIteration * groupSize);
  }
}

function checkMinibatch(place: string, minibatch: number, episodes: number): void {
  if (minibatch <= episodes) return;
  throw new InputError(
    `${place}optimisation.minibatch is ${minibatch}; it must be at most tasksPerIteration x groupSize = ${episodes}`,
  );
}

function checkTestSet({ evaluation: { levels, set } }: CheckedFields): void {
  if (set === undefined || levels <= LEVELS_OF_SET) return;
  throw new InputError(
    `evaluation.levels is ${levels}; with evaluation.set it must be at most ${LEVELS_OF_SET}`,
  );
}

/** If levels are solved, the solution is shown without noise, unless the solver speaks: then it slips. */
function checkNoise({ clone: { noise }, environment }: CheckedFields): void {
  if (noise === undefined || !("searchDepth" in environment)) return;
  if (environment.thought !== undefined) return;
  throw new InputError(
    `clone.noise is ${noise}; environment.kind ${environment.kind} does not have it`,
  );
}

/** With slipping moves, progress is partly luck: labels of good turns would be labels of lucky ones. */
function checkSlip({ environment, processReward: pay }: CheckedFields): void {
  if (!("slip" in environment) || !environment.slip) return;
  if (!pay || pay.provider === "none" || pay.shaping !== "raw") return;
  throw new InputError(
    `processReward.shaping is raw; with environment.slip ${environment.slip} it must be potential: the solver cannot distinguish a good turn from a lucky one`,
  );
}

function checkTurnLength({ environment }: CheckedFields): void {
  if (!("minActionsPerTurn" in environment)) return;
  const { minActionsPerTurn: least = 1, maxActionsPerTurn: most } = environment;
  if (least <= most) return;
  throw new InputError(
    `environment.minActionsPerTurn is ${least}; it must be at most maxActionsPerTurn = ${most}`,
  );
}

/** A chat has a think block where a thought is asked for. */
function checkThoughts({ environment, context, clone }: CheckedFields): void {
  if (environment.kind !== "sokoban") return;
  const { thought, think, earlierThoughts } = environment;
  if (thought !== undefined && think !== undefined)
    throw new InputError(
      `environment.think is ${think}; with environment.thought ${thought} it must be absent`,
    );
  if (earlierThoughts !== undefined && (context !== "turn" || !thought))
    throw new InputError(
      `environment.earlierThoughts is ${earlierThoughts}; it needs context "turn" and an environment.thought above 0`,
    );
  for (const field of ["thoughts", "misread", "language"] as const)
    if (clone[field] !== undefined && thought === undefined)
      throw new InputError(
        `clone.${field} is ${show(clone[field])}; without environment.thought it must be absent`,
      );
}
