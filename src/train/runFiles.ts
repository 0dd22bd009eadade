/**
 * The names of a run's files and the format of its marker: the same in a folder of `train --out`
 * and in the sealed zip that the page saves, so that unzipping one gives the other.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "../spec/canonical.ts";
import { validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";

const RUN_FORMAT = "turnbook-run-1";

export const RUN_FILES = {
  /** Marks the folder as a run of ours, and names its spec: the first file written. */
  marker: "turnbook-run.json",
  /** One event per line. */
  log: "events.jsonl",
  /** Size and SHA-256 of the log up to the last checkpoint: also covers clock readings, which the chain does not. */
  logHash: "events.sha256",
  checkpoint: "checkpoint.zip",
  /** The previous checkpoint, so that at least one complete checkpoint exists at every moment. */
  previous: "checkpoint-previous.zip",
  /** Written if the doctor stopped the run. */
  beforeFall: "checkpoint-before-fall.zip",
  /** Folder of the checkpoints that are kept in addition to the last two. */
  kept: "checkpoints",
  /** Held by the writing process; not in a saved zip. */
  lock: "turnbook-run.lock",
} as const;

/** Path within the run of the checkpoint kept after an iteration. */
export function keptCheckpoint(iteration: number): string {
  return `${RUN_FILES.kept}/iteration-${iteration}.zip`;
}

/** The iteration of a kept checkpoint by its path within the run; null for any other path. */
export function keptIteration(path: string): number | null {
  const digits = /^checkpoints\/iteration-([1-9]\d*)\.zip$/.exec(path)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The marker's text. It includes the SHA-256 of its spec. */
export function encodeMarker(spec: ExperimentSpec): string {
  return `${JSON.stringify({ format: RUN_FORMAT, spec, sha256: specHash(spec) })}\n`;
}

/**
 * The spec that a marker names.
 * @throws InputError if it is not a marker of ours, or damaged.
 */
export function decodeMarker(text: string): ExperimentSpec {
  const { format, spec, sha256: hash } = Object(parse(text)) as Record<string, unknown>;
  if (format !== RUN_FORMAT)
    throw new InputError(
      `the format in ${RUN_FILES.marker} is ${show(format)}; it must be ${show(RUN_FORMAT)}`,
    );
  if (hash !== specHash(spec ?? null))
    throw new InputError(`${RUN_FILES.marker} is damaged: its SHA-256 does not match its spec`);
  return validateSpec(spec);
}

function specHash(spec: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(spec))));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`${RUN_FILES.marker} is not JSON; it starts ${show(text.slice(0, 30))}`);
  }
}

/** The size of the log at a checkpoint, and its SHA-256. */
export interface LogHash {
  bytes: number;
  sha256: string;
}

/**
 * The text of the log's hash file; `self` is the SHA-256 of the rest, so that damage to this file
 * is not mistaken for damage to the log.
 */
export function encodeLogHash({ bytes, sha256: hash }: LogHash): string {
  return `${JSON.stringify({ bytes, sha256: hash, self: logHashCheck(bytes, hash) })}\n`;
}

/** @throws InputError if the text is damaged. */
export function decodeLogHash(text: string): LogHash {
  const read = /^\{"bytes":(\d{1,15}),"sha256":"([0-9a-f]{64})","self":"([0-9a-f]{64})"\}\n$/.exec(
    text,
  );
  const [bytes, hash, self] = [Number(read?.[1]), read?.[2] ?? "", read?.[3]];
  if (!read || self !== logHashCheck(bytes, hash))
    throw new InputError(`${RUN_FILES.logHash} is damaged`);
  return { bytes, sha256: hash };
}

function logHashCheck(bytes: number, hash: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${bytes} ${hash}`)));
}
