/**
 * The memory that a run needs, from its spec alone, so that one that cannot fit is refused before
 * anything is allocated.
 *
 * It counts only what is certain: every episode is played to its last turn or action, each turn's
 * response is one token, and the cache has room for a prompt and a response of full length. So the
 * count is below the real use, and never refuses a run that fits. Measured in Node over 400,000 to
 * 3,000,000 tokens, an iteration's episodes took 85 to 105 bytes per token, 59 to 85 of them on the
 * heap; the count uses 60 and 33. Peaks (short-lived copies) are a third higher.
 */
import { sizeBucket } from "../engine/plan/batches.ts";
import { cacheFootprint, footprint, largestFitting, sumBytes } from "../engine/plan/footprint.ts";
import { hasPages } from "../env/descriptors.ts";
import { presetConfig, trainedConfig } from "../model/initModel.ts";
import { parameterShapes } from "../engine/parameters.ts";
import { counted } from "../numeric/counted.ts";
import { formatBytes, formatDuration } from "../numeric/format.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { folderName } from "../spec/folder.ts";
import { learnerNames } from "../spec/preference.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { sokobanPrompts, type Speech } from "../text/sokobanPrompts.ts";
import { MAX_QUERY_TOKENS } from "../text/compactWebshop.ts";

/** A machine's memory limits, with the names that a reader knows them by. */
export interface MachineMemory {
  /** Of JavaScript objects. */
  heap: { bytes: number; name: string };
  /** Of the whole process. */
  total: { bytes: number; name: string };
  /** Bytes of an array element: 8 in Node, 4 with pointer compression. */
  slot: 4 | 8;
  /** Threads that share an engine's work, each with its own memory, if there are any. */
  threads: number;
}

/** Memory per token of an iteration: slots of JavaScript arrays, plus bytes of typed arrays. */
const TOKEN = { slots: 7.5, arrays: 33 };
/** The address space of a WebAssembly memory. */
const WASM_LIMIT = { bytes: 2 ** 32, name: "a WebAssembly memory" };

/** Minimum tokens of a query whose format only its environment knows. */
const FEWEST_TOKENS = 4;

/** The model that a run trains, with its adapters, if it has any. */
export interface TrainedModel {
  config: ModelConfig;
  /** Of a folder. */
  speech?: Speech;
}

const presetModel = (spec: ExperimentSpec): TrainedModel => ({
  config: trainedConfig(presetConfig(spec.model.preset), spec),
});

interface IterationSizes {
  episodes: number;
  turns: number;
  /** Minimum tokens of an episode. */
  tokens: number;
  /** Tokens that an episode's cache must have room for. */
  cached: number;
}

/** The minimum size of an iteration. */
export function sizesOf(spec: ExperimentSpec, model = presetModel(spec)): IterationSizes {
  const { optimisation, context, sampling } = spec;
  const turns = fewestTurns(spec);
  const turn = fewestQueryTokens(spec, model) + 1;
  const { maxPositions } = model.config;
  const before = context === "full" ? (turns - 1) * turn : 0;
  const needed = before + turn - 1 + sampling.maxTokensPerTurn;
  return {
    episodes: optimisation.tasksPerIteration * optimisation.groupSize,
    turns,
    tokens: turns * turn,
    cached: sizeBucket(Math.min(needed, maxPositions)),
  };
}

/** An episode ends when its actions are used up, or earlier when it is solved: a board of one box may be solved at once. */
function fewestTurns({ environment }: ExperimentSpec): number {
  if (!("boxes" in environment)) return 1;
  const { maxTurns, maxActions, maxActionsPerTurn, boxes } = environment;
  return boxes === 1 ? 1 : Math.min(maxTurns, Math.ceil(maxActions / maxActionsPerTurn));
}

/** Before turn `h`. A shop's queries differ: the minimum is unknown, and small. */
function fewestQueryTokens(
  { environment, context }: ExperimentSpec,
  { speech }: TrainedModel,
  h = 0,
): number {
  if (hasPages(environment)) return MAX_QUERY_TOKENS / 4;
  if (!("boxes" in environment) || environment.prompt !== undefined) return FEWEST_TOKENS;
  const { rows, columns, maxTurns, maxActions } = environment;
  const left = { turnsLeft: maxTurns, actionsLeft: maxActions, envReward: 0, formatPenalty: 0 };
  const board = Array<string>(rows).fill("#".repeat(columns)).join("\n");
  return sokobanPrompts(environment, context, speech).query(board, left, h).length;
}

/** Bytes of all models with their gradients and moments. */
function modelBytes(spec: ExperimentSpec, { config }: TrainedModel): number {
  return learnerNames(spec).length * sumBytes(footprint(config, "none", SMALLEST, null));
}

/** Bytes of the caches of one thread: each learner keeps its cache for its next iteration. */
function cacheBytes(
  spec: ExperimentSpec,
  { episodes, cached }: IterationSizes,
  threads: number,
  { config }: TrainedModel,
): number {
  const shape = { B: Math.ceil(episodes / threads), C: cached };
  return spec.algorithms.length * sumBytes(cacheFootprint(config, shape));
}

const SMALLEST = { R: 16, M: 16, value: false };

interface Shortage {
  needed: number;
  limit: { bytes: number; name: string };
}

/** The first limit that a spec's needs exceed; null if they fit. */
function shortageOf(
  spec: ExperimentSpec,
  { heap, total, slot, threads }: MachineMemory,
  wasm: boolean,
  model: TrainedModel,
): Shortage | null {
  const sizes = sizesOf(spec, model);
  const tokens = sizes.episodes * sizes.tokens;
  const models = modelBytes(spec, model);
  const caches = cacheBytes(spec, sizes, threads, model);
  const objects = tokens * TOKEN.slots * slot;
  const all = models + threads * caches + objects + tokens * TOKEN.arrays;
  const needs: Shortage[] = [
    { needed: objects, limit: heap },
    { needed: all, limit: total },
    ...(wasm ? [{ needed: models + caches, limit: WASM_LIMIT }] : []),
  ];
  return needs.find(({ needed, limit }) => needed > limit.bytes) ?? null;
}

/**
 * Refuses a run that cannot fit, or that would take this engine too long. `wasm`: whether it runs on
 * the WebAssembly engine; `model`: a folder's, without which its spec is not checked.
 * @throws InputError with the fields, what they need, the limit's name, and what would fit.
 */
export function checkMemory(
  spec: ExperimentSpec,
  machine: MachineMemory,
  wasm: boolean,
  model?: TrainedModel,
): void {
  const { folder } = spec.model;
  // A folder's sizes are known once it is open.
  if (folder && !model) return;
  const trained = model ?? presetModel(spec);
  const short = shortageOf(spec, machine, wasm, trained);
  if (short) throw new InputError(shortageWords(spec, machine, wasm, trained, short));
  if (!folder || !wasm) return;
  const seconds = iterationSeconds(spec, trained, machine.threads);
  if (seconds > LONGEST_ITERATION)
    throw new InputError(
      `model.folder is ${show(folderName(folder))}: an iteration would take up to ${formatDuration(seconds)} on WebAssembly; ` +
        "use a graphics card (engine webgpu), a smaller model, or fewer tasks, turns or methods",
    );
}

function shortageWords(
  spec: ExperimentSpec,
  machine: MachineMemory,
  wasm: boolean,
  model: TrainedModel,
  { needed, limit }: Shortage,
): string {
  const has = `and ${limit.name} has ${gibibytes(limit.bytes)}`;
  const models = modelBytes(spec, model);
  if (limit !== machine.heap && models > limit.bytes) {
    const lora = spec.model.lora ? "" : "adapters (model.lora), ";
    return (
      `model.preset is ${spec.model.preset}${spec.model.folder ? ` and model.folder ${show(folderName(spec.model.folder))}` : ""}: ` +
      `the models of ${counted(learnerNames(spec).length, "method")} need at least ${gibibytes(models)}, ${has}; ` +
      `use ${lora}fewer methods or a smaller model`
    );
  }
  const { episodes, turns, tokens } = sizesOf(spec, model);
  const { tasksPerIteration, groupSize } = spec.optimisation;
  return (
    `optimisation.tasksPerIteration is ${tasksPerIteration} and groupSize ${groupSize}: ${episodes} episodes of ` +
    `${turns === 1 ? "a turn" : `${turns} turns`} or more, ${tokens} tokens each, need at least ${gibibytes(needed)}, ` +
    `${has}; ${whatFits(spec, machine, wasm, model)}`
  );
}

/** The largest number of tasks that fits, else the largest group for one task, else another way to make an iteration smaller. */
function whatFits(
  spec: ExperimentSpec,
  machine: MachineMemory,
  wasm: boolean,
  model: TrainedModel,
): string {
  const { optimisation } = spec;
  const fits = (changes: object) =>
    !shortageOf({ ...spec, optimisation: { ...optimisation, ...changes } }, machine, wasm, model);
  const tasks = largestFitting(optimisation.tasksPerIteration, (n) =>
    fits({ tasksPerIteration: n }),
  );
  if (tasks > 0) return `a tasksPerIteration of at most ${tasks} would fit`;
  const group = largestFitting(optimisation.groupSize, (n) =>
    fits({ tasksPerIteration: 1, groupSize: n }),
  );
  if (group > 0) return `a tasksPerIteration of 1 with a groupSize of at most ${group} would fit`;
  return "use fewer algorithms, turns or tokens per turn, or model.preset nano";
}

/** FLOPs a second of one thread's products: `node test/bench/talker.mjs --measure`, on a server's core. */
const THREAD_FLOPS = 27e9;
const LONGEST_ITERATION = 3600;

/**
 * Seconds of an iteration of all methods on WebAssembly, of its products alone: 2 FLOPs a parameter
 * and token forward and 4 backward (Kaplan et al. 2020, section 2.1). Each token is played, scored
 * once, and trained in each epoch; episodes are as long as they may be.
 */
function iterationSeconds(spec: ExperimentSpec, model: TrainedModel, threads: number): number {
  const shapes = [...parameterShapes(model.config, "none").values()];
  const parameters = shapes.reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const flops = 2 * parameters * iterationTokens(spec, model);
  return flops / (THREAD_FLOPS * Math.max(1, threads));
}

/** The tokens that an iteration puts through a model; a backward counts as two forward passes. */
export function iterationTokens(spec: ExperimentSpec, model: TrainedModel): number {
  const passes = 1 + 1 + 3 * spec.optimisation.epochs;
  const { episodes } = sizesOf(spec, model);
  return passes * episodes * longestEpisode(spec, model) * learnerNames(spec).length;
}

/** Tokens of the longest row that an episode can become. */
function longestEpisode(spec: ExperimentSpec, model: TrainedModel): number {
  const { maxTurns } = spec.environment;
  const { maxTokensPerTurn } = spec.sampling;
  const later = (maxTurns - 1) * (fewestQueryTokens(spec, model, 1) + maxTokensPerTurn);
  const first = fewestQueryTokens(spec, model) + maxTokensPerTurn;
  const most = spec.context === "full" ? first + later : first;
  return Math.min(most, model.config.maxPositions);
}

/** Tokens of a training pass, by the engines' own limits; one episode is never split. */
const PASS_TOKENS = { wasm: 512, webgpu: 2048 };

/** What a run is expected to use if its episodes are as long as they may be, in bytes. `longest`: tokens of such an episode. */
export function expectedMemory(
  spec: ExperimentSpec,
  threads: number,
  wasm: boolean,
  model = presetModel(spec),
) {
  const { config } = model;
  const longest = longestEpisode(spec, model);
  const R = sizeBucket(Math.max(longest, PASS_TOKENS[wasm ? "wasm" : "webgpu"]));
  const training = footprint(config, "none", { R, M: R, value: false }, null);
  const sizes = { ...sizesOf(spec, model), cached: sizeBucket(longest) };
  const shares = wasm ? threads : 1;
  return {
    longest,
    models: modelBytes(spec, model),
    passes: shares * training["working memory"]!,
    caches: shares * cacheBytes(spec, sizes, shares, model),
  };
}

/** One line before a run in full context, whose passes and caches hold whole episodes; null for others. */
export function memorySentence(
  spec: ExperimentSpec,
  threads: number,
  wasm: boolean,
  model?: TrainedModel,
): string | null {
  if (spec.context !== "full" || (spec.model.folder && !model)) return null;
  const { longest, models, passes, caches } = expectedMemory(spec, threads, wasm, model);
  return (
    `memory: up to ${formatBytes(models + passes + caches)}: models ${formatBytes(models)}, training passes ${formatBytes(passes)}, ` +
    `key/value cache ${formatBytes(caches)} for ${sizesOf(spec, model).episodes} episodes of ${longest} tokens`
  );
}

const gibibytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
