/**
 * The ExperimentSpec: the one versioned, validated object that the form, the link, the command line, a recorded
 * run and the exports all carry. What a partial spec does not say comes from its preset; what is out of range
 * is refused with the field's name, the value and the range.
 */
import { real, whole, z } from "./zod.ts";
import {
  algorithmNames,
  isAlgorithmName,
  neededColumns,
  resolveAlgorithm,
  rowNameOf,
  type AlgorithmConfig,
} from "./algorithms.ts";
import { checkDefinitions, definitionsSchema, type NamedUse } from "./definitions.ts";
import { doctorSchema, DOCTOR_DEFAULTS } from "./doctor.ts";
import { environment } from "./environments.ts";
import { InputError, show } from "./inputError.ts";
import { scheduleSchema } from "./scheduleSchema.ts";
import { iterativeSchema } from "./iterative.ts";
import { MODEL_PRESETS } from "./models.ts";
import { criticSchema, optimisation, methodSettings, sampling } from "./learning.ts";
import { checkPreference, preferenceSchema } from "./preference.ts";
import { checkProcessReward, processReward } from "./process.ts";

export const SPEC_VERSION = 1;

const environmentKinds = environment.options.map(({ shape }) => shape.kind.value);

const model = z.strictObject({
  preset: z.enum(MODEL_PRESETS),
  /** Where the first weights come from: the shipped checkpoint, cloning here and now, or chance. */
  warmStart: z.enum(["checkpoint", "clone", "none"]),
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
export function mergeSpec(base: ExperimentSpec, changes: PartialSpec): unknown {
  return merge(base, changes);
}

function merge(base: unknown, change: unknown): unknown {
  if (change === undefined) return base;
  if (!isPlainObject(base) || !isPlainObject(change)) return change;
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

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Checks a complete spec, cross-field rules included.
 * @throws InputError naming the first wrong field, its value and what is allowed.
 */
export function validateSpec(value: unknown): ExperimentSpec {
  const result = schema.safeParse(value);
  if (!result.success) throw new InputError(describeIssue(result.error.issues[0]!, value));
  const spec = result.data;
  checkAlgorithms(spec);
  checkDefinitions(spec.definitions, namedUses(spec));
  checkSegmentation(spec);
  checkPreference(spec);
  checkCounts(spec);
  checkTestSet(spec);
  checkNoise(spec);
  checkProcessReward(spec.processReward);
  checkSlip(spec);
  checkTurnLength(spec);
  return spec;
}

/** Levels of a test or validation set: half of those that are held out. */
export const LEVELS_OF_SET = 256;

function checkTestSet({ evaluation: { levels, set } }: ExperimentSpec): void {
  if (set === undefined || levels <= LEVELS_OF_SET) return;
  throw new InputError(
    `evaluation.levels is ${levels}; with evaluation.set it must be at most ${LEVELS_OF_SET}`,
  );
}

function checkNoise({ clone: { noise }, environment: { kind } }: ExperimentSpec): void {
  if (noise === undefined || kind !== "sokoban") return;
  throw new InputError(`clone.noise is ${noise}; environment.kind sokoban does not have it`);
}

function checkTurnLength({ environment }: ExperimentSpec): void {
  if (environment.kind !== "sokoban") return;
  const { minActionsPerTurn: least = 1, maxActionsPerTurn: most } = environment;
  if (least <= most) return;
  throw new InputError(
    `environment.minActionsPerTurn is ${least}; it must be at most maxActionsPerTurn = ${most}`,
  );
}

/** Whether a turn came nearer is luck where moves slip: labels of good turns would be labels of lucky ones. */
function checkSlip({ environment, processReward: pay }: ExperimentSpec): void {
  if (!("slip" in environment) || !environment.slip) return;
  if (!pay || pay.provider === "none" || pay.shaping !== "raw") return;
  throw new InputError(
    `processReward.shaping is raw; with environment.slip ${environment.slip} it must be potential: the solver cannot distinguish a good turn from a lucky one`,
  );
}

function checkAlgorithms(spec: ExperimentSpec): void {
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
      resolveAlgorithm(name, set);
    } catch (error) {
      if (error instanceof InputError) throw new InputError(`${field}.set: ${error.message}`);
      throw error;
    }
  }
}

type Using = Pick<ExperimentSpec, "algorithms" | "environment" | "clone" | "optimisation">;

/** Every field that names a definition. */
function namedUses(spec: Using): NamedUse[] {
  const { environment, clone, optimisation, algorithms } = spec;
  const named: [NamedUse["kind"], string, string | null | undefined][] = [
    [
      "environment",
      "environment.definition",
      "definition" in environment ? environment.definition : null,
    ],
    ["reward", "environment.reward", environment.reward],
    ["expert", "clone.expert", clone.expert],
    ["segmentation", "optimisation.segmentation", optimisation.segmentation],
    ...algorithms.flatMap(({ name, with: own }, i): typeof named => [
      ["estimator", `algorithms[${i}].name`, rowNameOf(name).definition],
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

/** Columns that belong to the environment's turns have no place in others. */
function checkSegmentation(spec: ExperimentSpec): void {
  for (const [i, { name, set, with: own }] of spec.algorithms.entries()) {
    const chosen = own?.optimisation?.segmentation ?? spec.optimisation.segmentation;
    if (chosen === undefined) continue;
    const columns = neededColumns(resolveAlgorithm(name, set)).filter(
      (one) => one !== "greedyScore",
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

function checkCounts(spec: ExperimentSpec): void {
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

function checkMinibatch(place: string, minibatch: number, episodes: number): void {
  if (minibatch <= episodes) return;
  throw new InputError(
    `${place}optimisation.minibatch is ${minibatch}; it must be at most tasksPerIteration x groupSize = ${episodes}`,
  );
}

/** Whether it says where it was played: what another program's file says of its settings leaves that out. */
export function saysWhere(spec: ExperimentSpec | null | undefined): spec is ExperimentSpec {
  return !!spec && environmentKinds.includes(spec.environment.kind);
}

/** The algorithm rows of a spec, resolved. */
export function specAlgorithms(spec: ExperimentSpec): AlgorithmConfig[] {
  return spec.algorithms.map(({ name, set }) => resolveAlgorithm(name, set));
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const path = pathText(issue.path);
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    const place = path === "" ? "the spec" : path;
    return `${path === "" ? key : `${path}.${key}`} is not a field of ${place}; allowed: ${fieldsAt(issue.path, input)}`;
  }
  return `${path === "" ? "the spec" : path} is ${show(valueAt(input, issue.path))}; it must be ${expectation(issue, input)}`;
}

/** What the field takes, both ends of a range included. */
function expectation(issue: z.core.$ZodIssue, input: unknown): string {
  const node = nodeAt(issue.path, input);
  if (node instanceof z.ZodNumber) return range(node);
  switch (issue.code) {
    case "too_small":
      return `a list of at least ${issue.minimum}`;
    case "too_big":
      return `a list of at most ${issue.maximum}`;
    case "invalid_value":
      return issue.values.map(String).join(" or ");
    case "invalid_type":
      return KINDS[issue.expected] ?? `of type ${issue.expected}`;
    case "invalid_union":
      return issue.path.at(-1) === "kind"
        ? environmentKinds.join(" or ")
        : "a number, a word or null";
    default:
      return issue.message;
  }
}

function range(node: z.ZodNumber): string {
  const kind = node.isInt ? "a whole number" : "a number";
  return `${kind} from ${node.minValue} to ${node.maxValue}`;
}

const KINDS: Record<string, string> = {
  int: "a whole number",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

function pathText(path: PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === "number"
        ? `${text}[${key}]`
        : text === ""
          ? String(key)
          : `${text}.${String(key)}`,
    "",
  );
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}

function fieldsAt(path: PropertyKey[], input: unknown): string {
  const node = nodeAt(path, input);
  return node instanceof z.ZodObject ? Object.keys(node.shape).join(", ") : "none";
}

/** The part of the schema that a path leads to, for this input where it depends on the kind. */
export function nodeAt(path: PropertyKey[], input: unknown): unknown {
  return path.reduce<unknown>((node, key, i) => {
    if (node instanceof z.ZodArray) return node.element;
    if (!(node instanceof z.ZodObject)) return undefined;
    const part = unwrapped((node.shape as Record<PropertyKey, unknown>)[key]);
    return part === environment ? kindOf(valueAt(input, path.slice(0, i + 1))) : part;
  }, schema);
}

/** Dotted paths of the single fields that a spec may lack, such as optimisation.grouping. */
export const optionalFields: ReadonlySet<string> = new Set(optionalIn(schema, ""));

function optionalIn(node: unknown, path: string): string[] {
  if (node instanceof z.ZodDiscriminatedUnion)
    return node.options.flatMap((option) => optionalIn(option, path));
  if (!(node instanceof z.ZodObject)) return [];
  return Object.entries(node.shape as Record<string, unknown>).flatMap(([key, part]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    if (!(part instanceof z.ZodOptional)) return optionalIn(part, inner);
    return part.unwrap() instanceof z.ZodObject ? [] : [inner];
  });
}

/** The environment's fields that go with what the input calls its kind. */
function kindOf(value: unknown): unknown {
  const kind = (value as { kind?: unknown } | null | undefined)?.kind;
  return environment.options.find(({ shape }) => shape.kind.value === kind);
}

function unwrapped(node: unknown): unknown {
  const wrapped =
    node instanceof z.ZodDefault || node instanceof z.ZodOptional || node instanceof z.ZodNullable;
  return wrapped ? unwrapped(node.unwrap()) : node;
}
