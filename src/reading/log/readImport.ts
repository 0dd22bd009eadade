/** Selected files as an indexed recording: our own unchanged, other programs' after translation. */

import { decompressed, headOf, openPacked } from "../../interchange/container/open.ts";
import { wholeOf } from "../../interchange/container/unpack.ts";
import type { ItemFile, ShownPart } from "../../interchange/import/foreign.ts";
import { joinedBytes, placedValues } from "../../interchange/import/items.ts";
import { kindOfBinary, RefusedError } from "../../interchange/import/refused.ts";
import { asUtf8, utf16In } from "../../interchange/import/utf16.ts";
import type { ImportChoices, LeftOpen } from "../../interchange/import/choices.ts";
import type { TellingPlace } from "../../interchange/import/telling.ts";
import {
  filesInOrder,
  hasKnownFormat,
  translate,
  translateSliced,
  type Translation,
} from "../../interchange/import/translate.ts";
import { words } from "../../interchange/import/words.ts";
import { append } from "../../numeric/lists.ts";
import { gated } from "../../numeric/sliced.ts";
import { keptIteration, RUN_FILES } from "../../train/runFiles.ts";
import { refusedLines } from "./recording.ts";
import {
  indexRecording,
  isLongEvent,
  lightValue,
  recordingLines,
  type IndexedEvent,
  type RecordingIndex,
} from "./recordingIndex.ts";
import { textAt } from "./lineScan.ts";
import { readEvent, readHeader } from "./recordingSchema.ts";
import { openLarge, StepIndex, type LargeFile, type OpenedValues } from "./stepIndex.ts";

export interface ChosenFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Information about an import shown with its panels. */
export interface ImportFacts {
  /** The program that wrote the files. */
  title: string;
  /** The command that made a recording; "" if unknown. */
  command: string;
  /** What the files lack, in words. */
  absent: string[];
  notes: string[];
  warnings: string[];
  /** How many of its episodes are shown; null: all. */
  part?: ShownPart | null;
  /** Where other programs' episodes are looked at first; null if there are none. */
  telling?: TellingPlace | null;
  /** The same, for a run that opened before all of it was read. */
  elsewhere?: TellingPlace;
  open?: LeftOpen;
  /** How much of its bytes is read, while that goes on. */
  share?: number;
}

export interface ReadImport {
  /** Whether it is a recording of our own, whose episodes have not been checked yet. */
  isOwn: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  index: RecordingIndex;
  facts: ImportFacts;
}

/**
 * Several recordings of our own are one run each, duplicates counting once; all other files
 * together are one run. Files that cannot be read go with the first run, which reports them;
 * checkpoints and marks beside a log are left out. Recordings that are compressed come as they were.
 * @throws RefusedError if one of them has more than `most` bytes
 */
export async function runsIn(
  asChosen: readonly ChosenFile[],
  most = Infinity,
): Promise<ChosenFile[][]> {
  const chosen = await Promise.all(asChosen.map((file) => recordingIn(file, most)));
  const own = chosen.filter((file) => isFilled(file) && isOwn(inUtf8(file.bytes)));
  const isPart = own.length > 0 ? isBesideLog : () => false;
  const others = chosen.filter((file) => !own.includes(file) && !isPart(file));
  if (own.length < 2 || others.some(isOfOther)) return [[...own, ...others]];
  const runs: ChosenFile[][] = [];
  for (const file of filesInOrder(own)) {
    const same = runs.find(([first]) => areEqual(first!.bytes, file.bytes));
    if (same) same.push(file);
    else runs.push([file]);
  }
  append(runs[0]!, others);
  return runs;
}

/** The recording in a compressed file, of a damaged one what can be unpacked; any other file as it is. */
async function recordingIn(file: ChosenFile, most: number): Promise<ChosenFile> {
  const inner = await decompressed({ name: file.name, chunks: () => [file.bytes] });
  if (!inner || !isOwn(headOf(inner.chunks()))) return file;
  return { name: inner.name, bytes: wholeOf(upTo(most, untilFault(inner.chunks()))) };
}

function* upTo(most: number, chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let length = 0;
  for (const chunk of chunks) {
    length += chunk.length;
    if (length > most) throw new RefusedError(words.refused.largeUnpacked(most / 1e6));
    yield chunk;
  }
}

/** The line that is cut then is said to be. */
function* untilFault(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
}

const { marker, logHash, checkpoint, previous, beforeFall } = RUN_FILES;
const BESIDE: readonly string[] = [marker, logHash, checkpoint, previous, beforeFall];

/** Whether it is what a run's folder has beside its log. */
function isBesideLog({ name }: ChosenFile): boolean {
  const parts = name.split("/");
  return BESIDE.includes(parts.at(-1)!) || keptIteration(parts.slice(-2).join("/")) !== null;
}

/** Whether it may be of another program: packed, or text of a known format. */
function isOfOther({ name, bytes }: ChosenFile): boolean {
  if (kindOfBinary(bytes) !== null) return true;
  return hasKnownFormat({ name, items: () => placedValues([inUtf8(bytes)]) });
}

/** @throws RefusedError if the files cannot be shown. */
export async function readImport(
  chosen: readonly ChosenFile[],
  choices: ImportChoices = {},
): Promise<ReadImport> {
  const filled = chosen.filter(isFilled).map(unmarked);
  if (filled.length === 0) throw new RefusedError(words.refused.empty);
  const { files, faults } = await openAll(filled.filter(({ bytes }) => !isOwn(bytes)));
  const own = filled.filter(({ bytes }) => isOwn(bytes));
  if (files.length === 0 && own.length === 0) throw [...faults.values()][0]!;
  const empty = chosen.filter((file) => !isFilled(file)).map(({ name }) => name);
  const read = await readChosen(own, files, choices);
  const warnings = [
    ...notOpened(faults),
    ...(empty.length > 0 ? [words.empty(empty)] : []),
    ...read.facts.warnings,
  ];
  return { ...read, facts: { ...read.facts, warnings } };
}

/** Packed files as those inside, and why others cannot be openPacked. */
async function openAll(chosen: readonly ChosenFile[]) {
  const files: ItemFile[] = [];
  const faults = new Map<string, RefusedError>();
  for (const { name, bytes } of chosen)
    await orFault(faults, name, async () =>
      append(files, await openPacked({ name, chunks: () => [bytes] })),
    );
  return { files, faults };
}

async function orFault(
  faults: Map<string, RefusedError>,
  name: string,
  open: () => Promise<void>,
): Promise<void> {
  try {
    await open();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    faults.set(name, error);
  }
}

function notOpened(faults: ReadonlyMap<string, RefusedError>): string[] {
  const why = [...faults].map(([name, { message }]) => words.binary(name, message));
  return why.length > 0 ? [words.skippedBinary(why)] : [];
}

async function readChosen(
  [first, ...others]: readonly ChosenFile[],
  rest: readonly ItemFile[],
  choices: ImportChoices,
): Promise<ReadImport> {
  if (!first) return readForeign(rest, choices);
  const strange = rest.find(hasKnownFormat);
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
  return { name, bytes: inUtf8(bytes) };
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** In UTF-8 without a byte order mark, with which some editors start a text. */
function inUtf8(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const order = utf16In(bytes);
  if (order !== null) return joinedBytes([...asUtf8([bytes], order)]);
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

/** Lines of a recording that may be broken before one is an event. */
const TRIED = 20;

function isOwn(bytes: Uint8Array): boolean {
  return firstOwnLine(bytes) !== null;
}

/** The same by a file's first bytes, also compressed, without a broken first line. */
export async function beginsAsRecording(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const inner = await decompressed({ name: "", chunks: () => [bytes] });
  const head = inUtf8(inner ? headOf(inner.chunks()).slice() : bytes);
  const text = textAt(head, { start: 0, end: head.length });
  return /^\s*\{\s*"(?:type|command)"/.test(text);
}

/** Number of lines before the first that only a recording has; null if there is none. */
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

/** Warnings for iterations that occur twice, as when a log was written to twice. */
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

async function readForeign(
  files: readonly ItemFile[],
  choices: ImportChoices,
): Promise<ReadImport> {
  const translation = translate(files, choices);
  const bytes = encodeLines(translation.lines);
  const index = await indexRecording(bytes);
  return { isOwn: false, bytes, index, facts: translatedFacts(translation, index.refused) };
}

/** Once its lines have been read, of which so many are no events. */
function translatedFacts(
  { title, absent, telling, open, notes, warnings, part, ...rest }: Translation,
  refused = 0,
): ImportFacts {
  const said = [
    ...warnings(),
    ...refusedLines(rest.refused + refused, rest.refusedAt),
    ...(rest.notFinite > 0 ? [words.notFinite(rest.notFinite, rest.notFiniteAt)] : []),
  ];
  const shown = { notes: notes(), warnings: said, part: part() };
  return { title, command: "", absent, telling, open, ...shown };
}

/** A run whose episodes stay in its files. */
export interface ReadIndex {
  events: IndexedEvent[];
  facts: ImportFacts;
}

/**
 * Files of other programs that are too large to be held, in one pass.
 * @param gate awaited every few milliseconds
 * @param onStep called whenever another step begins; what it calls makes the run as far as it is read
 * @throws RefusedError if the files cannot be shown
 */
export async function readLarge(
  chosen: readonly LargeFile[],
  choices: ImportChoices,
  gate?: () => Promise<void>,
  onStep: (soFar: () => ReadIndex) => void = () => {},
): Promise<ReadIndex> {
  const opened: OpenedValues[] = [];
  const faults = new Map<string, RefusedError>();
  for (const [at, file] of chosen.entries())
    await orFault(faults, file.name, async () => append(opened, await openLarge(file, at)));
  if (opened.length === 0) throw [...faults.values()][0]!;
  const index = new StepIndex(opened, choices);
  const soFar = (): ReadIndex => {
    const events = index.events();
    const { title, telling, open, notes, warnings } = index;
    const absent = index.absent.map((field) => words.absent[field]);
    return { events, facts: { title, command: "", absent, telling, open, notes, warnings } };
  };
  index.onStep = () => onStep(soFar);
  const files = opened.map(({ file }) => file);
  const translation = await gated(translateSliced(files, choices, index), gate);
  const events = index.events();
  const facts = translatedFacts(translation);
  return { events, facts: { ...facts, warnings: [...notOpened(faults), ...facts.warnings] } };
}

function encodeLines(lines: Iterable<string>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  return joinedBytes(Array.from(lines, (line) => encoder.encode(`${line}\n`)));
}
