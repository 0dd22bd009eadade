/** A finished run of a sweep, as a notebook's file holds it: read and checked off the page's thread. */
import { readRecording } from "../reading/log/recording.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { unpackRun } from "./savedRun.ts";

export interface SweptRun {
  spec: ExperimentSpec;
  /** Its log, one event a line. */
  lines: Uint8Array<ArrayBuffer>;
  events: number;
  /** Iterations that every method has done. */
  iteration: number;
}

/** Null where it is damaged, or did not come to its end: then it is trained again. */
export async function readSwept(bytes: Uint8Array<ArrayBuffer>): Promise<SweptRun | null> {
  const saved = await unpackRun(bytes).catch(() => null);
  if (!saved) return null;
  const log = (await readRecording(saved.log))?.log;
  if (!log?.end) return null;
  const { version: events, finishedIterations: iteration } = log;
  return { spec: saved.spec, lines: saved.log, events, iteration };
}
