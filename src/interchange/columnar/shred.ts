/**
 * A list of JSON values as columns: objects become one column per field, lists their lengths and
 * one column of all items, strings the distinct values and an index for each. A value that is
 * absent or null costs one byte in its column's mask and takes no space further down. The code does
 * not depend on what the fields mean.
 */
import { InputError } from "../../numeric/inputError.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import type { ByteReader, ByteWriter } from "./bytes.ts";
import { readNumbers, writeNumbers, type NumberKind, type Precision } from "./numbers.ts";
import { type JsonObject, isRecord } from "../../spec/jsonText.ts";

/** A column's description; its numbers follow in the bytes, in the order of this tree. */
export type StoredColumn = { mask?: NumberKind } & (
  | { type: "none" }
  | { type: "number"; how: NumberKind }
  | { type: "flag"; how: NumberKind }
  | { type: "text"; texts: string[]; how: NumberKind }
  /** SHA-256 in lower-case hex, 32 bytes each. */
  | { type: "hash" }
  | { type: "list"; lengths: NumberKind; items: StoredColumn | null }
  | { type: "object"; fields: Record<string, StoredColumn> }
  /** Values of several types: each as JSON. */
  | { type: "mixed"; texts: string[]; how: NumberKind }
);

/** Precision of a field's numbers; `path`: the names of the fields that lead to it. */
export type PrecisionOf = (path: readonly string[]) => Precision;

const [THERE, NULL, ABSENT] = [0, 1, 2];
const HASH = /^[0-9a-f]{64}$/;
/** Maximum values of one column, and maximum nesting of columns: a file may claim anything. */
const MOST = 4_000_000;
const DEEPEST = 32;

export function shred(
  out: ByteWriter,
  values: readonly unknown[],
  precision: PrecisionOf,
): StoredColumn {
  return shredAt(out, values, { precision, path: [] });
}

interface ColumnPlace {
  precision: PrecisionOf;
  path: readonly string[];
}

function shredAt(out: ByteWriter, values: readonly unknown[], place: ColumnPlace): StoredColumn {
  const codes = values.map((value) =>
    value === undefined ? ABSENT : isNull(value) ? NULL : THERE,
  );
  const mask = codes.some((code) => code !== THERE)
    ? { mask: writeNumbers(out, codes, "exact") }
    : {};
  const there = values.filter((_, i) => codes[i] === THERE);
  return { ...mask, ...bodyOf(out, there, place) };
}

/** JSON also writes numbers that are not finite as null. */
function isNull(value: unknown): boolean {
  return value === null || (typeof value === "number" && !Number.isFinite(value));
}

function bodyOf(out: ByteWriter, values: readonly unknown[], place: ColumnPlace): StoredColumn {
  if (values.length === 0) return { type: "none" };
  const all = (type: string) => values.every((value) => typeof value === type);
  if (all("number")) {
    const precision = place.precision(place.path);
    return { type: "number", how: writeNumbers(out, values as number[], precision) };
  }
  if (all("boolean")) return { type: "flag", how: writeNumbers(out, values.map(Number), "exact") };
  if (all("string")) return textColumn(out, values as string[]);
  if (values.every(Array.isArray)) return listColumn(out, values as unknown[][], place);
  if (values.every(isRecord)) return objectColumn(out, values as JsonObject[], place);
  return {
    type: "mixed",
    ...namedTexts(
      out,
      values.map((value) => JSON.stringify(value)),
    ),
  };
}

function textColumn(out: ByteWriter, values: readonly string[]): StoredColumn {
  if (values.length < 2 || !values.every((text) => HASH.test(text)))
    return { type: "text", ...namedTexts(out, values) };
  const digits = values.join("");
  out.bytes(Uint8Array.from({ length: digits.length / 2 }, (_, i) => pairAt(digits, i)));
  return { type: "hash" };
}

function pairAt(digits: string, i: number): number {
  return parseInt(digits.slice(2 * i, 2 * i + 2), 16);
}

function namedTexts(out: ByteWriter, values: readonly string[]) {
  const texts = [...new Set(values)];
  const place = new Map(texts.map((text, i) => [text, i]));
  const how = writeNumbers(
    out,
    values.map((text) => place.get(text)!),
    "exact",
  );
  return { texts, how };
}

function listColumn(
  out: ByteWriter,
  lists: readonly unknown[][],
  place: ColumnPlace,
): StoredColumn {
  const lengths = writeNumbers(
    out,
    lists.map(({ length }) => length),
    "exact",
  );
  const items = lists.flat();
  return { type: "list", lengths, items: items.length > 0 ? shredAt(out, items, place) : null };
}

function objectColumn(
  out: ByteWriter,
  objects: readonly JsonObject[],
  { path, ...rest }: ColumnPlace,
): StoredColumn {
  const fields = namesOf(objects).map((name) => {
    // Own properties only: every object inherits a "valueOf".
    const values = objects.map((one) => (Object.hasOwn(one, name) ? one[name] : undefined));
    return [name, shredAt(out, values, { ...rest, path: [...path, name] })] as const;
  });
  return { type: "object", fields: Object.fromEntries(fields) };
}

/** In the order in which an object lists them, which puts numeric names first: the columns are read in this order. */
function namesOf(objects: readonly JsonObject[]): string[] {
  const names = objects.flatMap((one) => Object.keys(one));
  return Object.keys(Object.fromEntries(names.map((name) => [name, null])));
}

/**
 * The values of a column, in slices: one of its columns at a time. [n]
 * @throws InputError if column and bytes do not match.
 */
export function* unshred(
  from: ByteReader,
  column: StoredColumn,
  n: number,
  depth = 0,
): Sliced<unknown[]> {
  if (n > MOST || depth > DEEPEST) throw new InputError("the columns claim more data than allowed");
  yield;
  if (!column.mask) return yield* bodyIn(from, column, n, depth);
  const codes = Array.from(readNumbers(from, column.mask, n));
  const there = codes.reduce((sum, code) => sum + Number(code === THERE), 0);
  const values = yield* bodyIn(from, column, there, depth);
  let at = 0;
  return codes.map((code) => (code === THERE ? values[at++] : code === NULL ? null : undefined));
}

function* bodyIn(
  from: ByteReader,
  column: StoredColumn,
  n: number,
  depth: number,
): Sliced<unknown[]> {
  switch (column.type) {
    case "none":
      if (n > 0) throw new InputError("a column has no values");
      return [];
    case "number":
      return Array.from(readNumbers(from, column.how, n));
    case "flag":
      return Array.from(readNumbers(from, column.how, n), (code) => code === 1);
    case "text":
      return textsIn(from, column, n);
    case "mixed":
      return textsIn(from, column, n).map((text) => JSON.parse(text) as unknown);
    case "hash":
      return hashesIn(from, n);
    case "list":
      return yield* listsIn(from, column, n, depth);
    case "object":
      return yield* objectsIn(from, column, n, depth);
    default:
      throw new InputError("a column has an unknown type");
  }
}

function textsIn(
  from: ByteReader,
  { texts, how }: { texts: string[]; how: NumberKind },
  n: number,
): string[] {
  return Array.from(readNumbers(from, how, n), (code) => {
    const text = texts[code];
    if (typeof text !== "string") throw new InputError("a column refers to a missing text");
    return text;
  });
}

function hashesIn(from: ByteReader, n: number): string[] {
  return Array.from({ length: n }, () =>
    Array.from(from.bytes(32), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  );
}

function* listsIn(
  from: ByteReader,
  { lengths: how, items: column }: Extract<StoredColumn, { type: "list" }>,
  n: number,
  depth: number,
): Sliced<unknown[][]> {
  const lengths = Array.from(readNumbers(from, how, n));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (lengths.some((length) => length < 0)) throw new InputError("a list has no length");
  const items = column ? yield* unshred(from, column, total, depth + 1) : [];
  if (items.length !== total) throw new InputError("a list is longer than its contents");
  let at = 0;
  return lengths.map((length) => items.slice(at, (at += length)));
}

function* objectsIn(
  from: ByteReader,
  { fields }: Extract<StoredColumn, { type: "object" }>,
  n: number,
  depth: number,
): Sliced<JsonObject[]> {
  const objects = Array.from({ length: n }, (): JsonObject => ({}));
  for (const [name, column] of Object.entries(fields)) {
    const values = yield* unshred(from, column, n, depth + 1);
    values.forEach((value, i) => {
      // As an own property, whatever its name.
      if (value !== undefined) Object.defineProperty(objects[i], name, { ...OPEN, value });
    });
  }
  return objects;
}

const OPEN = { enumerable: true, writable: true, configurable: true };
