/**
 * The ExperimentSpec: the one versioned, validated object that the form, the link, the command line, a recorded
 * run and the exports all carry. What a partial spec does not say comes from its preset; what is out of range
 * is refused with the field's name, the value and the range.
 */
import { resolveAlgorithm, type AlgorithmConfig } from "./algorithms.ts";
import { definitionsSchema } from "./definitions.ts";
import { doctorSchema, DOCTOR_DEFAULTS } from "./doctor.ts";
import { environment, environmentKinds } from "./environments.ts";
import { InputError } from "../numeric/inputError.ts";
import { iterativeSchema } from "./iterative.ts";
import { isRecord } from "./jsonText.ts";
import { criticSchema, methodSettings, optimisation, sampling } from "./learning.ts";
import { MODEL_PRESETS } from "./models.ts";
import { preferenceSchema } from "./preference.ts";
import { processReward } from "./process.ts";
import { CURRENT_REVISION, type RowReading } from "./revision.ts";
import { scheduleSchema } from "./scheduleSchema.ts";
import { choicesIn, describeIssue, nodeIn, optionalIn } from "./schemaPaths.ts";
import { checkSpec } from "./specChecks.ts";
import { real, whole, z } from "./zod.ts";

export const SPEC_VERSION = 1;

/** Shipped beside those that each model has for each environment. */
const OTHER_CHECKPOINTS = ["micro-sokoban-many"] as const;

const model = z.strictObject({
  preset: z.enum(MODEL_PRESETS),
  /** Where the first weights come from: the shipped checkpoint, cloning here and now, or chance. */
  warmStart: z.enum(["checkpoint", "clone", "none"]),
  /** A shipped checkpoint by its folder's name. Absent: that of the model and the environment. */
  checkpoint: z.enum(OTHER_CHECKPOINTS).optional(),
});

const clone = z.strictObject({
  /** Levels demonstrated by the solver. */
  levels: whole(1, 100_000),
  /** Supervised updates. */
  steps: whole(1, 100_000),
  /** Turns per update. */
  batch: whole(1, 4096),
  lr: real(0, 1),
  /** Share of turns on which the expert takes any listed action; not in Sokoban. Absent: 0. */
  noise: real(0, 1).optional(),
  /** Name of the definition that is cloned in place of the environment's own expert. Absent: none. */
  expert: z.string().optional(),
});

const evaluation = z.strictObject({
  /** Held-out levels; 0 turns evaluation off. */
  levels: whole(0, 512),
  /** Iterations between evaluations. */
  every: whole(1, 100_000),
  /** 0 is greedy. */
  temperature: real(0, 10),
  /**
   * Which held-out levels: validation, to choose settings by, or test, to report and never to choose by. They share none, and a run
   * trains on neither. Absent: the first of all.
   */
  set: z.enum(["validation", "test"]).optional(),
  /**
   * Whether each iteration also says how its updates moved turns: the correlation of advantages with log-ratios after
   * them, and the spread of these; one forward pass more. Absent: no.
   */
  alignment: z.boolean().optional(),
});

const algorithm = z.strictObject({
  name: z.string(),
  /** Overrides of the algorithm's axes and numbers, e.g. {"gamma": 0.95}. */
  set: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  /** What this method alone has in place of the experiment's; absent: nothing. */
  with: methodSettings.optional(),
});

const schema = z.strictObject({
  version: z.literal(SPEC_VERSION),
  /** Preset that absent fields come from. */
  preset: z.string(),
  /** How its numbers are read (revision.ts). Absent: 1, as before there were others. */
  revision: whole(1, CURRENT_REVISION).optional(),
  environment,
  model,
  clone,
  /** Code that fields below name and training uses; absent: none. */
  definitions: definitionsSchema.optional(),
  /** May be empty where other methods learn. */
  algorithms: z.array(algorithm).max(16),
  /** Methods that learn from pairs of rollouts, as learners beside the algorithms; absent: none. */
  preference: preferenceSchema.optional(),
  /** Iterative PPO as one learner more; absent: none. */
  iterative: iterativeSchema.optional(),
  /** What turns are paid besides the environment's rewards; absent: nothing. */
  processReward: processReward.optional(),
  context: z.enum(["full", "turn"]),
  critic: criticSchema,
  sampling,
  optimisation,
  evaluation,
  doctor: doctorSchema.default(DOCTOR_DEFAULTS),
  schedule: scheduleSchema.optional(),
  /** Episodes of each iteration that are recorded turn by turn. */
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

/** Values of a spec that are not objects are replaced, objects are merged; arrays count as values. */
export function mergeSpec(base: PartialSpec, changes: PartialSpec): unknown {
  return merge(base, changes);
}

function merge(base: unknown, change: unknown): unknown {
  if (change === undefined) return base;
  if (!isRecord(base) || !isRecord(change)) return change;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(change)) {
    // Own assignment only: a key such as __proto__ must become a refused field, not a prototype.
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
 * Checks a complete spec, cross-field rules included.
 * @throws InputError naming the first wrong field, its value and what is allowed.
 */
export function validateSpec(value: unknown): ExperimentSpec {
  const result = schema.safeParse(value);
  if (!result.success) throw new InputError(describeIssue(schema, result.error.issues[0]!, value));
  const spec = result.data;
  checkSpec(spec);
  return spec;
}

/** Whether it says where it was played: what another program's file says of its settings leaves that out. */
export function saysWhere(spec: ExperimentSpec | null | undefined): spec is ExperimentSpec {
  return !!spec && environmentKinds.includes(spec.environment.kind);
}

/** The algorithm rows of a spec, resolved. */
export function specAlgorithms(spec: ExperimentSpec): AlgorithmConfig[] {
  return spec.algorithms.map(({ name, set }) => specAlgorithm(spec, name, set));
}

/** A row as this experiment reads it, one that it does not train among them. @throws InputError as `resolveAlgorithm`. */
export function specAlgorithm(
  spec: ExperimentSpec | undefined,
  name: string,
  set: Record<string, unknown> = {},
): AlgorithmConfig {
  return resolveAlgorithm(name, set, spec && readingOf(spec));
}

/** How the experiment's numbers are read. A foreign log's spec may lack any part. */
export function readingOf(spec: ExperimentSpec): RowReading {
  const { revision = 1, environment, sampling }: Partial<ExperimentSpec> = spec;
  const most = (environment?.maxTurns ?? NaN) * (sampling?.maxTokensPerTurn ?? NaN);
  return { revision, mostTokens: most > 0 ? most : null };
}

/** Dotted paths of the single fields that a spec may lack, such as optimisation.grouping. */
export const optionalFields: ReadonlySet<string> = new Set(optionalIn(schema, ""));

/** What the schema has at a path, for this input where it depends on the kind of environment; undefined for no field. */
function nodeAt(path: PropertyKey[], input: unknown): unknown {
  return nodeIn(schema, path, input);
}

interface NumberLimits {
  least: number;
  most: number;
  whole: boolean;
}

/** Of a dotted path; null where it is no number, or no field of this spec's kind. */
export function limitsOf(spec: ExperimentSpec, path: string): NumberLimits | null {
  const node = nodeAt(path.split("."), spec);
  if (!(node instanceof z.ZodNumber)) return null;
  return { least: node.minValue!, most: node.maxValue!, whole: node.isInt };
}

/** Words that the field of a dotted path takes; none where it takes numbers or any text, or is no field of this spec's kind. */
export function choicesOf(spec: ExperimentSpec, path: string): string[] {
  return choicesIn(nodeAt(path.split("."), spec));
}
