/**
 * Finds the members of a JSON object in bytes without building any of them: a line's megabytes of
 * episodes are skipped at reading speed. Only the outermost structure is checked; JSON.parse checks
 * what is used.
 */
import { runWhole, type Sliced } from "../../numeric/sliced.ts";

/** A range of bytes. */
export interface ByteRange {
  start: number;
  /** The first byte after it. */
  end: number;
}

export interface MemberRange {
  name: string;
  /** From the name's quote to the value's end. */
  whole: ByteRange;
  value: ByteRange;
}

/** Bytes scanned between two yields. */
const AT_ONCE = 500_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = [0x7b, 0x5b] as const;
const CLOSE = [0x7d, 0x5d] as const;

const ascii = new TextDecoder();

export function textAt(bytes: Uint8Array, { start, end }: ByteRange): string {
  return ascii.decode(bytes.subarray(start, end));
}

/** The members of the object in a range; null if it does not contain a complete object. */
export function memberRanges(bytes: Uint8Array, range: ByteRange): MemberRange[] | null {
  return runWhole(membersSliced(bytes, range));
}

/** The same in slices. */
export function* membersSliced(
  bytes: Uint8Array,
  { start, end }: ByteRange,
): Sliced<MemberRange[] | null> {
  const members: MemberRange[] = [];
  let at = skipBlank(bytes, start, end);
  if (bytes[at] !== OPEN[0]) return null;
  at = skipBlank(bytes, at + 1, end);
  while (at < end && bytes[at] !== CLOSE[0]) {
    const member = yield* memberAt(bytes, at, end);
    if (!member) return null;
    members.push(member);
    at = skipBlank(bytes, member.value.end, end);
    if (bytes[at] === COMMA) at = skipBlank(bytes, at + 1, end);
    else if (bytes[at] !== CLOSE[0]) return null;
  }
  return at < end && skipBlank(bytes, at + 1, end) === end ? members : null;
}

/** The ranges of the items of a list, in order; empty if the range does not contain a list. */
export function* itemsOf(
  bytes: Uint8Array,
  { start, end }: ByteRange,
  onItem: (item: ByteRange) => Sliced<void>,
): Sliced<void> {
  if (bytes[start] !== OPEN[1]) return;
  let at = skipBlank(bytes, start + 1, end);
  while (at < end && bytes[at] !== CLOSE[1]) {
    const itemEnd = yield* skipValue(bytes, at, end);
    if (itemEnd <= at) return;
    yield* onItem({ start: at, end: itemEnd });
    at = skipBlank(bytes, itemEnd, end);
    if (bytes[at] === COMMA) at = skipBlank(bytes, at + 1, end);
  }
}

function* memberAt(bytes: Uint8Array, start: number, end: number): Sliced<MemberRange | null> {
  if (bytes[start] !== QUOTE) return null;
  const nameEnd = skipString(bytes, start, end);
  const colon = skipBlank(bytes, nameEnd, end);
  if (bytes[colon] !== COLON) return null;
  const valueStart = skipBlank(bytes, colon + 1, end);
  const valueEnd = yield* skipValue(bytes, valueStart, end);
  if (valueEnd <= valueStart || valueEnd > end) return null;
  return {
    name: textAt(bytes, { start: start + 1, end: nameEnd - 1 }),
    whole: { start, end: valueEnd },
    value: { start: valueStart, end: valueEnd },
  };
}

function* skipValue(bytes: Uint8Array, start: number, end: number): Sliced<number> {
  const first = bytes[start];
  if (first === QUOTE) return skipString(bytes, start, end);
  if (first === OPEN[0] || first === OPEN[1]) return yield* skipNested(bytes, start, end);
  let at = start;
  while (at < end && bytes[at] !== COMMA && bytes[at] !== CLOSE[0] && !isBlank(bytes[at]!)) at++;
  return at;
}

/** To after the bracket that closes the one at `start`; past the end if none does. */
function* skipNested(bytes: Uint8Array, start: number, end: number): Sliced<number> {
  const scan: ScanState = { at: start, depth: 0 };
  for (;;) {
    if (closes(bytes, scan, Math.min(scan.at + AT_ONCE, end), end)) return scan.at;
    if (scan.at >= end) return end + 1;
    yield;
  }
}

interface ScanState {
  at: number;
  depth: number;
}

/** Continues until the bracket is closed, or up to a position. A plain loop: in a generator it takes several times as long. */
function closes(bytes: Uint8Array, scan: ScanState, until: number, end: number): boolean {
  let { at, depth } = scan;
  let closed = false;
  for (; at < until && !closed; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = skipString(bytes, at, end) - 1;
    else if (byte === OPEN[0] || byte === OPEN[1]) depth++;
    else if (byte === CLOSE[0] || byte === CLOSE[1]) closed = --depth === 0;
  }
  Object.assign(scan, { at, depth });
  return closed;
}

/** Strings longer than this are searched for their end by the engine's own search. */
const LONG = 64;

function skipString(bytes: Uint8Array, start: number, end: number): number {
  let at = start + 1;
  const soon = Math.min(end, at + LONG);
  while (at < soon && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  while (at < end && (bytes[at] !== QUOTE || isEscaped(bytes, at, start))) {
    const next = bytes.indexOf(QUOTE, at + 1);
    at = next < 0 ? end : next;
  }
  return Math.min(at, end) + 1;
}

/** Whether an odd number of backslashes precedes a byte of the string that begins at `start`. */
function isEscaped(bytes: Uint8Array, at: number, start: number): boolean {
  let first = at;
  while (first > start + 1 && bytes[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

export function skipBlank(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}
