/** Files of other programs as the lines of a recording. Nothing in them is trusted or executed. */
import type { Format, ForeignFile, FormatReader } from "./foreign.ts";
import { primeRl } from "./primeRl.ts";
import { ragen } from "./ragen.ts";
import { MOST_PLACES, RefusedError } from "./refused.ts";
import { RunWriter } from "./runWriter.ts";
import { unipo } from "./unipo.ts";
import { verl } from "./verl.ts";
import { words } from "./words.ts";
import { jsonOrNothing, withNull } from "../../spec/jsonText.ts";

/**
 * What their users call them, in the order in which they are asked; no file fits two of them. A list of its own, so that
 * the page can name them without the readers.
 */
export const formatTitles = ["verl", "prime-rl", "RAGEN", "UNIPO"] as const;

const formats: Readonly<Record<(typeof formatTitles)[number], Format>> = {
  verl,
  "prime-rl": primeRl,
  RAGEN: ragen,
  UNIPO: unipo,
};

interface Translation {
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
  /** Numbers that are NaN or infinite in values of the format, and the lines where the first of them stand. */
  notFinite: number;
  notFiniteAt: string[];
}

/** @throws RefusedError when they cannot be shown. */
export function translate(files: readonly ForeignFile[]): Translation {
  const ordered = filesInOrder(files);
  const [title, format] = formatOf(ordered);
  const writer = new RunWriter();
  const taken = takeAll(ordered, format.reader(writer));
  const { refused, refusedAt } = taken;
  if (writer.isEmpty) {
    const where = refused > 0 ? words.unread(refused, refusedAt) : "";
    throw new RefusedError(words.refused.nothing, where);
  }
  const absent = writer.absent.map((field) => words.absent[field]);
  return {
    title,
    lines: writer.lines(),
    absent,
    notes: () => [...writer.notes],
    ...taken,
  };
}

type Taken = Pick<Translation, "refused" | "refusedAt" | "notFinite" | "notFiniteAt">;

/** Hands every value to the reader; what it did not take, and what in it was no finite number. */
function takeAll(files: readonly ForeignFile[], reader: FormatReader): Taken {
  const taken: Taken = { refused: 0, refusedAt: [], notFinite: 0, notFiniteAt: [] };
  const note = (places: string[], text: string) => places.length < MOST_PLACES && places.push(text);
  files.forEach(({ name, text }, index) => {
    // In a list they come with its first entry, which may be refused.
    let found = 0;
    for (const placed of placedValues(text)) {
      const place = placeOf(placed, files.length > 1 ? name : null);
      found = placed.notFinite + (placed.kind === "entry" ? found : 0);
      if (reader.take(placed.value, { name, index })) {
        taken.notFinite += found;
        if (found > 0 && placed.kind === "line") note(taken.notFiniteAt, place);
        found = 0;
        continue;
      }
      taken.refused++;
      const why = placed.value === undefined ? words.noJson : words.noEpisode;
      note(taken.refusedAt, `${place} (${why})`);
    }
  });
  return taken;
}

/** So that 10.jsonl comes after 9.jsonl. */
const byNumber = new Intl.Collator("en", { numeric: true });

export function filesInOrder<T extends { name: string }>(files: readonly T[]): T[] {
  return [...files].sort((a, b) => byNumber.compare(a.name, b.name));
}

function formatOf(files: readonly ForeignFile[]): [title: string, format: Format] {
  const found = files.map(({ text }) => titleOfText(text));
  const first = found[0];
  if (!first) throw new RefusedError(words.refused.unknown, whatIsIn(files[0]!));
  if (found.some((title) => title !== first)) throw new RefusedError(words.refused.mixed);
  return [first, formats[first]];
}

/** What stands at the beginning of a file of no known format. */
function whatIsIn({ name, text }: ForeignFile): string {
  for (const placed of placedValues(text)) return words.found(placeOf(placed, name), placed.value);
  return "";
}

/** Values of a file that may be broken before one is. */
const TRIED = 20;

function titleOfText(text: string): (typeof formatTitles)[number] | undefined {
  let tried = 0;
  for (const value of jsonValues(text)) {
    const found = formatTitles.find((title) => formats[title].fits(value));
    if (found || ++tried === TRIED) return found;
  }
  return undefined;
}

interface PlacedItem extends Parsed {
  kind: "line" | "entry";
  /** Counted from 1. */
  number: number;
}

function placeOf({ kind, number }: PlacedItem, file: string | null): string {
  return words.place(kind, number, file);
}

/** The elements of a list, the lines of JSON lines, or the one value; undefined for what is no JSON. */
export function* jsonValues(text: string): Generator<unknown> {
  for (const { value } of placedValues(text)) yield value;
}

function* placedValues(text: string): Generator<PlacedItem> {
  const start = text.search(/\S/);
  if (start < 0) return;
  const isList = text[start] === "[";
  const whole = isList || !isJson(firstLine(text, start)) ? parsePythonJson(text) : NO_WHOLE;
  if (Array.isArray(whole.value)) yield* entriesOf(whole.value, whole.notFinite);
  else if (whole.value !== undefined) yield { ...whole, kind: "entry", number: 1 };
  else yield* lineValues(text, start);
}

const NO_WHOLE: Parsed = { value: undefined, notFinite: 0 };

/** What was not finite in the list is counted once, with its first entry. */
function* entriesOf(list: readonly unknown[], notFinite: number): Generator<PlacedItem> {
  for (const [i, value] of list.entries())
    yield { value, notFinite: i === 0 ? notFinite : 0, kind: "entry", number: i + 1 };
}

function firstLine(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? undefined : end);
}

function* lineValues(text: string, start: number): Generator<PlacedItem> {
  let number = text.slice(0, start).split("\n").length;
  for (let at = start; at < text.length; number++) {
    const line = firstLine(text, at);
    if (line.trim() !== "") yield { ...parsePythonJson(line), kind: "line", number };
    at += line.length + 1;
  }
}

function isJson(text: string): boolean {
  return parsePythonJson(text).value !== undefined;
}

interface Parsed {
  /** Undefined for what is no JSON, or nested too deep. */
  value: unknown;
  /** Numbers that were NaN or infinite; null stands in their places. */
  notFinite: number;
}

/** JSON as Python's own module writes it: also with NaN and Infinity, which JSON lacks. */
function parsePythonJson(text: string): Parsed {
  const value = jsonOrNothing(text);
  if (value !== undefined) return { value, notFinite: 0 };
  const { text: finite, count } = withNull(text);
  return count === 0 ? NOTHING : { value: jsonOrNothing(finite), notFinite: count };
}

const NOTHING: Parsed = { value: undefined, notFinite: 0 };
