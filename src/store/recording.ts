/** A recorded run as a log: numbers at once, episodes when the cursor comes to them. */
import { indexRecording, MAX_BYTES, unreadLine, type IndexedEvent } from "./recordingIndex.ts";
import { RunLog } from "./runLog.ts";

export interface ReadRecording {
  log: RunLog;
  /** The command that made it; "" when the file does not say. */
  command: string;
  warnings: string[];
}

/** Reads a recording piece by piece; null when there is nothing usable in it. */
export async function readRecording(source: string | Uint8Array): Promise<ReadRecording | null> {
  if (source.length > MAX_BYTES) return null;
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const log = new RunLog();
  const { command, refused } = await indexRecording(bytes, (one) => {
    appendTo(log, [one], () => bytes);
  });
  return log.start ? { log, command, warnings: refusedLines(refused) } : null;
}

/** The events as a log that reads their lines when they are looked at. */
export function logOf(bytes: Uint8Array, events: readonly IndexedEvent[]): RunLog {
  const log = new RunLog();
  appendTo(log, events, () => bytes);
  return log;
}

/** For events that come in portions, before the bytes. */
export function appendTo(
  log: RunLog,
  events: readonly IndexedEvent[],
  bytes: () => Uint8Array,
): void {
  for (const one of events) log.append(one.event, unreadLine(bytes, one));
}

export function refusedLines(refused: number): string[] {
  if (refused === 0) return [];
  const lines = refused === 1 ? "1 line" : `${refused} lines`;
  return [`${lines} of the recording could not be read.`];
}
