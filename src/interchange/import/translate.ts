/** Files of other programs as the lines of a recording. Nothing in them is trusted or executed. */
import type { Format, ForeignFile, FormatReader } from "./foreign.ts";
import { primeRl } from "./primeRl.ts";
import { ragen } from "./ragen.ts";
import { MOST_PLACES, RefusedError } from "./refused.ts";
import { RunWriter } from "./runWriter.ts";
import { unipo } from "./unipo.ts";
import { verl } from "./verl.ts";
import { words } from "./words.ts";

/** Asked in this order; no file fits two of them. */
export const formats: readonly Format[] = [verl, primeRl, ragen, unipo];

export interface Translation {
  /** Who wrote the files. */
  title: string;
  /** Lines of a recording. */
  lines: Iterable<string>;
  /** What none of its episodes had, in words. */
  absent: string[];
  /** What one should know to read the panels. */
  notes: () => string[];
  /** Values that are not of the format. */
  refused: number;
  /** Where the first of them stand, and why they are not. */
  refusedAt: string[];
}

/** @throws RefusedError when they cannot be shown. */
export function translate(files: readonly ForeignFile[]): Translation {
  const ordered = [...files].sort((a, b) => byNumber.compare(a.name, b.name));
  const format = formatOf(ordered);
  const writer = new RunWriter();
  const { refused, refusedAt } = takeAll(ordered, format.reader(writer));
  if (writer.isEmpty) {
    const where = refused > 0 ? words.unread(refused, refusedAt) : "";
    throw new RefusedError(words.refused.nothing, where);
  }
  const absent = writer.absent.map((field) => words.absent[field]);
  return {
    title: format.title,
    lines: writer.lines(),
    absent,
    notes: () => [...writer.notes],
    ...{ refused, refusedAt },
  };
}

/** Hands every value to the reader; what it did not take. */
function takeAll(
  files: readonly ForeignFile[],
  reader: FormatReader,
): Pick<Translation, "refused" | "refusedAt"> {
  let refused = 0;
  const refusedAt: string[] = [];
  files.forEach(({ name, text }, index) => {
    for (const placed of placedValues(text)) {
      if (reader.take(placed.value, { name, index }) || ++refused > MOST_PLACES) continue;
      const why = placed.value === undefined ? words.noJson : words.noEpisode;
      refusedAt.push(`${placeOf(placed, files.length > 1 ? name : null)} (${why})`);
    }
  });
  return { refused, refusedAt };
}

/** So that 10.jsonl comes after 9.jsonl. */
const byNumber = new Intl.Collator("en", { numeric: true });

function formatOf(files: readonly ForeignFile[]): Format {
  const found = files.map(({ text }) => formatOfText(text));
  const first = found[0];
  if (!first) throw new RefusedError(words.refused.unknown, whatIsIn(files[0]!));
  if (found.some((format) => format !== first)) throw new RefusedError(words.refused.mixed);
  return first;
}

/** What stands at the beginning of a file of no known format. */
function whatIsIn({ name, text }: ForeignFile): string {
  for (const placed of placedValues(text)) return words.found(placeOf(placed, name), placed.value);
  return "";
}

/** Values of a file that may be broken before one is. */
const TRIED = 20;

function formatOfText(text: string): Format | undefined {
  let tried = 0;
  for (const value of valuesOf(text)) {
    const format = formats.find(({ fits }) => fits(value));
    if (format || ++tried === TRIED) return format;
  }
  return undefined;
}

interface Placed {
  value: unknown;
  kind: "line" | "entry";
  /** Counted from 1. */
  number: number;
}

function placeOf({ kind, number }: Placed, file: string | null): string {
  return words.place(kind, number, file);
}

/** The elements of a list, the lines of JSON lines, or the one value; undefined for what is no JSON. */
export function* valuesOf(text: string): Generator<unknown> {
  for (const { value } of placedValues(text)) yield value;
}

function* placedValues(text: string): Generator<Placed> {
  const start = text.search(/\S/);
  if (start < 0) return;
  const whole = text[start] === "[" || !isJson(firstLine(text, start)) ? parse(text) : undefined;
  if (Array.isArray(whole))
    for (const [i, value] of (whole as unknown[]).entries())
      yield { value, kind: "entry", number: i + 1 };
  else if (whole !== undefined) yield { value: whole, kind: "entry", number: 1 };
  else yield* lineValues(text, start);
}

function firstLine(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end);
}

function* lineValues(text: string, start: number): Generator<Placed> {
  let number = text.slice(0, start).split("\n").length;
  for (let at = start; at < text.length; number++) {
    const line = firstLine(text, at);
    if (line.trim() !== "") yield { value: parse(line), kind: "line", number };
    at += line.length + 1;
  }
}

function isJson(text: string): boolean {
  return parse(text) !== undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
