/** What each kind of cell says in its body, checked. What a panel or a metric is, is known where they are drawn. */
import { z } from "zod";
import { choicesIn, nodeIn } from "../spec/schemaPaths.ts";
import { flatFields, readBody } from "./body.ts";
import { show } from "../numeric/inputError.ts";
import { MOST_SEATS } from "../spec/levelCount.ts";
import { LINK_METRICS, RUN_METRIC } from "../spec/linkCurves.ts";
import { TURN_PLACE } from "../spec/turnPlace.ts";
import type { CellType } from "./cellTypes.ts";
import type { Remark } from "./document.ts";
import { readExperiment } from "./experimentCell.ts";
import { line, option, text } from "./fieldTexts.ts";
import { quizFields } from "./quiz.ts";
import type { Definition } from "../spec/definitions.ts";

const word = z.string().regex(/^[a-zA-Z][\w-]{0,63}$/, "must be one word of letters and digits");
/** A list, or words with commas between them. */
const words = z
  .union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()])
  .transform((value) => (Array.isArray(value) ? value : String(value).split(",")))
  .transform((list) => list.map((item) => String(item).trim()).filter((item) => item !== ""))
  .pipe(z.array(z.string().max(128)).max(50));

const metrics = words.optional();

/** Runs of one sweep: they train one after the other, in a page. */
const MOST_RUNS = 24;

/** As in links. */
const place = z
  .string()
  .regex(TURN_PLACE, "must be as a link has it, method, iteration, episode, turn: turn-ppo,26,7,3");

/** Values to try, by field as links name it; fields of a group may stand below its name. */
const over = z
  .record(z.string(), z.unknown())
  .transform((fields) =>
    flatFields(fields).map(([name, values]): [string, string[]] => [
      name,
      values.split(",").map((one) => one.trim()),
    ]),
  )
  .default([]);

const sweep = z
  .object({
    over,
    /** Absent: the experiment's own. */
    seeds: words
      .transform((list) => list.map(Number))
      .pipe(
        z
          .array(
            z
              .int()
              .min(0)
              .max(2 ** 32 - 1),
          )
          .min(1),
      )
      .optional(),
    metrics,
  })
  .superRefine(({ over: fields, seeds = [] }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    const settings = fields.reduce((product, [, values]) => product * values.length, 1);
    const runs = settings * Math.max(1, seeds.length);
    if (runs > MOST_RUNS)
      refuse("over", `must make at most ${MOST_RUNS} runs with the seeds; it makes ${runs}`);
    const empty = fields.find(([, values]) => values.some((one) => one === ""));
    if (empty) refuse("over", `must give ${empty[0]} a list of values`);
    const twice = seeds.find((seed, i) => seeds.indexOf(seed) !== i);
    if (twice !== undefined) refuse("seeds", `must list each seed once; ${twice} is there twice`);
  });

const numbers = z.array(z.number()).min(1).max(64);

const explore = z.object({
  figure: word,
  /** Of a recorded episode or group. */
  data: z
    .object({
      rewards: numbers,
      values: numbers,
      truth: numbers,
      half: numbers,
      branches: z.int().min(1),
      potentials: numbers,
      differences: numbers,
      logRatios: numbers,
      lengths: z.array(z.int().min(1)).min(1).max(64),
      tokenValues: numbers,
      logits: numbers,
      tokens: z.array(line).min(1).max(12),
    })
    .partial()
    .strict()
    .default({}),
  /** Where handles stand at first. */
  set: z.record(z.string(), z.number()).default({}),
  /** Handles that are not shown. */
  hide: words.default([]),
  /** Whose numbers they are. */
  source: line.default(""),
});

/** Makes the notebook a lesson: each heading of the second rank begins a step. */
const lesson = z.object({
  number: z.int().min(0).max(99),
  minutes: z.number().min(1).max(180).default(10),
});

/** Every seat trains the experiment with a seed of its own, and hands in a code. */
const classroom = z.object({
  question: text,
  options: z.array(option).min(2).max(9),
  metric: z.enum(LINK_METRICS).default("heldout"),
  seats: z.int().min(1).max(MOST_SEATS).default(40),
  /** Of a class that has its link: the experiment's seed is its own then. */
  name: line.optional(),
});

const schemas = {
  class: classroom,
  explore,
  lesson,
  panel: z.object({
    panel: word,
    at: place.optional(),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
      .default({}),
    caption: line.optional(),
  }),
  curves: z.object({ metrics }),
  /** Of all experiments where none are named. */
  compare: z.object({ experiments: words.optional(), metrics }),
  sweep,
  turns: z.object({}),
  opening: z.object({ figure: line, note: line.default("") }),
  /** Of an opening figure's file. */
  cuts: z.object({ figure: line }),
  playground: z.object({ at: place.optional() }),
  quiz: quizFields,
} satisfies Partial<Record<CellType, z.ZodType>>;

type Schemas = typeof schemas;
/** Kinds of cells whose fields a schema checks. */
type FieldsType = keyof Schemas;
export type FieldsOf<T extends FieldsType> = z.output<Schemas[T]>;

interface CellFields<T extends FieldsType> {
  /** Null where a field that is needed is missing or wrong. */
  value: FieldsOf<T> | null;
  /** Lines count from the body's first. */
  remarks: Remark[];
  /** What is wrong with a field, by its name. */
  problems: ReadonlyMap<string, string>;
}

/** Reads a cell's body. Never throws. */
export function readFields<T extends FieldsType>(type: T, body: string): CellFields<T> {
  const { fields, remarks } = readBody(body);
  const read = schemas[type].safeParse(fields);
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(schemas[type].shape, name));
  const problems = [
    ...unknown.map((name) => ({
      name,
      message: `${name} is no field of this cell; allowed: ${Object.keys(schemas[type].shape).join(", ") || "none"}.`,
    })),
    ...(read.error?.issues ?? []).map(({ path, message }) => ({
      name: String(path[0] ?? ""),
      message: `${path.join(".")} ${sentence(message, path.length > 0 ? fields[String(path[0])] : undefined)}`,
    })),
    ...metricProblems(read.data),
  ];
  const placed = problems.map(({ name, message }) => ({ line: fieldLine(body, name), message }));
  return {
    value: (read.data as FieldsOf<T> | undefined) ?? null,
    remarks: [...remarks, ...placed],
    problems: new Map(problems.toReversed().map(({ name, message }) => [name, message])),
  };
}

/** Metrics that are none: the others are drawn all the same. */
function metricProblems(fields: object = {}) {
  const listed = "metrics" in fields ? (fields.metrics as readonly string[] | undefined) : [];
  const isMetric = (one: string) => LINK_METRICS.some((id) => id === one) || RUN_METRIC.test(one);
  const none = (listed ?? []).filter((one) => !isMetric(one));
  const allowed = `${LINK_METRICS.join(", ")}, train:NAME or heldout:NAME`;
  return none.map((one) => ({
    name: "metrics",
    message: `metrics must list ${allowed}; it has ${show(one)}.`,
  }));
}

/** A body's fields as they are written, usable or not; null where it cannot be read. */
export function writtenFields(body: string): Readonly<Record<string, unknown>> | null {
  const { fields, remarks } = readBody(body);
  return remarks.length > 0 ? null : fields;
}

function sentence(message: string, value: unknown): string {
  if (value === undefined) return "is missing.";
  return /^(must|needs|is) /.test(message) ? `${message}.` : `is not usable: ${message}.`;
}

/** The line on which a field begins, from 1. */
export function fieldLine(body: string, name: string): number {
  const found = body
    .split("\n")
    .findIndex((one) => one.trimStart().startsWith(name) && name !== "");
  return Math.max(0, found) + 1;
}

/**
 * What is wrong with a cell's body, whatever kind of cell it is; of code nothing, as only its sandbox reads it.
 * @param definitions of the notebook's code cells.
 */
export function remarksOf(
  type: CellType,
  body: string,
  definitions: readonly Definition[] = [],
): Remark[] {
  if (type === "experiment") return readExperiment(body, definitions).remarks;
  if (type === "code") return [];
  return readFields(type as FieldsType, body).remarks;
}

/** Names that may stand in a body of fields and do not yet. */
export function fieldNamesOf(type: FieldsType, body: string): string[] {
  const { fields } = readBody(body);
  return Object.keys(schemas[type].shape).filter((name) => !Object.hasOwn(fields, name));
}

/** The words that a field takes, by its path; none where any value may stand. */
export function fieldChoices(type: FieldsType, path: readonly string[]): string[] {
  return choicesIn(nodeIn(schemas[type], [...path], {}));
}
