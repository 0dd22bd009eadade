/** Events as the lines of a log file, one event a line. */
import type { RunEvent } from "./runEvent.ts";

const encoder = new TextEncoder();

export function encodeEvents(events: readonly RunEvent[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
}
