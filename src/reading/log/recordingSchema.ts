/**
 * What a line of a recording must contain before it is added to a log. Files are not trusted: the
 * checks cover every field that panels read; other fields pass through unchanged.
 */
import { z } from "../../spec/zod.ts";
import type { RunEvent } from "../../record/runEvent.ts";

const metrics = z.record(z.string(), z.nullable(z.number()));
const base = {
  chain: z.string(),
  time: z.looseObject({}),
};
const ofIteration = {
  algorithm: z.string(),
  iteration: z.int().check(z.gte(0), z.lte(10_000_000)),
  metrics,
};
const nullable = z.nullable(z.number());
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
const engine = z.looseObject({ engine: z.string(), backend: z.string(), adapter: z.string() });
/** Iterations without their episodes and updates, which are checked when they are read. */
const event = z.discriminatedUnion("type", [
  z.looseObject({
    ...base,
    type: z.literal("start"),
    spec: z.looseObject({
      environment: z.looseObject({ kind: z.string() }),
      algorithms: z.array(z.looseObject({ name: z.string() })),
      preference: z.optional(z.looseObject({ methods: z.array(z.string()) })),
      iterative: z.optional(z.looseObject({})),
      optimisation: z.looseObject({ iterations: z.int() }),
    }),
    engine,
  }),
  z.looseObject({ ...base, type: z.literal("warmStart"), metrics }),
  z.looseObject({ ...base, ...ofIteration, type: z.literal("eval"), levels: z.int() }),
  z.looseObject({
    ...base,
    ...ofIteration,
    type: z.literal("iteration"),
    warmup: z.boolean(),
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
  z.looseObject({ ...base, type: z.literal("engine"), engine }),
  z.looseObject({ ...base, type: z.literal("end"), iterations: z.int() }),
]);

const header = z.looseObject({ command: z.string() });
/** `train` closes its output with the fingerprint alone. */
const closing = z.looseObject({ fingerprint: z.string() });

/** The command that made the recording, if a value is the header line. */
export function readHeader(value: unknown): string | null {
  const read = header.safeParse(value);
  return read.success ? read.data.command.slice(0, 500) : null;
}

/** An event, for an iteration without its episodes and updates; null for anything else. */
export function readEvent(value: unknown): RunEvent | null {
  const read = event.safeParse(value);
  if (!read.success) return null;
  const known = read.data as unknown as RunEvent;
  return known.type === "iteration" ? { ...known, episodes: [] } : known;
}

export function isClosing(value: unknown): boolean {
  return closing.safeParse(value).success;
}
