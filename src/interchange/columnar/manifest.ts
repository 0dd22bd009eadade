/**
 * A columnar recording's first file, `recording.json`: the command that made the run, the
 * fingerprint of the full run, and every other file with its SHA-256. It ends with the SHA-256 of
 * itself.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "../../spec/canonical.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { parseJsonObject } from "../../spec/jsonText.ts";
import { z } from "../../spec/zod.ts";

export const FORMAT = "turnbook-columns-1";
export const MANIFEST = "recording.json";
/** Maximum bytes of a part. */
export const MOST_PACKED = 64_000_000;

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const name = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,60}\.(bin|safetensors)$/));
const count = z.int().check(z.gte(0), z.lte(10_000_000));

const schema = z.object({
  format: z.literal(FORMAT),
  command: z.string(),
  /** Last hash of the full run, of which this stores a part. */
  fingerprint: hash,
  /** Events of the full run. */
  events: count,
  parts: z.array(z.object({ name, bytes: count, sha256: hash })).check(z.maxLength(4096)),
  /** The part with every event, without episodes and updates. */
  curves: name,
  /** Iterations with episodes, ascending: their part, and the number of episodes of each method. */
  iterations: z.array(
    z.object({ iteration: count, part: name, turns: name, methods: z.record(z.string(), count) }),
  ),
  /** Weights after this many iterations, ascending. The start is the experiment's own. */
  checkpoints: z.array(z.object({ trained: count, part: name })),
});

export type RecordingManifest = z.infer<typeof schema>;
export type PartEntry = RecordingManifest["parts"][number];

/** Whether a file's text begins like a manifest: other recordings are JSON lines. */
export function isManifest(start: string): boolean {
  return start.trimStart().startsWith(`{"format":"${FORMAT}"`);
}

export function encodeManifest(manifest: RecordingManifest): string {
  return `${JSON.stringify({ ...manifest, sha256: selfHash(manifest) })}\n`;
}

/** @throws InputError if it is damaged, or names a part that it does not list. */
export function decodeManifest(text: string): RecordingManifest {
  const value = parseJsonObject(text, MANIFEST);
  const { sha256: own, ...rest } = value;
  if (rest["format"] !== FORMAT)
    throw new InputError(
      `the format in ${MANIFEST} is ${show(rest["format"])}; it must be ${show(FORMAT)}`,
    );
  if (own !== selfHash(rest))
    throw new InputError(`${MANIFEST} is damaged: its SHA-256 does not match`);
  const read = schema.safeParse(rest);
  if (!read.success)
    throw new InputError(`${MANIFEST} has no usable ${read.error.issues[0]!.path.join(".")}`);
  checkNames(read.data);
  return read.data;
}

function checkNames({ parts, curves, iterations, checkpoints }: RecordingManifest): void {
  const listed = new Set(parts.map((part) => part.name));
  const twice = [
    repeated(parts.map((part) => part.name)),
    repeated(iterations.map(({ iteration }) => iteration)),
    repeated(checkpoints.map(({ trained }) => trained)),
  ].find((one) => one !== undefined);
  if (twice !== undefined) throw new InputError(`${MANIFEST} lists ${twice} twice`);
  const used = [
    curves,
    ...iterations.flatMap(({ part, turns }) => [part, turns]),
    ...checkpoints.map(({ part }) => part),
  ];
  const missing = used.find((one) => !listed.has(one));
  if (missing !== undefined) throw new InputError(`${MANIFEST} does not list its part ${missing}`);
}

function repeated<T>(list: readonly T[]): T | undefined {
  return list.find((one, i) => list.indexOf(one) < i);
}

export function selfHash(rest: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(rest))));
}
