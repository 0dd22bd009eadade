/**
 * A whole run as one sealed zip: marker, log and checkpoint, with the file names of a run folder,
 * so that unzipping it by hand gives one. Made and read off the page's thread.
 */
import { strFromU8, strToU8, unzipSync, zipSync, type Unzipped, type Zippable } from "fflate";
import { RefusedError } from "../interchange/import/refused.ts";
import { words } from "../interchange/import/words.ts";
import { textOfCodes } from "../numeric/lists.ts";
import type { SentCheckpoint } from "../record/sentCheckpoint.ts";
import { canonicalJson } from "../spec/canonical.ts";
import { validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { decodeCheckpoint } from "../train/checkpoint.ts";
import { checkRecording } from "../train/integrity.ts";
import { decodeMarker, encodeMarker, RUN_FILES } from "../train/runFiles.ts";
import { checkSeal, seal } from "../train/sealedZip.ts";
import { lightValue, recordingLines } from "../reading/log/recordingIndex.ts";
import { readEvent } from "../reading/log/recordingSchema.ts";
import { MOST_SAVED_BYTES } from "./savedLimits.ts";

export interface SavedRun {
  spec: ExperimentSpec;
  /** The log's lines, one event each. */
  log: Uint8Array<ArrayBuffer>;
  checkpoint: SentCheckpoint | null;
}

export interface ToPack {
  spec: ExperimentSpec;
  lines: Uint8Array<ArrayBuffer>;
  checkpoint: Uint8Array | null;
  /**
   * Whether the lines come from a file: then they are checked, and lines that are not events are
   * left out.
   */
  fromFile: boolean;
}

/** Maximum bytes of each file in it. */
const LIMITS: Readonly<Record<string, number>> = {
  [RUN_FILES.marker]: MOST_SAVED_BYTES.marker,
  [RUN_FILES.log]: MOST_SAVED_BYTES.log,
  [RUN_FILES.checkpoint]: MOST_SAVED_BYTES.checkpoint,
};

/** Offset of an archive's first name, and the length of its seal. */
const FIRST_NAME = 30;
const SEAL = 71;

/** @throws InputError unless the lines are as a run wrote them. */
export async function packRun({ spec, lines, checkpoint, fromFile }: ToPack): Promise<Uint8Array> {
  if (fromFile) await checkLines(lines);
  const log = fromFile ? eventLines(lines) : lines;
  const files: Zippable = {
    [RUN_FILES.marker]: strToU8(encodeMarker(validateSpec(spec))),
    [RUN_FILES.log]: log,
  };
  // Float noise does not compress.
  if (checkpoint) files[RUN_FILES.checkpoint] = [checkpoint, { level: 0 }];
  return seal(zipSync(files));
}

async function checkLines(lines: Uint8Array<ArrayBuffer>): Promise<void> {
  const integrity = await checkRecording(lines);
  if (integrity.state === "none") throw new InputError("the log has no chain");
  if (integrity.state === "altered")
    throw new InputError(`the log is altered from line ${integrity.line} (${integrity.why})`);
}

/** Without the header's command, and the fingerprint at the end. */
function eventLines(bytes: Uint8Array): Uint8Array {
  const kept = [...recordingLines(bytes)].filter(
    (line) => readEvent(lightValue(bytes, line)) !== null,
  );
  const all = new Uint8Array(kept.reduce((sum, { start, end }) => sum + end - start + 1, 0));
  let at = 0;
  for (const { start, end } of kept) {
    all.set(bytes.subarray(start, end), at);
    at += end - start;
    all[at++] = 0x0a;
  }
  return all;
}

/**
 * Null if the archive is another program's.
 * @throws RefusedError if the run is damaged, or too large.
 */
export async function unpackRun(bytes: Uint8Array<ArrayBuffer>): Promise<SavedRun | null> {
  const files = unzip(bytes);
  if (!files?.[RUN_FILES.marker] && !looksOurs(bytes)) return null;
  if ((await checkSeal(bytes)) === "broken") throw damaged(words.saved.seal);
  try {
    return await readFiles(files ?? {});
  } catch (error) {
    if (error instanceof InputError) throw damaged(error.message);
    throw error;
  }
}

/** Also if it is damaged: its first file is the marker, and its end the seal. */
function looksOurs(bytes: Uint8Array): boolean {
  const name = textOfCodes(bytes.subarray(FIRST_NAME, FIRST_NAME + RUN_FILES.marker.length));
  return name === RUN_FILES.marker || textOfCodes(bytes.subarray(-SEAL)).startsWith("sha256:");
}

function damaged(why: string): RefusedError {
  return new RefusedError([words.saved.damaged(why), words.saved.again]);
}

/** Only our own files, up to their maximum size. */
function unzip(bytes: Uint8Array): Unzipped | null {
  let large: string | null = null;
  const isOurs = ({ name, originalSize }: { name: string; originalSize: number }) => {
    const limit = LIMITS[name];
    if (limit !== undefined && originalSize > limit) large = name;
    return limit !== undefined && originalSize <= limit;
  };
  let files: Unzipped | null;
  try {
    files = unzipSync(bytes, { filter: isOurs });
  } catch {
    files = null;
  }
  if (large !== null) throw new RefusedError(words.saved.large(large, LIMITS[large]! / 1e6));
  return files;
}

async function readFiles(files: Unzipped): Promise<SavedRun> {
  const { [RUN_FILES.marker]: marker, [RUN_FILES.log]: log } = files;
  if (!marker || !log) throw new InputError(words.saved.missing);
  const spec = decodeMarker(strFromU8(marker));
  await checkLines(log);
  return { spec, log, checkpoint: await readCheckpoint(files[RUN_FILES.checkpoint], spec, log) };
}

/** It must belong to this run: have its spec, and a position in its log. */
async function readCheckpoint(
  bytes: Uint8Array | undefined,
  spec: ExperimentSpec,
  log: Uint8Array,
): Promise<SentCheckpoint | null> {
  if (!bytes) return null;
  const { position, spec: own } = await decodeCheckpoint(bytes);
  if (canonicalJson(own) !== canonicalJson(spec)) throw new InputError(words.saved.otherSpec);
  const { iteration, events, chain } = position;
  if (chainAfter(log, events) !== chain) throw new InputError(words.saved.otherLog);
  return { bytes: bytes.slice(), iteration: iteration - 1, events };
}

/** Null if the log is shorter, or has a line that is not an event. */
function chainAfter(log: Uint8Array, events: number): string | null {
  let count = 0;
  for (const line of recordingLines(log)) {
    if (++count < events) continue;
    return line.number === count ? (readEvent(lightValue(log, line))?.chain ?? null) : null;
  }
  return null;
}
