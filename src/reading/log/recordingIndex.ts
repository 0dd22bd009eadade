/**
 * The positions of events in a recording: JSON lines, the first of which may name the command that
 * made it, the others `RunEvent`s. Numbers are read at once; episodes and updates are left unread
 * until needed.
 */
import { SLICE, type Sliced } from "../../numeric/sliced.ts";
import { MOST_PLACES } from "../../interchange/import/refused.ts";
import type { ReadPlace } from "../../interchange/import/translate.ts";
import { words } from "../../interchange/import/words.ts";
import type { RunEvent, EpisodeRecord, TurnRecord, UpdateRecord } from "../../record/runEvent.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import type { Unread, IterationDetails } from "./iterationDetails.ts";
import {
  memberRanges,
  skipBlank,
  textAt,
  type MemberRange,
  type ByteRange,
  itemsOf,
  membersSliced,
} from "./lineScan.ts";
import { readDetails, type Misfit, readEpisode, readTurn } from "./episodeSchema.ts";
import { isClosing, readEvent, readHeader } from "./recordingSchema.ts";

/** One event; `line` is the position of the rest of an iteration. Can be sent between threads. */
export interface IndexedEvent {
  event: RunEvent;
  line: NumberedLine | null;
  hasEpisodes: boolean;
  /** Instead of the line, where its episodes are in files that are not held. */
  step?: IndexedStep;
}

/** Where some of a step's values are. Can be sent between threads. */
export interface StepPart {
  /** The index of the file that was chosen, and in that of the one of values: it may be packed. */
  at: number;
  entry: number;
  /** Whether bytes of the file are bytes of its lines: it is not packed. */
  isPlain: boolean;
  place: Omit<ReadPlace, "file">;
  /** Starts and ends in turn, ascending; null: the whole file. */
  ranges: number[] | null;
}

/** How a step's episodes are read. Can be sent between threads. */
export interface IndexedStep {
  /** The run's name in the files. */
  run: string;
  iteration: number;
  parts: StepPart[];
  /** The names of its episodes' tasks, as JSON: they are numbered over all files. */
  tasks: string;
  /** Bytes of its episodes' line. */
  bytes: number;
}

/** Fetches a step's episodes, checked; rejects if its files can no longer be read. */
export type FetchStep = (step: IndexedStep) => Promise<EpisodeRecord[]>;

export interface RecordingIndex {
  events: IndexedEvent[];
  /** The command that made it; "" if the file does not have it. */
  command: string;
  /** Lines that are not events. */
  refused: number;
  /** Positions of the first of them, and what is wrong. */
  refusedAt: string[];
}

/** A line's range, and its number counted from 1. */
interface NumberedLine extends ByteRange {
  number: number;
}

/** Maximum bytes of a recording; they stay in memory as long as it is shown. */
export const MAX_BYTES = 160_000_000;
/** Maximum bytes of a line: skipping it must not block the page. */
const MAX_LINE = 16_000_000;
const NEWLINE = 0x0a;
/** Members of an iteration that are left unread. */
const BULKY = ["episodes", "updates"];

/** Piece by piece, so that the page stays responsive, also while events are processed. */
export async function indexRecording(
  bytes: Uint8Array,
  onEvent: (event: IndexedEvent) => void = () => {},
): Promise<RecordingIndex> {
  const index: RecordingIndex = { events: [], command: "", refused: 0, refusedAt: [] };
  let sliceEnd = performance.now() + SLICE;
  let first = true;
  for (const line of recordingLines(bytes)) {
    const found = takeLine(index, bytes, line, first);
    if (found) onEvent(found);
    first = false;
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    sliceEnd = performance.now() + SLICE;
  }
  return index;
}

/** The lines that are not blank. */
export function* recordingLines(bytes: Uint8Array): Generator<NumberedLine> {
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    if (skipBlank(bytes, start, end) < end) yield { start, end, number };
    start = end + 1;
  }
}

/** The event of a line, if it is one. */
function takeLine(
  index: RecordingIndex,
  bytes: Uint8Array,
  line: NumberedLine,
  first: boolean,
): IndexedEvent | null {
  const members = wholeMembers(bytes, line);
  const value = members && valueWithout(bytes, members);
  const command = first ? readHeader(value) : null;
  if (command !== null) index.command = command;
  if (command !== null || isClosing(value)) return null;
  const event = readEvent(value);
  const found = event && indexed(bytes, event, line, members!);
  if (found) index.events.push(found);
  else refuse(index, line.number, whyNot(line, value));
  return found;
}

function wholeMembers(bytes: Uint8Array, line: ByteRange): MemberRange[] | null {
  return line.end - line.start > MAX_LINE ? null : memberRanges(bytes, line);
}

/** Whether a line is too long to be read, and begins like those of a recording. */
export function isLongEvent(bytes: Uint8Array, { start, end }: ByteRange): boolean {
  if (end - start <= MAX_LINE) return false;
  return /^\s*\{\s*"(?:type|command)"/.test(textAt(bytes, { start, end: start + HEAD }));
}

/** First bytes of a line that identify it. */
const HEAD = 64;

/** A line's content without its episodes and updates; null if it is not an object, or too long. */
export function lightValue(bytes: Uint8Array, line: ByteRange): unknown {
  const members = wholeMembers(bytes, line);
  return members && valueWithout(bytes, members);
}

function refuse(index: RecordingIndex, number: number, why: string): void {
  if (++index.refused > MOST_PLACES) return;
  index.refusedAt.push(`${words.place("line", number, null)} (${why})`);
}

function whyNot({ start, end }: ByteRange, value: unknown): string {
  if (end - start > MAX_LINE) return words.tooLong;
  return value === null || value === undefined ? words.noObject : words.noEvent;
}

/** The object without its bulky members; null if it is not valid JSON. */
function valueWithout(bytes: Uint8Array, members: readonly MemberRange[]): unknown {
  const kept = members.filter(({ name }) => !BULKY.includes(name));
  return parseJson(`{${kept.map(({ whole }) => textAt(bytes, whole)).join(",")}}`);
}

function indexed(
  bytes: Uint8Array,
  event: RunEvent,
  line: NumberedLine,
  members: readonly MemberRange[],
): IndexedEvent {
  const isBulky = event.type === "iteration" && members.some(({ name }) => BULKY.includes(name));
  const episodes = members.find(({ name }) => name === "episodes");
  const hasEpisodes = episodes !== undefined && isFilledList(bytes, episodes.value);
  return { event, line: isBulky ? line : null, hasEpisodes: isBulky && hasEpisodes };
}

function isFilledList(bytes: Uint8Array, { start, end }: ByteRange): boolean {
  return bytes[start] === 0x5b && skipBlank(bytes, start + 1, end) < end - 1;
}

/** Reads an iteration's line on demand; the bytes may arrive later. */
export function unreadLine(
  bytes: () => Uint8Array,
  { line, hasEpisodes, step }: IndexedEvent,
  fetchStep?: FetchStep,
): Unread | undefined {
  if (step && fetchStep)
    return {
      hasEpisodes,
      read: () => ({ episodes: [], updates: null }),
      load: async () => ({ episodes: await fetchStep(step), updates: null }),
      bytes: step.bytes,
    };
  if (!line) return undefined;
  const read = () => readDetails(parseJson(textAt(bytes(), line)));
  if (line.end - line.start < LONG_LINE) return { hasEpisodes, read };
  return { hasEpisodes, read, readSliced: () => readLongLine(bytes(), line) };
}

/** Checks the episodes of every line. */
export function checkDetails(
  bytes: Uint8Array,
  events: readonly IndexedEvent[],
  onMisfit: (misfit: Misfit, line: number) => void,
): void {
  for (const { line } of events)
    if (line)
      readDetails(parseJson(textAt(bytes, line)), (misfit) => onMisfit(misfit, line.number));
}

/** Null unless valid JSON, and not nested too deep. */
function parseJson(text: string): unknown {
  return jsonOrNothing(text) ?? null;
}

// An iteration's line of megabytes, read in slices: parsing it at once would block the page.

/** Bytes of a line that can be parsed at once in a few milliseconds. */
const LONG_LINE = 500_000;

/** The same result as `readDetails` for the line. */
export function* readLongLine(bytes: Uint8Array, line: ByteRange): Sliced<IterationDetails> {
  const members = (yield* membersSliced(bytes, line)) ?? [];
  const [list, steps] = [valueOf(members, "episodes"), valueOf(members, "updates")];
  const episodes: EpisodeRecord[] = [];
  if (list)
    yield* itemsOf(bytes, list, function* (item) {
      const episode = yield* episodeIn(bytes, item);
      if (episode) episodes.push(episode);
      yield;
    });
  const updates: unknown = steps && parsed(bytes, steps);
  return { episodes, updates: Array.isArray(updates) ? (updates as UpdateRecord[]) : null };
}

/** Null if it is invalid. */
function* episodeIn(bytes: Uint8Array, item: ByteRange): Sliced<EpisodeRecord | null> {
  const members = yield* membersSliced(bytes, item);
  const list = members && valueOf(members, "turns");
  if (!members || !list || bytes[list.start] !== LIST) return null;
  const head = members
    .filter(({ name }) => name !== "turns")
    .map(({ whole }) => textAt(bytes, whole));
  const turns: TurnRecord[] = [];
  let fits = true;
  yield* itemsOf(bytes, list, function* (one) {
    const turn = fits ? readTurn(parsed(bytes, one)) : null;
    if (turn) turns.push(turn);
    else fits = false;
    yield;
  });
  return fits ? readEpisode(jsonOrNothing(`{${head.join(",")}}`), turns) : null;
}

const LIST = 0x5b;

/** The last member of that name, as in JSON.parse. */
function valueOf(members: readonly MemberRange[], wanted: string): ByteRange | null {
  return members.findLast(({ name }) => name === wanted)?.value ?? null;
}

function parsed(bytes: Uint8Array, range: ByteRange): unknown {
  return jsonOrNothing(textAt(bytes, range));
}
