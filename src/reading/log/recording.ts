/** A recorded run as a log: numbers at once, episodes when the cursor reaches them. */
import { words } from "../../interchange/import/words.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import {
  indexRecording,
  MAX_BYTES,
  unreadLine,
  type FetchStep,
  type IndexedEvent,
} from "./recordingIndex.ts";
import { keepRaw, RawRun } from "./rawRun.ts";
import { RunLog } from "./runLog.ts";

interface ReadRecording {
  log: RunLog;
  /** The command that made it; "" if the file does not have it. */
  command: string;
  warnings: string[];
}

/** Reads a recording piece by piece; null if nothing in it is usable. */
export async function readRecording(source: string | Uint8Array): Promise<ReadRecording | null> {
  if (source.length > MAX_BYTES) return null;
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const log = new RunLog();
  const { command, refused, refusedAt } = await indexRecording(bytes, (one) => {
    appendTo(log, [one], () => bytes);
  });
  if (log.start) keepRaw(log, rawRecording(log.start.spec, bytes, log.version));
  return log.start ? { log, command, warnings: refusedLines(refused, refusedAt) } : null;
}

function rawRecording(spec: ExperimentSpec, bytes: Uint8Array, events: number): RawRun {
  const raw = new RawRun(spec);
  raw.append(bytes, events);
  return raw;
}

/** The events as a log that reads their lines on demand. */
export function logOf(bytes: Uint8Array, events: readonly IndexedEvent[]): RunLog {
  const log = new RunLog();
  appendTo(log, events, () => bytes);
  return log;
}

/** For events that arrive in portions, before the bytes. */
export function appendTo(
  log: RunLog,
  events: readonly IndexedEvent[],
  bytes: () => Uint8Array,
  fetchStep?: FetchStep,
): void {
  for (const one of events) log.append(one.event, unreadLine(bytes, one, fetchStep));
}

/** The number of lines that could not be read, and the positions of the first. */
export function refusedLines(refused: number, places: readonly string[]): string[] {
  return refused === 0 ? [] : [words.unread(refused, places)];
}
