/**
 * Converts files of other programs to the lines of a recording. Nothing in them is trusted or
 * executed.
 */
import type { Format, ForeignFile, FormatReader } from "./foreign.ts";
import { primeRl } from "./primeRl.ts";
import { ragen } from "./ragen.ts";
import { MOST_PLACES, RefusedError } from "./refused.ts";
import { RunWriter } from "./runWriter.ts";
import { mayBeOne, sourcesOf, type FileSource } from "./sources.ts";
import { unipo } from "./unipo.ts";
import { verl } from "./verl.ts";
import { words } from "./words.ts";
import { jsonOrNothing, withNull } from "../../spec/jsonText.ts";

/**
 * Names that users know, in the order in which formats are tried; no file fits two of them. A
 * separate list, so that the page can show them without loading the readers.
 */
export const formatTitles = ["verl", "prime-rl", "RAGEN", "UNIPO"] as const;

const formats: Readonly<Record<(typeof formatTitles)[number], Format>> = {
  verl,
  "prime-rl": primeRl,
  RAGEN: ragen,
  UNIPO: unipo,
};

interface Translation {
  /** The program that wrote the files. */
  title: string;
  /** Lines of a recording. */
  lines: Iterable<string>;
  /** Fields that none of its episodes had, in words. */
  absent: string[];
  /** Information for readers of the panels; complete once the lines have been read. */
  notes: () => string[];
  /** Problems and gaps in the files; also complete then. */
  warnings: () => string[];
  /** Number of values that are not of the format. */
  refused: number;
  /** Positions of the first of them, and what is wrong. */
  refusedAt: string[];
  /** Numbers that are NaN or infinite in values of the format, and the lines of the first of them. */
  notFinite: number;
  notFiniteAt: string[];
}

/** @throws RefusedError if they cannot be shown. */
export function translate(files: readonly ForeignFile[]): Translation {
  const { title, read, skipped } = ofOneFormat(filesInOrder(files));
  const format = formats[title];
  const { single, doubled } = withoutDoubles(read);
  const sources = sourcesOf(
    single.map(({ name }) => name),
    format.apart,
  );
  const writer = new RunWriter();
  const taken = takeAll(single, sources, format.reader(writer));
  const { refused, refusedAt } = taken;
  if (writer.isEmpty) {
    const where = refused > 0 ? words.unread(refused, refusedAt) : "";
    throw new RefusedError(words.refused.nothing, where);
  }
  if (skipped.length > 0) writer.warn(words.skipped(skipped));
  if (doubled.length > 0) writer.warn(words.sameFile(doubled));
  if (sources.some(({ run }) => run !== "")) writer.note(words.apart(runsOf(sources)));
  const absent = writer.absent.map((field) => words.absent[field]);
  return {
    title,
    lines: writer.lines(),
    absent,
    notes: () => writer.notes,
    warnings: () => writer.warnings,
    ...taken,
  };
}

/** The suffix of each run's name, with the first of its files. */
function runsOf(sources: readonly FileSource[]): string[] {
  const runs = new Map<string, string>();
  for (const { run, name } of sources) if (!runs.has(run)) runs.set(run, name);
  return [...runs].map(([run, name]) => words.run(run, name));
}

/** The same file selected twice counts once; identical files of two steps, or of training and validation, both count. */
function withoutDoubles(files: readonly ForeignFile[]) {
  const single: ForeignFile[] = [];
  const doubled: string[] = [];
  const byText = new Map<string, ForeignFile[]>();
  for (const file of files) {
    const alike = byText.get(file.text) ?? [];
    const first = alike.find(({ name }) => mayBeOne(name, file.name));
    if (first) doubled.push(words.sameAs(file.name, first.name));
    else {
      single.push(file);
      byText.set(file.text, [...alike, file]);
    }
  }
  return { single, doubled };
}

type Taken = Pick<Translation, "refused" | "refusedAt" | "notFinite" | "notFiniteAt">;

/**
 * Passes every value to the reader; counts what it refused, and numbers in it that were not finite.
 */
function takeAll(
  files: readonly ForeignFile[],
  sources: readonly FileSource[],
  reader: FormatReader,
): Taken {
  const taken: Taken = { refused: 0, refusedAt: [], notFinite: 0, notFiniteAt: [] };
  const note = (places: string[], text: string) => places.length < MOST_PLACES && places.push(text);
  files.forEach(({ name, text }, index) => {
    // In a list they are counted with its first entry, which may be refused.
    let found = 0;
    for (const placed of placedValues(text)) {
      const place = placeOf(placed, files.length > 1 ? name : null);
      found = placed.notFinite + (placed.kind === "entry" ? found : 0);
      if (reader.take(placed.value, sources[index]!)) {
        taken.notFinite += found;
        if (found > 0 && placed.kind === "line") note(taken.notFiniteAt, place);
        found = 0;
        continue;
      }
      taken.refused++;
      const why = placed.value === undefined ? words.noJson : words.noEpisode;
      note(taken.refusedAt, `${place} (${why})`);
    }
    reader.endFile?.();
  });
  return taken;
}

/** So that 10.jsonl comes after 9.jsonl. */
const byNumber = new Intl.Collator("en", { numeric: true });

export function filesInOrder<T extends { name: string }>(files: readonly T[]): T[] {
  return [...files].sort((a, b) => byNumber.compare(a.name, b.name));
}

/** The files of the one format present, and the names of others: settings are often beside logs. */
function ofOneFormat(files: readonly ForeignFile[]) {
  const titles = files.map(({ text }) => titleOfText(text));
  const title = titles.find((one) => one !== undefined);
  if (!title) throw new RefusedError(words.refused.unknown(formatTitles), whatIsIn(files[0]!));
  const other = titles.findIndex((one) => one !== undefined && one !== title);
  if (other >= 0) {
    const [first, second] = [files[titles.indexOf(title)]!.name, files[other]!.name];
    const found = words.twoFormats([first, title], [second, titles[other]!]);
    throw new RefusedError(words.refused.mixed, found);
  }
  const read = files.filter((_, i) => titles[i] === title);
  const skipped = files.filter((_, i) => titles[i] === undefined).map(({ name }) => name);
  return { title, read, skipped };
}

/** The beginning of a file of unknown format. */
function whatIsIn({ name, text }: ForeignFile): string {
  for (const placed of placedValues(text)) return words.found(placeOf(placed, name), placed.value);
  return "";
}

/** Whether a file has a known format of another program. */
export function hasKnownFormat(text: string): boolean {
  return titleOfText(text) !== undefined;
}

/** Number of broken values in a file before reading gives up. */
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

/** The elements of a list, the lines of JSON lines, or the one value; undefined for invalid JSON. */
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

/** Numbers in the list that were not finite are counted once, with its first entry. */
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
  /** Undefined if it is invalid JSON, or nested too deep. */
  value: unknown;
  /** Numbers that were NaN or infinite; they are replaced by null. */
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
