/**
 * The curves of several seeds as one small file, to be drawn as a band: each run's settings, its
 * fingerprint and the numbers that curves show. One JSON object: the command that made it, the
 * columns in base64, and its own SHA-256.
 */
import { base64ToBytes, bytesToBase64 } from "../../numeric/base64.ts";
import type { RunEvent } from "../../record/runEvent.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { z } from "../../spec/zod.ts";
import { lightEvent, ofCurves } from "./content.ts";
import { decodePart, encodePart } from "./part.ts";
import { selfHash } from "./manifest.ts";

const FORMAT = "turnbook-seeds-1";
/** Maximum bytes of the unpacked columns. */
const MOST = 64_000_000;

interface SeedRun {
  /** Last hash of the run. */
  fingerprint: string;
  events: unknown[];
}

interface SeedFile {
  command: string;
  runs: SeedRun[];
}

const file = z.object({ format: z.literal(FORMAT), command: z.string(), columns: z.base64() });
const content = z.object({
  runs: z
    .array(z.object({ fingerprint: z.string(), events: z.array(z.unknown()) }))
    .check(z.maxLength(1000)),
});

/** `logs`: all events of each run, to its end. */
export function encodeSeeds(command: string, logs: readonly (readonly RunEvent[])[]): string {
  const runs = logs.map((events) => ({
    fingerprint: events.at(-1)!.chain,
    events: events.filter(isDrawn).map(curvesOf),
  }));
  const columns = bytesToBase64(encodePart({ runs }, ofCurves));
  const rest = { format: FORMAT, command, columns };
  return `${JSON.stringify({ ...rest, sha256: selfHash(rest) })}\n`;
}

function isDrawn({ type }: RunEvent): boolean {
  return ["start", "iteration", "eval", "crash", "end"].includes(type);
}

/** Without the fields that no curve shows; the hashes belong to the full run. */
function curvesOf(event: RunEvent): RunEvent {
  const light = { ...lightEvent(event), chain: "", time: {} } as RunEvent;
  if (light.type !== "iteration" && light.type !== "eval") return light;
  const kept = Object.entries(light.metrics).filter(([name]) =>
    CURVES.some((one) => one.test(name)),
  );
  return { ...light, metrics: Object.fromEntries(kept) };
}

/** Reward, success, and metrics that show whether learning is healthy. */
const CURVES = [
  /^critic\/score\/mean$/,
  /^[\w-]+\/success$/,
  /^val-env\//,
  /^critic\/vf_explained_var$/,
  /^actor\/(entropy|pg_clipfrac|ppo_kl|grad_norm)$/,
];

/** @throws InputError if the text is not such a file, or is damaged. */
export async function decodeSeeds(text: string): Promise<SeedFile> {
  const value = Object(jsonOrNothing(text) ?? null) as Record<string, unknown>;
  const { sha256: own, ...rest } = value;
  if (rest["format"] !== FORMAT)
    throw new InputError(
      `the format of the seeds is ${show(rest["format"])}; it must be ${show(FORMAT)}`,
    );
  if (own !== selfHash(rest))
    throw new InputError("the file of seeds is damaged: its SHA-256 does not match");
  const { command, columns } = file.parse(rest);
  const read = content.safeParse(await decodePart(base64ToBytes(columns), MOST));
  if (!read.success) throw new InputError("the file of seeds holds no runs");
  return { command: command.slice(0, 500), runs: read.data.runs };
}
