/** Chosen files as an indexed recording: our own as they are, other programs' after translation. */
import { RefusedError, refusalOfBinary } from "../../interchange/import/refused.ts";
import { filesInOrder, hasKnownFormat, translate } from "../../interchange/import/translate.ts";
import { words } from "../../interchange/import/words.ts";
import { append } from "../../numeric/lists.ts";
import { refusedLines } from "./recording.ts";
import {
  indexRecording,
  isLongEvent,
  lightValue,
  recordingLines,
  type RecordingIndex,
} from "./recordingIndex.ts";
import { readEvent, readHeader } from "./recordingSchema.ts";

export interface ChosenFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What is said of an import beside its panels. */
export interface ImportFacts {
  /** Who wrote the files. */
  title: string;
  /** The command that made a recording; "" when it does not say. */
  command: string;
  /** What the files do not have, in words. */
  absent: string[];
  notes: string[];
  warnings: string[];
}

export interface ReadImport {
  /** Whether it is a recording of one's own, whose episodes nobody has looked at yet. */
  isOwn: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  index: RecordingIndex;
  facts: ImportFacts;
}

/**
 * Several recordings of one's own are a run each, the same one twice is one; whatever else is chosen is one run. What
 * cannot be read goes with the first, which says so.
 */
export function runsIn(chosen: readonly ChosenFile[]): ChosenFile[][] {
  const own = chosen.filter((file) => isFilled(file) && isOwn(withoutMark(file.bytes)));
  const others = chosen.filter((file) => !own.includes(file));
  if (own.length < 2 || others.some(isOfOther)) return [[...chosen]];
  const runs: ChosenFile[][] = [];
  for (const file of filesInOrder(own)) {
    const same = runs.find(([first]) => areEqual(first!.bytes, file.bytes));
    if (same) same.push(file);
    else runs.push([file]);
  }
  append(runs[0]!, others);
  return runs;
}

/** Whether it is of another program whose format is known. */
function isOfOther(file: ChosenFile): boolean {
  return refusalOfBinary(file) === null && hasKnownFormat(decode(withoutMark(file.bytes)));
}

/** @throws RefusedError when the files cannot be shown. */
export async function readImport(chosen: readonly ChosenFile[]): Promise<ReadImport> {
  const filled = chosen.filter(isFilled);
  if (filled.length === 0) throw new RefusedError(words.refused.empty);
  const binary = filled.map(refusalOfBinary);
  if (binary.every((refusal) => refusal !== null)) throw binary[0]!;
  const texts = filled.filter((_, i) => binary[i] === null).map(unmarked);
  const skipped = filled.flatMap(({ name }, i) =>
    binary[i] ? [words.binary(name, binary[i].message)] : [],
  );
  const empty = chosen.filter((file) => !isFilled(file)).map(({ name }) => name);
  const read = await readTexts(texts);
  const warnings = [
    ...(skipped.length > 0 ? [words.skippedBinary(skipped)] : []),
    ...(empty.length > 0 ? [words.empty(empty)] : []),
    ...read.facts.warnings,
  ];
  return { ...read, facts: { ...read.facts, warnings } };
}

async function readTexts(files: readonly ChosenFile[]): Promise<ReadImport> {
  const [first, ...others] = files.filter(({ bytes }) => isOwn(bytes));
  if (!first) return readForeign(files);
  const rest = files.filter((file) => file !== first && !others.includes(file));
  const strange = rest.find(isOfOther);
  if (strange)
    throw new RefusedError(words.refused.mixed, words.alsoForeign(first.name, strange.name));
  const read = await readOwn(first.bytes);
  if (rest.length > 0) read.facts.warnings.push(words.skipped(rest.map(({ name }) => name)));
  if (others.length > 0)
    read.facts.warnings.push(
      words.sameFile(others.map(({ name }) => words.sameAs(name, first.name))),
    );
  return read;
}

const isFilled = ({ bytes }: ChosenFile) => bytes.some((byte) => byte > 0x20);

function unmarked({ name, bytes }: ChosenFile): ChosenFile {
  return { name, bytes: withoutMark(bytes) };
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Some editors begin a text with a mark of its encoding. */
function withoutMark(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

/** Lines of a recording that may be broken before one is an event. */
const TRIED = 20;

function isOwn(bytes: Uint8Array): boolean {
  return firstOwnLine(bytes) !== null;
}

/** How many lines stand before the first that only a recording has; null where none has been found. */
function firstOwnLine(bytes: Uint8Array): number | null {
  let before = 0;
  for (const line of recordingLines(bytes)) {
    if (isLongEvent(bytes, line)) return before;
    const value = lightValue(bytes, line);
    if (readEvent(value) !== null || (before === 0 && readHeader(value) !== null)) return before;
    if (++before === TRIED) break;
  }
  return null;
}

async function readOwn(bytes: Uint8Array<ArrayBuffer>): Promise<ReadImport> {
  const index = await indexRecording(bytes);
  const unread = refusedLines(index.refused, index.refusedAt);
  if (index.events.length === 0) {
    const long = [...recordingLines(bytes)].some((line) => isLongEvent(bytes, line));
    throw new RefusedError(long ? words.refused.longLines : words.refused.nothing, unread[0]);
  }
  const facts = { title: "Turnbook", command: index.command, absent: [], notes: [] };
  const warnings = [...brokenFirst(bytes, index), ...unread, ...twice(index)];
  return { isOwn: true, bytes, index, facts: { ...facts, warnings } };
}

function brokenFirst(bytes: Uint8Array, { events }: RecordingIndex): string[] {
  if (firstOwnLine(bytes) === 0) return [];
  return [words.brokenFirst(events.some(({ event }) => event.type === "start"))];
}

/** Of an iteration that stands in it again, as where a log was written to twice. */
function twice({ events }: RecordingIndex): string[] {
  const seen = new Set<string>();
  const again = events.flatMap(({ event }) => {
    if (event.type !== "iteration") return [];
    const key = `${event.iteration} ${event.algorithm}`;
    const known = seen.has(key);
    seen.add(key);
    return known ? [event] : [];
  });
  const [first] = again;
  return first ? [words.twice(first.iteration, first.algorithm, again.length - 1)] : [];
}

async function readForeign(files: readonly ChosenFile[]): Promise<ReadImport> {
  const texts = files.map(({ name, bytes }) => ({ name, text: decode(bytes) }));
  const {
    title,
    lines,
    absent,
    notes,
    warnings: said,
    refused,
    refusedAt,
    ...rest
  } = translate(texts);
  const bytes = encodeLines(lines);
  const index = await indexRecording(bytes);
  const facts = { title, command: "", absent, notes: notes() };
  const warnings = [
    ...said(),
    ...refusedLines(refused + index.refused, refusedAt),
    ...(rest.notFinite > 0 ? [words.notFinite(rest.notFinite, rest.notFiniteAt)] : []),
  ];
  return { isOwn: false, bytes, index, facts: { ...facts, warnings } };
}

function encodeLines(lines: Iterable<string>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = Array.from(lines, (line) => encoder.encode(`${line}\n`));
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
