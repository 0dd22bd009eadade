/** Files of other programs as the lines of a recording. Nothing in them is trusted or executed. */
import type { Format, ForeignFile } from "./foreign.ts";
import { primeRl } from "./primeRl.ts";
import { ragen } from "./ragen.ts";
import { RefusedError } from "./refused.ts";
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
}

/** @throws RefusedError when they cannot be shown. */
export function translate(files: readonly ForeignFile[]): Translation {
  const ordered = [...files].sort((a, b) => byNumber.compare(a.name, b.name));
  const format = formatOf(ordered);
  const writer = new RunWriter();
  const reader = format.reader(writer);
  let refused = 0;
  ordered.forEach(({ name, text }, index) => {
    for (const value of valuesOf(text)) if (!reader.take(value, { name, index })) refused++;
  });
  if (writer.isEmpty) throw new RefusedError(words.refused.nothing);
  const absent = writer.absent.map((field) => words.absent[field]);
  return {
    title: format.title,
    lines: writer.lines(),
    absent,
    notes: () => [...writer.notes],
    refused,
  };
}

/** So that 10.jsonl comes after 9.jsonl. */
const byNumber = new Intl.Collator("en", { numeric: true });

function formatOf(files: readonly ForeignFile[]): Format {
  const found = files.map(({ text }) => formatOfText(text));
  const first = found[0];
  if (!first) throw new RefusedError(words.refused.unknown);
  if (found.some((format) => format !== first)) throw new RefusedError(words.refused.mixed);
  return first;
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

/** The elements of a list, the lines of JSON lines, or the one value; undefined for what is no JSON. */
export function* valuesOf(text: string): Generator<unknown> {
  const start = text.search(/\S/);
  if (start < 0) return;
  const whole = text[start] === "[" || !isJson(firstLine(text, start)) ? parse(text) : undefined;
  if (Array.isArray(whole)) yield* whole as unknown[];
  else if (whole !== undefined) yield whole;
  else yield* lineValues(text, start);
}

function firstLine(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end);
}

function* lineValues(text: string, start: number): Generator<unknown> {
  for (let at = start; at < text.length;) {
    const line = firstLine(text, at);
    if (line.trim() !== "") yield parse(line);
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
