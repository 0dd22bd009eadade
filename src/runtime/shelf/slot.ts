/**
 * A checkpoint as a file of its own: where it stands in its run, the lines of the log that may be kept nowhere else yet, and its
 * bytes. Its head is written last, so that a file whose writer was killed is none.
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

/** `tail`: the newest lines up to the checkpoint, the last one at least. */
export interface Slot {
  checkpoint: SentCheckpoint;
  tail: RunLines;
}

/** Bytes of the head: JSON, filled up with spaces. */
export const HEAD_BYTES = 256;
/** A run has two of them: while one is written, the other holds. */
export const SLOT_NAMES = ["a", "b"] as const;

const FORMAT = "turnbook-kept-1";
const NEWLINE = 0x0a;

const count = z.int().min(0);
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

/** Null where the file has none, or was not written to its end. `size`: bytes of the whole file. */
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
 * The run's lines with those that only the slot has.
 *
 * @param lines all that is kept elsewhere.
 * @returns null where the slot is not of this log, or too far ahead of it.
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

/** Of an event, counted from 0; undefined where its line cannot be read. */
function chainAt(lines: readonly RunLines[], at: number): unknown {
  let left = at;
  for (const { bytes, events } of lines) {
    if (left < events) return chainOf(bytes.subarray(lineStart(bytes, left)));
    left -= events;
  }
  return undefined;
}

/** Of the first line. */
function chainOf(bytes: Uint8Array): unknown {
  const end = bytes.indexOf(NEWLINE);
  const line = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  return (jsonOrNothing(line) as { chain?: unknown } | undefined)?.chain;
}
