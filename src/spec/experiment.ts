/**
 * The ExperimentSpec: the one versioned, validated object used by the form, the link, the command
 * line, recorded runs and the exports. Fields missing in a partial spec come from its preset; an
 * invalid one is refused with the field's name, the value and the range.
 */
import { resolveAlgorithm, type AlgorithmConfig } from "./algorithms.ts";
import { definitionsSchema } from "./definitions.ts";
import { doctorSchema, DOCTOR_DEFAULTS } from "./doctor.ts";
import { environment, environmentKinds } from "./environments.ts";
import { InputError } from "../numeric/inputError.ts";
import { iterativeSchema } from "./iterative.ts";
import { isRecord } from "./jsonText.ts";
import { criticSchema, methodSettings, optimisation, sampling } from "./learning.ts";
import { folderSchema } from "./folder.ts";
import { loraSchema } from "./lora.ts";
import { MODEL_PRESETS } from "./models.ts";
import { preferenceSchema } from "./preference.ts";
import { processReward } from "./process.ts";
import { CURRENT_REVISION, type RowReading } from "./revision.ts";
import { plantsSchema } from "./plants.ts";
import { scheduleSchema } from "./scheduleSchema.ts";
import {
  choicesIn,
  describeIssue,
  limitsIn,
  nodeIn,
  optionalIn,
  unwrapped,
  type NumberLimits,
} from "./schemaPaths.ts";
import { checkSpec } from "./specChecks.ts";
import { THOUGHT_LENGTHS } from "./thoughts.ts";
import { real, whole, z } from "./zod.ts";

export const SPEC_VERSION = 1;

/** Shipped in addition to those of each model and environment. */
const OTHER_CHECKPOINTS = ["micro-sokoban-many", "talker-nano-random"] as const;

const model = z.strictObject({
  preset: z.enum(MODEL_PRESETS),
  /** Source of the initial weights: the shipped checkpoint, cloning at the start, or random. */
  warmStart: z.enum(["checkpoint", "clone", "none"]),
  /** A shipped checkpoint by its folder's name. Absent: that of the model and the environment. */
  checkpoint: z.optional(z.enum(OTHER_CHECKPOINTS)),
  /** A Hugging Face folder of the reader's own, whose weights are the first ones and whose tokenizer and template speak. Absent: none. */
  folder: z.optional(folderSchema),
  /** Low-rank adapters are trained instead of the weights. Absent: none. */
  lora: z.optional(loraSchema),
});

const clone = z.strictObject({
  /** Levels demonstrated by the solver. */
  levels: whole(1, 100_000),
  /** Supervised updates. */
  steps: whole(1, 100_000),
  /** Turns per update. */
  batch: whole(1, 4096),
  lr: real(0, 1),
  /**
   * Share of turns on which the expert takes a random listed action; not in Sokoban without words.
   * At 1 it does not try to finish: its episodes count however they end. Absent: 0.
   */
  noise: z.optional(real(0, 1)),
  /** In a chat: share of turns whose thought misreads the board. Absent: 0. */
  misread: z.optional(real(0, 1)),
  /**
   * In a chat: updates at the start on games of random moves, told as truly as the others, so that a
   * model learns the language before the game. Absent: 0.
   */
  language: z.optional(whole(0, 100_000)),
  /**
   * Weight of the mean loss on what the model reads, beside that on the expert's responses: it learns
   * to copy sooner. Absent: 0.
   */
  reading: z.optional(real(0, 10)),
  /**
   * Model preset whose shipped checkpoint is grown to this model's shape, to start from. Absent:
   * random weights.
   */
  grow: z.optional(z.enum(MODEL_PRESETS)),
  /** Lengths of the thoughts that are cloned, level by level. Absent: environment.thought alone. */
  thoughts: z.optional(z.array(z.literal(THOUGHT_LENGTHS)).check(z.minLength(1), z.maxLength(16))),
  /**
   * Name of the definition that is cloned instead of the environment's own expert. Absent: none.
   */
  expert: z.optional(z.string()),
});

const evaluation = z.strictObject({
  /** Number of held-out levels; 0 disables evaluation. */
  levels: whole(0, 512),
  /** Iterations between evaluations. */
  every: whole(1, 100_000),
  /** 0 is greedy. */
  temperature: real(0, 10),
  /**
   * Which held-out levels: validation, for choosing settings, or test, for reporting and never for
   * choosing. They are disjoint, and a run trains on neither. Absent: the first of all.
   */
  set: z.optional(z.enum(["validation", "test"])),
  /**
   * Whether each iteration also measures how its updates moved turns: the correlation of advantages
   * with the following log-ratios, and their spread; costs one more forward pass. Absent: no.
   */
  alignment: z.optional(z.boolean()),
});

const algorithm = z.strictObject({
  name: z.string(),
  /** Overrides of the algorithm's axes and numbers, e.g. {"gamma": 0.95}. */
  set: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  /** Settings of this method alone that replace the experiment's; absent: none. */
  with: z.optional(methodSettings),
});

const schema = z.strictObject({
  version: z.literal(SPEC_VERSION),
  /** Preset that absent fields come from. */
  preset: z.string(),
  /** How its numbers are interpreted (revision.ts). Absent: 1, as before there were others. */
  revision: z.optional(whole(1, CURRENT_REVISION)),
  environment,
  model,
  clone,
  /** User code that fields below name and training uses; absent: none. */
  definitions: z.optional(definitionsSchema),
  /** May be empty if there are other methods. */
  algorithms: z.array(algorithm).check(z.maxLength(16)),
  /** Methods that learn from pairs of rollouts, as additional learners; absent: none. */
  preference: z.optional(preferenceSchema),
  /** Iterative PPO as an additional learner; absent: none. */
  iterative: z.optional(iterativeSchema),
  /** Process rewards of turns in addition to the environment's; absent: none. */
  processReward: z.optional(processReward),
  context: z.enum(["full", "turn"]),
  critic: criticSchema,
  sampling,
  optimisation,
  evaluation,
  doctor: z._default(doctorSchema, DOCTOR_DEFAULTS),
  /** Read as one plant, of specs older than plants. */
  schedule: z.optional(scheduleSchema),
  /** Numbers that change at some iteration, to see what follows; absent: none. */
  plants: z.optional(plantsSchema),
  /** Number of episodes of each iteration that are recorded turn by turn. */
  recordEpisodes: whole(0, 4096),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  engine: z.strictObject({
    name: z.enum(["auto", "wasm", "webgpu", "tfjs"]),
    backend: z.enum(["auto", "webgpu", "wasm", "cpu"]),
  }),
});

/** A complete, valid experiment. */
export type ExperimentSpec = z.infer<typeof schema>;

export type EnvironmentSpec = ExperimentSpec["environment"];
export type SokobanSpec = Extract<EnvironmentSpec, { kind: "sokoban" }>;
export type WebShopSpec = Extract<EnvironmentSpec, { kind: "webshop" }>;

/** What a person may write: any part of a spec. */
export type PartialSpec = { [K in keyof ExperimentSpec]?: unknown };

/** Values that are not objects are replaced, objects are merged; arrays count as values. */
export function mergeSpec(base: PartialSpec, changes: PartialSpec): unknown {
  return merge(base, changes);
}

function merge(base: unknown, change: unknown): unknown {
  if (change === undefined) return base;
  if (!isRecord(base) || !isRecord(change)) return change;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(change)) {
    // Assigned as an own property: a key such as __proto__ must become a refused field, not a
    // prototype.
    Object.defineProperty(merged, key, {
      value: merge(Object.hasOwn(base, key) ? base[key] : undefined, value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return merged;
}

/**
 * Checks a complete spec, including cross-field rules.
 * @throws InputError naming the first invalid field, its value and what is allowed.
 */
export function validateSpec(value: unknown): ExperimentSpec {
  const result = schema.safeParse(value);
  if (!result.success) throw new InputError(describeIssue(schema, result.error.issues[0]!, value));
  const spec = result.data;
  checkSpec(spec);
  return spec;
}

/** Whether it names its environment: settings from another program's file do not. */
export function saysWhere(spec: ExperimentSpec | null | undefined): spec is ExperimentSpec {
  return !!spec && environmentKinds.includes(spec.environment.kind);
}

/** The algorithm rows of a spec, resolved. */
export function specAlgorithms(spec: ExperimentSpec): AlgorithmConfig[] {
  return spec.algorithms.map(({ name, set }) => specAlgorithm(spec, name, set));
}

/** A row as this experiment reads it, including rows it does not train. @throws InputError as `resolveAlgorithm`. */
export function specAlgorithm(
  spec: ExperimentSpec | undefined,
  name: string,
  set: Record<string, unknown> = {},
): AlgorithmConfig {
  return resolveAlgorithm(name, set, spec && readingOf(spec));
}

/** How the experiment's numbers are interpreted. A foreign log's spec may lack any part. */
export function readingOf(spec: ExperimentSpec): RowReading {
  const { revision = 1, environment, sampling }: Partial<ExperimentSpec> = spec;
  const most = (environment?.maxTurns ?? NaN) * (sampling?.maxTokensPerTurn ?? NaN);
  return { revision, mostTokens: most > 0 ? most : null };
}

/** Dotted paths of the optional single fields of a spec, such as optimisation.grouping. */
export const optionalFields: ReadonlySet<string> = new Set(optionalIn(schema, ""));

/** The schema at a path, for this input if it depends on the kind of environment; undefined for no field. */
function nodeAt(path: PropertyKey[], input: unknown): unknown {
  return nodeIn(schema, path, input);
}

/** The range of a dotted path; null if it is not a number, or not a field of this spec's kind. */
export function limitsOf(spec: ExperimentSpec, path: string): NumberLimits | null {
  return limitsIn(nodeAt(path.split("."), spec));
}

/** Whether the field of a dotted path is a list of words, in every kind of experiment. */
export function isListField(path: string): boolean {
  const node = unwrapped(nodeAt(path.split("."), {}));
  return node instanceof z.ZodMiniArray && node.def.element instanceof z.ZodMiniEnum;
}

/** Words that the field of a dotted path accepts; empty if it accepts numbers or any text, or is not a field of this spec's kind. */
export function choicesOf(spec: ExperimentSpec, path: string): string[] {
  return choicesIn(nodeAt(path.split("."), spec));
}
