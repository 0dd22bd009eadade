/** A finished run of a sweep, as in a notebook's file: read and checked off the page's thread. */
import { readRecording } from "../reading/log/recording.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { unpackRun } from "./savedRun.ts";

export interface SweptRun {
  spec: ExperimentSpec;
  /** Its log, one event per line. */
  lines: Uint8Array<ArrayBuffer>;
  events: number;
  /** Iterations that every method has completed. */
  iteration: number;
}

/** Null if it is damaged or unfinished: then it is trained again. */
export async function readSwept(bytes: Uint8Array<ArrayBuffer>): Promise<SweptRun | null> {
  const saved = await unpackRun(bytes).catch(() => null);
  if (!saved) return null;
  const log = (await readRecording(saved.log))?.log;
  if (!log?.end) return null;
  const { version: events, finishedIterations: iteration } = log;
  return { spec: saved.spec, lines: saved.log, events, iteration };
}
