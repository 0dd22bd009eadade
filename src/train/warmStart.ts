/** The source of an experiment's initial weights: a shipped checkpoint folder, cloning now, or random. */
import type { OptimizerState, WeightMap } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { groupOf, isAdapter, parameterShapes } from "../engine/parameters.ts";
import type { EnvironmentKind } from "../env/descriptor.ts";
import { growModel } from "../model/growModel.ts";
import { adaptedConfig, initModel, presetConfig, trainedConfig } from "../model/initModel.ts";
import { loadModelFolder } from "../model/folder.ts";
import { gated, type Sliced } from "../numeric/sliced.ts";
import type { DefinedCodes } from "../record/definitions.ts";
import type { WarmStartEvent } from "../record/runEvent.ts";
import { canonicalJson } from "../spec/canonical.ts";
import { checkpointFolder } from "../spec/checkpointFolder.ts";
import { readingOf, type EnvironmentSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import type { FirstWeights } from "../model/firstModel.ts";
import { folderName } from "../spec/folder.ts";
import { checkRank } from "../spec/lora.ts";
import type { Speech } from "../text/sokobanPrompts.ts";
import { presetNames, presetSpec } from "../spec/presets.ts";
import { compactWebshop } from "../text/compactWebshop.ts";
import { clone, cloneSeeds, demonstrationRows, type ClonedRows } from "./clone.ts";
import { definedTraining } from "./definedEnvironment.ts";
import { withDefinitions } from "./definedFamily.ts";
import { definedCode, openDefinitions } from "./definitions.ts";
import { describedFamily } from "./describedFamily.ts";
import type { ExperimentHost } from "./host.ts";
import { HELD_OUT_LEVELS } from "./levels.ts";
import { makeTasks } from "./makeTasks.ts";
import { checkPositions } from "./positions.ts";
import { sokobanFamily } from "./sokobanFamily.ts";
import { webshopFamily } from "./webshopFamily.ts";
import type { TaskFamily, TaskSeeds } from "./world.ts";

export interface Prepared extends FirstWeights {
  family: TaskFamily;
  /** The spec's definitions; null if it has none. */
  definitions: DefinedCodes | null;
  config: ModelConfig;
  /** Trainable parameters of a model with its value head. */
  parameters: number;
  warmStart: Pick<WarmStartEvent, "source" | "step" | "steps" | "metrics">;
}

/** The task family of a spec. `definitions`: its code, if it has any; `speech`: of its folder, if it has one. */
export function taskFamilyOf(
  spec: ExperimentSpec,
  definitions: DefinedCodes | null = null,
  speech?: Speech,
): TaskFamily {
  const native = nativeFamily(spec, definitions, speech);
  const family = withDefinitions(native, spec, definitions);
  const judgesForm = readingOf(spec).revision >= 2;
  return judgesForm ? { ...family, world: { ...family.world, judgesForm } } : family;
}

type FamilyMaker<K extends EnvironmentKind> = (
  environment: Extract<EnvironmentSpec, { kind: K }>,
  spec: ExperimentSpec,
  definitions: DefinedCodes | null,
  speech: Speech | undefined,
) => TaskFamily;

/**
 * Environments with their own task family; for the others, their descriptors say how to train on
 * them.
 */
const ownFamilies: { [K in EnvironmentKind]?: FamilyMaker<K> } = {
  sokoban: (environment, spec, definitions, speech) => {
    const { prompt: name } = environment;
    const prompt =
      name === undefined ? undefined : definedCode(definitions, { kind: "prompt", name });
    return sokobanFamily(environment, spec, speech, prompt);
  },
  webshop: (environment, { context, clone }) => {
    const prompter = compactWebshop({ context, think: environment.think });
    return webshopFamily(environment, prompter, clone.noise ?? 0);
  },
  defined: (environment, { context, clone }, definitions) => {
    const code = definedCode(definitions, { kind: "environment", name: environment.definition });
    return describedFamily(environment, context, clone.noise ?? 0, definedTraining(code));
  },
};

/** With the spec's own rewards and its own expert. */
function nativeFamily(
  spec: ExperimentSpec,
  definitions: DefinedCodes | null,
  speech: Speech | undefined,
): TaskFamily {
  const { environment, context, clone } = spec;
  const own = ownFamilies[environment.kind] as FamilyMaker<EnvironmentKind> | undefined;
  return (
    own?.(environment, spec, definitions, speech) ??
    describedFamily(environment, context, clone.noise ?? 0)
  );
}

/** The shape of a spec's model: its preset's, with the vocabulary of its tokenizer. */
export function configOf(spec: ExperimentSpec, { vocabSize }: TaskFamily): ModelConfig {
  return presetConfig(spec.model.preset, vocabSize);
}

/**
 * The task family and the initial weights of a spec. With `resumed` a checkpoint is about to
 * overwrite the weights, so cloning is skipped.
 * @throws InputError if a shipped folder is missing, damaged or of another shape.
 */
export async function prepareModel(
  spec: ExperimentSpec,
  host: ExperimentHost,
  resumed: boolean,
): Promise<Prepared> {
  const definitions = await openDefinitions(spec, host);
  const folder = await openSpecFolder(spec, host);
  const family = taskFamilyOf(spec, definitions, folder?.speech);
  await holdOut(family, spec, host);
  return preparedFrom({ family, definitions, base: folder?.opened }, spec, host, resumed);
}

/**
 * The same for models that only answer questions and are never trained: no levels are made, and
 * none are cloned.
 */
export async function prepareToAsk(spec: ExperimentSpec, host: ExperimentHost): Promise<Prepared> {
  const definitions = await openDefinitions(spec, host);
  const folder = await openSpecFolder(spec, host);
  const family = taskFamilyOf(spec, definitions, folder?.speech);
  return preparedFrom({ family, definitions, base: folder?.opened }, spec, host, true);
}

async function preparedFrom(
  { family, definitions, base }: Pick<Prepared, "family" | "definitions" | "base">,
  spec: ExperimentSpec,
  host: ExperimentHost,
  resumed: boolean,
): Promise<Prepared> {
  const config = base?.config ?? configOf(spec, family);
  checkPositions(spec, family, config);
  const { weights, warmStart } = base
    ? { weights: new Map(), warmStart: startFrom("checkpoint") }
    : await firstWeights(spec, host, family, config, resumed);
  const shapes = [...parameterShapes(adaptedConfig(config, spec.model.lora), "detached")];
  const trained = shapes.filter(
    ([name]) => !spec.model.lora || isAdapter(name) || groupOf(name) === "valueHead",
  );
  const parameters = trained.reduce((sum, [, shape]) => sum + shape.reduce((a, b) => a * b, 1), 0);
  return { family, definitions, config, weights, base, parameters, warmStart };
}

/**
 * The folder that a spec names, whose own tokenizer and template speak.
 * @throws InputError if it is not at hand, or does not fit the spec
 */
async function openSpecFolder(spec: ExperimentSpec, host: ExperimentHost) {
  const { model, engine } = spec;
  const { folder, lora } = model;
  if (!folder) return null;
  const refuse = (why: string): never => {
    throw new InputError(`model.folder is ${show(folderName(folder))}; ${why}`);
  };
  if (!host.openFolder) return refuse(`choose the folder whose hash is ${folder.hash}`);
  if (!host.engine.streamModel)
    return refuse(`engine ${engine.name} does not take it; choose wasm or webgpu`);
  const { opened, tokenizer, template } = await host.openFolder(folder);
  if (!template) return refuse("it has no chat template, with which Sokoban is told");
  if (lora) checkRank(lora, opened.config, `model.folder ${show(folderName(folder))}`);
  const speech = { tokenizer, template };
  host.checkFolder?.({ config: trainedConfig(opened.config, spec, opened.halves), speech });
  return { opened, speech };
}

/**
 * Requests the held-out levels first, so that training seeds avoid their boards: those that the run
 * is scored on, and all of them if it clones (cloning avoids them all; a resumed run, which clones
 * no more, must train on the same levels) or names a set of them.
 */
async function holdOut(
  { levels }: TaskFamily,
  spec: ExperimentSpec,
  host: ExperimentHost,
): Promise<void> {
  const { evaluation, model } = spec;
  if (model.warmStart === "checkpoint")
    levels.exclude(await gated(clonedElsewhere(spec), host.gate));
  const all = model.warmStart === "clone" || evaluation.set !== undefined;
  await holdOutLevels(levels, all ? HELD_OUT_LEVELS : evaluation.levels, host);
}

/** Generates the held-out levels, with progress. */
export async function holdOutLevels(
  levels: TaskSeeds,
  n: number,
  { gate, progress }: ExperimentHost,
): Promise<void> {
  const report = (made: number) => progress?.("making test levels", made, n);
  if (n > 0) report(0);
  await makeTasks((onTask) => levels.heldOutSliced(n, onTask), report, gate);
}

/**
 * Boards that the shipped checkpoint was cloned on and that this spec's generator may produce
 * again. Its own generator already left out held-out boards; boards with another size or number of
 * boxes cannot occur here.
 */
function* clonedElsewhere({ environment, model }: ExperimentSpec): Sliced<string[]> {
  // A shop's held-out goals depend on its seed alone, and the checkpoint held out the same ones.
  if (!("searchDepth" in environment)) return [];
  const makers = presetNames.map(presetSpec).filter((made) => made.model.preset === model.preset);
  const boards: string[] = [];
  for (const maker of makers) {
    if (!("searchDepth" in maker.environment)) continue;
    const { rows, columns, boxes, searchDepth } = maker.environment;
    const alike =
      rows === environment.rows && columns === environment.columns && boxes === environment.boxes;
    if (!alike || searchDepth === environment.searchDepth) continue;
    const { levels, world } = taskFamilyOf(maker);
    yield* levels.heldOutSliced(HELD_OUT_LEVELS);
    for (const seed of yield* levels.cloneSliced(maker.clone.levels)) {
      boards.push(world.create(seed).reset(seed).observation);
      yield;
    }
  }
  return boards;
}

const startFrom = (source: WarmStartEvent["source"]): Prepared["warmStart"] => ({
  source,
  step: 0,
  steps: 0,
  metrics: {},
});

type WarmWeights = Pick<Prepared, "weights" | "warmStart">;

async function firstWeights(
  spec: ExperimentSpec,
  host: ExperimentHost,
  family: TaskFamily,
  config: ModelConfig,
  resumed: boolean,
): Promise<WarmWeights> {
  const source = spec.model.warmStart;
  const start = startFrom(source);
  if (source === "checkpoint") {
    return { weights: await loadCheckpoint(spec, host, config), warmStart: start };
  }
  if (source === "none" || resumed)
    return { weights: initModel(config, spec.seed), warmStart: start };
  return cloneWeights(spec, host, family, config);
}

/** The weights that cloning starts from: random, or a smaller model's, grown (`clone.grow`). */
async function weightsToClone(
  spec: ExperimentSpec,
  host: ExperimentHost,
  config: ModelConfig,
): Promise<WeightMap> {
  const { grow } = spec.clone;
  if (grow === undefined) return initModel(config, spec.seed);
  const small: ExperimentSpec = { ...spec, model: { preset: grow, warmStart: "checkpoint" } };
  const from = presetConfig(grow, config.vocabSize);
  return growModel(await loadCheckpoint(small, host, from), from, config, spec.seed);
}

async function loadCheckpoint(
  spec: ExperimentSpec,
  host: ExperimentHost,
  config: ModelConfig,
): Promise<WeightMap> {
  const folder = checkpointFolder(spec);
  const read = (name: string) => host.loadAsset(`${folder}/${name}`);
  const loaded = await loadModelFolder(read);
  if (canonicalJson(loaded.config) !== canonicalJson(config)) {
    const why = loaded.notes.map((note) => ` (${note})`).join("");
    throw new InputError(
      `model.preset ${spec.model.preset} does not have the shape of the checkpoint ${folder}/config.json${why}`,
    );
  }
  return loaded.weights;
}

/** The expert's demonstrations on the levels to clone, with progress counts: levels generated and levels solved. */
async function demonstrations(
  spec: ExperimentSpec,
  { progress, gate }: ExperimentHost,
  family: TaskFamily,
): Promise<ClonedRows> {
  const report = (what: string) => (n: number) => progress?.(what, n, spec.clone.levels);
  const seeds = await makeTasks(
    (onTask) => cloneSeeds(family, spec, onTask),
    report("making levels to clone"),
    gate,
  );
  const rowsOf = (one: ExperimentSpec, what: string) => {
    const families = clonedSpecs(one).map(({ environment }) =>
      environment === spec.environment && one === spec
        ? family
        : taskFamilyOf({ ...one, environment }),
    );
    return makeTasks(
      (onTask) => demonstrationRows(families, one, seeds, onTask),
      report(what),
      gate,
    );
  };
  const astray = { ...spec, clone: { ...spec.clone, noise: 1 } };
  return {
    language: spec.clone.language ? await rowsOf(astray, "telling levels to clone") : [],
    rows: await rowsOf(spec, "solving levels to clone"),
  };
}

/** The experiments whose experts are cloned: one for each length of thought. */
function clonedSpecs(spec: ExperimentSpec): ExperimentSpec[] {
  const { environment, clone } = spec;
  if (!clone.thoughts || environment.kind !== "sokoban") return [spec];
  return clone.thoughts.map((thought) => ({ ...spec, environment: { ...environment, thought } }));
}

/** Cloning after some of its steps: going on from here gives what going through at once gives. */
export interface CloneState {
  step: number;
  weights: WeightMap;
  optimizer: OptimizerState;
}

/** Keeps the state of a long cloning. */
export interface CloneKeeper {
  /** Where an earlier one stopped; null at the start. */
  found: CloneState | null;
  /** Called after every step; `read` gives its state. */
  afterStep(step: number, read: () => Promise<CloneState>): Promise<void>;
}

/** Clones the expert into a new model, with progress. */
export async function cloneWeights(
  spec: ExperimentSpec,
  host: ExperimentHost,
  family: TaskFamily,
  config: ModelConfig,
  keeper?: CloneKeeper,
): Promise<WarmWeights> {
  const { steps } = spec.clone;
  const found = keeper?.found;
  const cloned = await demonstrations(spec, host, family);
  const model = await host.engine.createModel(
    config,
    found?.weights ?? (await weightsToClone(spec, host, config)),
    "none",
  );
  try {
    if (found) await model.writeOptimizer(found.optimizer);
    // Unknown where an earlier one had finished.
    let loss: number | null = null;
    for await (const done of clone(model, cloned, spec, found?.step)) {
      loss = done.loss;
      await keeper?.afterStep(done.step, async () => ({
        step: done.step,
        weights: await model.readWeights(),
        optimizer: await model.readOptimizer(),
      }));
      host.progress?.(`cloning the solver, loss ${loss.toFixed(3)}`, done.step, steps);
      await host.gate?.();
    }
    if (loss !== null && !Number.isFinite(loss)) {
      throw new InputError(
        `clone.lr is ${spec.clone.lr}; the loss became infinite or NaN; use a smaller one`,
      );
    }
    const metrics = {
      ...(loss !== null && { "sft/loss": loss }),
      "sft/demonstrations": cloned.rows.length,
    };
    const warmStart = { source: "clone" as const, step: steps, steps, metrics };
    return { weights: await model.readWeights(), warmStart };
  } finally {
    model.dispose();
  }
}
