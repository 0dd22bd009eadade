/**
 * A checkpoint as its own file: its position in the run, the log lines that may be stored nowhere
 * else yet, and its bytes. The header is written last, so that a file whose writer was killed is
 * invalid.
 */
import { lineStart } from "../../record/eventLines.ts";
import type { SentCheckpoint } from "../../record/sentCheckpoint.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { z } from "../../spec/zod.ts";

/** Some lines of a log, one event each, with their newlines. */
export interface RunLines {
  bytes: Uint8Array;
  events: number;
}

/** `tail`: the newest lines up to the checkpoint, at least the last one. */
export interface Slot {
  checkpoint: SentCheckpoint;
  tail: RunLines;
}

/** Bytes of the header: JSON, padded with spaces. */
export const HEAD_BYTES = 256;
/** A run has two slots: while one is written, the other stays valid. */
export const SLOT_NAMES = ["a", "b"] as const;

const FORMAT = "turnbook-kept-1";
const NEWLINE = 0x0a;

const count = z.int().check(z.gte(0));
const headOf = z.object({
  format: z.literal(FORMAT),
  iteration: count,
  /** Of the run up to the checkpoint, and of the tail. */
  events: count,
  tailEvents: count,
  tailBytes: count,
  bytes: count,
});

type SlotHead = z.infer<typeof headOf>;

export function encodeHead({ checkpoint, tail }: Slot): Uint8Array {
  const { iteration, events, bytes } = checkpoint;
  const head: SlotHead = {
    format: FORMAT,
    iteration,
    events,
    tailEvents: tail.events,
    tailBytes: tail.bytes.length,
    bytes: bytes.length,
  };
  return new TextEncoder().encode(JSON.stringify(head).padEnd(HEAD_BYTES));
}

/**
 * Null if the file has no header, or was not written completely. `size`: bytes of the whole file.
 */
export function decodeHead(bytes: Uint8Array, size: number): SlotHead | null {
  const read = headOf.safeParse(
    jsonOrNothing(new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES))),
  );
  if (!read.success) return null;
  return size === HEAD_BYTES + read.data.tailBytes + read.data.bytes ? read.data : null;
}

export function decodeSlot(file: Uint8Array): Slot | null {
  const head = decodeHead(file, file.length);
  if (!head) return null;
  const end = HEAD_BYTES + head.tailBytes;
  const { iteration, events } = head;
  return {
    checkpoint: { bytes: file.subarray(end), iteration, events, inFile: true },
    tail: { bytes: file.subarray(HEAD_BYTES, end), events: head.tailEvents },
  };
}

/**
 * The run's lines plus those that only the slot has.
 *
 * @param lines all lines stored elsewhere.
 * @returns null if the slot belongs to another log, or is too far ahead of it.
 */
export function joinLines(
  lines: readonly RunLines[],
  { checkpoint, tail }: Slot,
): RunLines[] | null {
  const known = lines.reduce((sum, some) => sum + some.events, 0);
  const from = checkpoint.events - tail.events;
  if (from > known) return null;
  const both = Math.min(known, checkpoint.events);
  if (both > from && chainAt(lines, both - 1) !== chainAt([tail], both - 1 - from)) return null;
  if (checkpoint.events <= known) return [...lines];
  const bytes = tail.bytes.subarray(lineStart(tail.bytes, known - from));
  return [...lines, { bytes, events: checkpoint.events - known }];
}

/** Chain of an event, counted from 0; undefined if its line cannot be read. */
function chainAt(lines: readonly RunLines[], at: number): unknown {
  let left = at;
  for (const { bytes, events } of lines) {
    if (left < events) return chainOf(bytes.subarray(lineStart(bytes, left)));
    left -= events;
  }
  return undefined;
}

/** Chain of the first line. */
function chainOf(bytes: Uint8Array): unknown {
  const end = bytes.indexOf(NEWLINE);
  const line = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  return (jsonOrNothing(line) as { chain?: unknown } | undefined)?.chain;
}
