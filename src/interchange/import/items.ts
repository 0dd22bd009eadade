/** The JSON values in a file's bytes, one after another, so that a file of any size is read in little memory. */
import { jsonOrNothing, withNull } from "../../spec/jsonText.ts";
import { RefusedError } from "./refused.ts";
import { words } from "./words.ts";

interface Parsed {
  /** Undefined if it is invalid JSON, or nested too deep. */
  value: unknown;
  /** Numbers that were NaN or infinite; they are replaced by null. */
  notFinite: number;
}

export interface PlacedItem extends Parsed {
  kind: "line" | "entry";
  /** Counted from 1. */
  number: number;
  /** Why there is no value, if not for lack of JSON. */
  problem?: string;
  /** Of a line: its first byte, and the one after its last, in the unpacked file. */
  range?: readonly [start: number, end: number];
}

/** Maximum bytes of a line, and characters of a file that is one JSON value: about what a string may have. */
const LONGEST = 256 << 20;
/** Characters of a file whose first line is no JSON, up to which it may be one value. */
const WHOLE = 64 << 20;
const NEWLINE = 0x0a;

/** How a value over several lines begins; a log's "[2026-08-22 …" and "{'loss': …" do not. */
const OPENS =
  /^\s*(?:\[\s*(?:$|["{[\]]|-?(?:NaN|Infinity|\d[\d.eE+-]*)\s*(?:[,\]]|$)|true|false|null)|\{\s*(?:$|["}]))/;

interface NumberedText {
  text: string;
  number: number;
  range: readonly [start: number, end: number];
}

/** The elements of a list, the lines of JSON lines, or the one value; undefined for invalid JSON. */
export function* placedValues(chunks: Iterable<Uint8Array>): Generator<PlacedItem> {
  const lines = numberedLines(chunks);
  try {
    const { value: first, done } = lines.next();
    if (done) return;
    const isList = first.text.trimStart().startsWith("[");
    const isLine = !isList && parsePythonJson(first.text).value !== undefined;
    if (isLine || !OPENS.test(first.text)) {
      yield* lineItems([first]);
      return yield* lineItems(lines);
    }
    const held = [first];
    let length = first.text.length;
    const most = isList ? LONGEST : WHOLE;
    // An object over several lines has its fields on those.
    const isBroken = !isList && first.text.trim() !== "{";
    for (let line = lines.next(); !line.done; line = lines.next()) {
      held.push(line.value);
      length += line.value.text.length + 1;
      if (length > most || (isBroken && line.value.text.startsWith("{"))) break;
    }
    const whole =
      length > most ? NOTHING : parsePythonJson(held.map(({ text }) => text).join("\n"));
    if (Array.isArray(whole.value)) return yield* listItems(whole.value, whole.notFinite);
    if (whole.value !== undefined) return yield { ...whole, kind: "entry", number: 1 };
    yield* lineItems(held);
    yield* lineItems(lines);
  } finally {
    lines.return();
  }
}

/** Numbers in the list that were not finite are counted once, with its first entry. */
export function* listItems(list: readonly unknown[], notFinite = 0): Generator<PlacedItem> {
  for (const [i, value] of list.entries())
    yield { value, notFinite: i === 0 ? notFinite : 0, kind: "entry", number: i + 1 };
}

function* lineItems(lines: Iterable<NumberedText>): Generator<PlacedItem> {
  for (const { text, number, range } of lines) {
    // Not spread: that takes as long as all else of a million lines.
    const { value, notFinite } = parsePythonJson(text);
    yield { value, notFinite, kind: "line", number, range };
  }
}

/** Those that are not blank, without a byte order mark. @throws RefusedError for a line beyond `LONGEST` */
function* numberedLines(chunks: Iterable<Uint8Array>): Generator<NumberedText, void> {
  const decoder = new TextDecoder();
  let held: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  let start = 0;
  const hold = (part: Uint8Array) => {
    held.push(part);
    length += part.length;
    if (length > LONGEST) throw new RefusedError(words.refused.longLine(number + 1, LONGEST >> 20));
  };
  const release = (): NumberedText => {
    const bytes = held.length === 1 ? held[0]! : joinedBytes(held);
    const range = [start, start + length] as const;
    [held, length, start] = [[], 0, range[1] + 1];
    return { text: decoder.decode(bytes), number: ++number, range };
  };
  for (const piece of piecesOf(chunks)) {
    let at = piece.indexOf(NEWLINE) + 1;
    const last = piece.lastIndexOf(NEWLINE);
    if (at > 0) {
      hold(piece.subarray(0, at - 1));
      const line = release();
      if (line.text.trim() !== "") yield line;
    }
    const texts = last < at ? [] : decoder.decode(piece.subarray(at, last)).split("\n");
    for (const text of texts) {
      const end = piece.indexOf(NEWLINE, at);
      const range = [start, start + end - at] as const;
      [at, start] = [end + 1, range[1] + 1];
      number++;
      // A file may be several that were joined.
      if (text.trim() !== "") yield { text: text.replace(/^\uFEFF/, ""), number, range };
    }
    // Copied, since a reader may use its buffer again.
    if (last + 1 < piece.length) hold(piece.slice(last + 1));
  }
  const line = release();
  if (line.text.trim() !== "") yield line;
}

/** Bytes that become one text at once: a text for each line, held outside the heap, would be much garbage. */
const PIECE = 1 << 20;

function* piecesOf(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
}

export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const NOTHING: Parsed = { value: undefined, notFinite: 0 };

/** JSON as Python's own module writes it: also with NaN and Infinity, which JSON lacks. */
function parsePythonJson(text: string): Parsed {
  const value = jsonOrNothing(text);
  if (value !== undefined) return { value, notFinite: 0 };
  const { text: finite, count } = withNull(text);
  return count === 0 ? NOTHING : { value: jsonOrNothing(finite), notFinite: count };
}
