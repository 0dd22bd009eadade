/** Chosen files as an indexed recording: our own as they are, other programs' after translation. */
import { RefusedError, refuseBinary } from "../../interchange/import/refused.ts";
import { filesInOrder, translate } from "../../interchange/import/translate.ts";
import { words } from "../../interchange/import/words.ts";
import { refusedLines } from "./recording.ts";
import {
  indexRecording,
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

/** Several recordings of one's own are a run each; whatever else is chosen is one. */
export function runsIn(chosen: readonly ChosenFile[]): ChosenFile[][] {
  const filled = chosen.filter(isFilled);
  const several = filled.length > 1 && filled.every(({ bytes }) => isOwn(withoutMark(bytes)));
  return several ? filesInOrder(filled).map((file) => [file]) : [[...chosen]];
}

/** @throws RefusedError when the files cannot be shown. */
export async function readImport(chosen: readonly ChosenFile[]): Promise<ReadImport> {
  for (const { bytes } of chosen) refuseBinary(bytes);
  const files = chosen.map(({ name, bytes }) => ({ name, bytes: withoutMark(bytes) }));
  const filled = files.filter(isFilled);
  if (filled.length === 0) throw new RefusedError(words.refused.empty);
  const own = filled.filter(({ bytes }) => isOwn(bytes));
  if (own.length === 0) return readForeign(filled);
  if (own.length < filled.length) throw new RefusedError(words.refused.mixed);
  return readOwn(own[0]!.bytes);
}

const isFilled = ({ bytes }: ChosenFile) => bytes.some((byte) => byte > 0x20);

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
    const value = lightValue(bytes, line);
    if (readEvent(value) !== null || (before === 0 && readHeader(value) !== null)) return before;
    if (++before === TRIED) break;
  }
  return null;
}

async function readOwn(bytes: Uint8Array<ArrayBuffer>): Promise<ReadImport> {
  const index = await indexRecording(bytes);
  const unread = refusedLines(index.refused, index.refusedAt);
  if (index.events.length === 0) throw new RefusedError(words.refused.nothing, unread[0]);
  const facts = { title: "Turnbook", command: index.command, absent: [], notes: [] };
  const warnings = [...brokenFirst(bytes, index), ...unread];
  return { isOwn: true, bytes, index, facts: { ...facts, warnings } };
}

function brokenFirst(bytes: Uint8Array, { events }: RecordingIndex): string[] {
  if (firstOwnLine(bytes) === 0) return [];
  return [words.brokenFirst(events.some(({ event }) => event.type === "start"))];
}

async function readForeign(files: readonly ChosenFile[]): Promise<ReadImport> {
  const decoder = new TextDecoder();
  const texts = files.map(({ name, bytes }) => ({ name, text: decoder.decode(bytes) }));
  const { title, lines, absent, notes, refused, refusedAt, ...rest } = translate(texts);
  const bytes = encodeLines(lines);
  const index = await indexRecording(bytes);
  const facts = { title, command: "", absent, notes: notes() };
  const warnings = [
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
