/** The fields of a cell's body, checked by the schema of its kind. Names of panels and metrics are checked where they are drawn. */
import type { z } from "../spec/zod.ts";
import type { Definition } from "../spec/definitions.ts";
import { show } from "../numeric/inputError.ts";
import { LINK_METRICS, RUN_METRIC } from "../spec/linkCurves.ts";
import { choicesIn, nodeIn } from "../spec/schemaPaths.ts";
import { readBody, type Remark } from "./body.ts";
import {
  hasFields,
  kindOf,
  schemaOf,
  type CellType,
  type FieldsType,
  type SchemaOf,
} from "./cells/kinds.ts";

/** The checked fields of a cell's body. */
export type FieldsOf<T extends FieldsType> = z.output<SchemaOf<T>>;

interface CellFields<T extends FieldsType> {
  /** Null if a required field is missing or wrong. */
  value: FieldsOf<T> | null;
  /** Lines count from the body's first. */
  remarks: Remark[];
  /** What is wrong with a field, by its name. */
  problems: ReadonlyMap<string, string>;
}

/** Reads a cell's body. Never throws. */
export function readFields<T extends FieldsType>(type: T, body: string): CellFields<T> {
  const { fields, remarks } = readBody(body);
  const schema: z.ZodMiniObject = schemaOf(type);
  const read = schema.safeParse(fields);
  const allowed = Object.keys(schema.shape);
  const unknown = Object.keys(fields).filter((name) => !allowed.includes(name));
  const problems = [
    ...unknown.map((name) => ({
      name,
      message: `${name} is not a field of this cell; allowed: ${allowed.join(", ") || "none"}.`,
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

/** Unknown metrics: the others are drawn all the same. */
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

/** A body's fields as written, usable or not; null if it cannot be read. */
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
 * What is wrong with a cell's body, whatever its kind; nothing for code, which only its sandbox
 * reads.
 * @param definitions of the notebook's code cells.
 */
export function remarksOf(
  type: CellType,
  body: string,
  definitions: readonly Definition[] = [],
): Remark[] {
  if (hasFields(type)) return readFields(type, body).remarks;
  return kindOf(type).remarks?.(body, definitions) ?? [];
}

/** Names that a body of fields may have and does not have yet. */
export function fieldNamesOf(type: FieldsType, body: string): string[] {
  const { fields } = readBody(body);
  return Object.keys(schemaOf(type).shape).filter((name) => !Object.hasOwn(fields, name));
}

/** The words that a field accepts, by its path; none if any value is possible. */
export function fieldChoices(type: FieldsType, path: readonly string[]): string[] {
  return choicesIn(nodeIn(schemaOf(type), [...path], {}));
}
