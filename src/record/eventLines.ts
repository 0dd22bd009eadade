/** Events as the lines of a log file, one event per line. */
import type { RunEvent } from "./runEvent.ts";

const NEWLINE = 0x0a;
const encoder = new TextEncoder();

export function encodeEvents(events: readonly RunEvent[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
}

/** Offset of a line, counted from 0; it must exist. */
export function lineStart(bytes: Uint8Array, line: number): number {
  let at = 0;
  for (let n = 0; n < line; n++) at = bytes.indexOf(NEWLINE, at) + 1;
  return at;
}
