/**
 * A recorded run: JSON lines, the first of which names the command that made it, the others `RunEvent`s.
 * Files are not trusted: every event is checked before it reaches a log.
 */
import { z } from "zod";
import type { RunEvent } from "../record/runEvent.ts";
import { RunLog } from "./runLog.ts";

const metrics = z.record(z.string(), z.number().nullable());
const base = {
  chain: z.string(),
  time: z.looseObject({}),
};
const ofIteration = { algorithm: z.string(), iteration: z.int().min(0).max(10_000_000), metrics };
const nullable = z.number().nullable();

const token = z.looseObject({
  id: z.int(),
  text: z.string(),
  advantage: nullable,
  value: nullable,
});
const turn = z.looseObject({
  observation: z.string(),
  text: z.string(),
  actions: z.array(z.string()),
  reward: z.number(),
  formatPenalty: z.number(),
  value: nullable,
  advantage: nullable,
  return: nullable,
  ratio: nullable,
  clipped: z.boolean(),
  tokens: z.array(token),
});
const episode = z.looseObject({
  trajectory: z.int(),
  task: z.string(),
  seed: z.number(),
  reward: z.number(),
  success: z.boolean(),
  terminated: z.boolean(),
  truncated: z.boolean(),
  finalObservation: z.string(),
  turns: z.array(turn),
});
const evidence = z.looseObject({
  metric: z.string(),
  value: nullable,
  side: z.enum(["above", "below"]),
  limit: nullable,
  base: nullable,
  measurements: z.int(),
});
const finding = {
  detector: z.string(),
  title: z.string(),
  severity: z.enum(["warning", "critical"]),
  algorithm: z.string(),
  iteration: z.int(),
  firstBad: z.int(),
  says: z.string(),
  evidence: z.array(evidence),
  cause: z.string(),
  remedies: z.array(z.string()),
};
const event = z.discriminatedUnion("type", [
  z.looseObject({
    ...base,
    type: z.literal("start"),
    spec: z.looseObject({
      environment: z.looseObject({ kind: z.string() }),
      algorithms: z.array(z.looseObject({ name: z.string() })),
      preference: z.looseObject({ methods: z.array(z.string()) }).optional(),
      iterative: z.looseObject({}).optional(),
      optimisation: z.looseObject({ iterations: z.int() }),
    }),
    engine: z.looseObject({ engine: z.string(), backend: z.string(), adapter: z.string() }),
  }),
  z.looseObject({ ...base, type: z.literal("warmStart"), metrics }),
  z.looseObject({ ...base, ...ofIteration, type: z.literal("eval"), levels: z.int() }),
  z.looseObject({
    ...base,
    ...ofIteration,
    type: z.literal("iteration"),
    warmup: z.boolean(),
    episodes: z.array(episode),
  }),
  z.looseObject({
    ...base,
    type: z.literal("crash"),
    algorithm: z.string(),
    iteration: z.int(),
    cause: z.string(),
    action: z.string(),
  }),
  z.looseObject({ ...base, ...finding, type: z.literal("finding") }),
  z.looseObject({ ...base, type: z.literal("end"), iterations: z.int() }),
]);

export interface ReadRecording {
  log: RunLog;
  /** The command that made it; "" when the file does not say. */
  command: string;
  warnings: string[];
}

const MAX_LENGTH = 64_000_000;
/** Milliseconds of work between two chances for the page to answer input. */
const SLICE = 12;

/** Reads a recording piece by piece, so that the page stays responsive; null when there is nothing usable in it. */
export async function readRecording(text: string): Promise<ReadRecording | null> {
  if (text.length > MAX_LENGTH) return null;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const header = z.looseObject({ command: z.string() }).safeParse(parseJson(lines[0] ?? ""));
  const log = new RunLog();
  let refused = 0;
  let sliceEnd = performance.now() + SLICE;
  for (const line of lines.slice(header.success ? 1 : 0)) {
    const read = readEvent(line);
    if (read) log.append(read);
    else if (!isClosingLine(line)) refused++;
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    sliceEnd = performance.now() + SLICE;
  }
  if (!log.start) return null;
  const warnings = refused === 0 ? [] : [`${refused} lines of the recording could not be read.`];
  return { log, command: header.success ? header.data.command.slice(0, 500) : "", warnings };
}

function readEvent(line: string): RunEvent | null {
  const result = event.safeParse(parseJson(line));
  // The checks cover every field that panels read; the others pass through as they are.
  return result.success ? (result.data as unknown as RunEvent) : null;
}

/** `train` closes its output with the fingerprint alone. */
function isClosingLine(line: string): boolean {
  return z.looseObject({ fingerprint: z.string() }).safeParse(parseJson(line)).success;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
