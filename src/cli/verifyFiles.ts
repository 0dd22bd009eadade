/** Whether the files of a run are intact, from any source: a folder or a saved run's zip. */
import { InputError } from "../numeric/inputError.ts";
import { isClosing } from "../reading/log/recordingSchema.ts";
import { decodeCheckpoint, type Checkpoint } from "../train/checkpoint.ts";
import { ChainCheck, type Integrity } from "../train/integrity.ts";
import { checkSeal } from "../train/sealedZip.ts";
import {
  decodeLogHash,
  decodeMarker,
  keptIteration,
  RUN_FILES,
  type LogHash,
} from "../train/runFiles.ts";
import { createHash } from "node:crypto";
import { parseObject, readLog, type LogReport } from "./logFile.ts";
import { misfitOf } from "./resumePoint.ts";
import { textLines } from "./textLines.ts";

/** The verdict on one file. */
export interface FileVerdict {
  file: string;
  /** intact, no chain, no hash, altered, altered from line N */
  state: string;
  why?: string;
  fingerprint?: string;
  events?: number;
  /** Whether the run's last event is present. */
  ended?: boolean;
  /** Bytes of a last line that was still being written. */
  unfinished?: number;
  /** Whether a SHA-256 also covers the clock readings, which the chain does not. */
  hashed?: boolean;
  /** For a checkpoint: the iterations completed. */
  iteration?: number;
}

export function isAltered({ state }: FileVerdict): boolean {
  return state.startsWith("altered");
}

/** Files by their path within the run. */
export interface RunFiles {
  names: string[];
  read: (name: string) => Uint8Array;
  chunks: (name: string) => Iterable<Uint8Array>;
}

/** Every file of a run, and missing files. */
export async function verifyRun(files: RunFiles): Promise<FileVerdict[]> {
  const has = (name: string) => files.names.includes(name);
  const verdicts: FileVerdict[] = [];
  let log: LogReport | null = null;
  const { hash, verdict: ofHash } = verifyLogHash(files);
  if (has(RUN_FILES.log)) {
    log = readLog(files.chunks(RUN_FILES.log), hash);
    verdicts.push(logVerdict(log, hash !== null));
  } else if (files.names.some(isCheckpoint)) verdicts.push(missing(RUN_FILES.log));
  if (ofHash) verdicts.push(ofHash);
  return [...verifyMarker(files), ...verdicts, ...(await verifyCheckpoints(files, log))];
}

function missing(file: string): FileVerdict {
  return { file, state: "altered", why: "it is missing" };
}

function isCheckpoint(name: string): boolean {
  const names: string[] = [RUN_FILES.checkpoint, RUN_FILES.previous, RUN_FILES.beforeFall];
  return names.includes(name) || keptIteration(name) !== null;
}

/** Runs of older versions have none. */
function verifyMarker({ names, read }: RunFiles): FileVerdict[] {
  const file = RUN_FILES.marker;
  if (!names.includes(file)) return [];
  return [verdictOf(file, () => void decodeMarker(new TextDecoder().decode(read(file))))];
}

function verifyLogHash({ names, read }: RunFiles): {
  hash: LogHash | null;
  verdict: FileVerdict | null;
} {
  const file = RUN_FILES.logHash;
  if (!names.includes(file)) return { hash: null, verdict: null };
  let hash: LogHash | null = null;
  const verdict = verdictOf(file, () => {
    hash = decodeLogHash(new TextDecoder().decode(read(file)));
  });
  return { hash, verdict };
}

function verdictOf(file: string, check: () => void): FileVerdict {
  try {
    check();
    return { file, state: "intact" };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { file, state: "altered", why: error.message };
  }
}

async function verifyCheckpoints(files: RunFiles, log: LogReport | null): Promise<FileVerdict[]> {
  const names = files.names.filter(isCheckpoint);
  const isLost = log !== null && log.iterations > 0 && !names.includes(RUN_FILES.checkpoint);
  const verdicts = isLost ? [missing(RUN_FILES.checkpoint)] : [];
  const spec = specOfMarker(files);
  for (const name of names) {
    const { verdict, checkpoint } = await verifyCheckpoint(name, files.read(name));
    const sound = log?.integrity.state === "intact" ? log : null;
    const misfit =
      checkpoint && sound && misfitOf(checkpoint, spec ?? checkpoint.spec, sound.chains);
    verdicts.push(misfit ? { ...verdict, state: "altered", why: misfit } : verdict);
  }
  return verdicts;
}

function specOfMarker({ names, read }: RunFiles) {
  if (!names.includes(RUN_FILES.marker)) return null;
  try {
    return decodeMarker(new TextDecoder().decode(read(RUN_FILES.marker)));
  } catch {
    return null; // reported by its own verdict
  }
}

/** One checkpoint by itself. */
export async function verifyCheckpoint(
  file: string,
  bytes: Uint8Array,
): Promise<{ verdict: FileVerdict; checkpoint: Checkpoint | null }> {
  try {
    const checkpoint = await decodeCheckpoint(bytes);
    const state = (await checkSeal(bytes)) === "whole" ? "intact" : "no hash";
    const iteration = Math.max(0, checkpoint.position.iteration - 1);
    return { verdict: { file, state, iteration }, checkpoint };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { verdict: { file, state: "altered", why: error.message }, checkpoint: null };
  }
}

/** A recording, or a log of any program; the closing line of a recording has a fingerprint and a SHA-256. */
export function verifyRecording(file: string, chunks: Iterable<Uint8Array>): FileVerdict {
  const check = new ChainCheck();
  const hash = createHash("sha256");
  let [hashed, objects, torn] = [false, 0, 0];
  for (const { text, bytes, number, whole } of textLines(chunks)) {
    const value = parseObject(text);
    if (value) objects += 1;
    const { sha256 } = isClosing(value) ? (value as { sha256?: unknown }) : {};
    if (!whole && !value) torn = bytes.length;
    else if (text.trim() !== "") check.takeLine(text, number);
    if (sha256 !== undefined && sha256 !== hash.copy().digest("hex"))
      check.refuse(number, "its SHA-256 does not match the lines before it");
    hashed = sha256 !== undefined;
    hash.update(bytes);
  }
  if (objects === 0) throw new InputError(`${file} has no line that is a JSON object`);
  const unfinished = torn > 0 ? { unfinished: torn } : {};
  return { ...chainVerdict(file, check.result), ...unfinished, hashed };
}

/** The log of a run alone. */
export function verifyLog(files: RunFiles): FileVerdict {
  const { hash } = verifyLogHash(files);
  return logVerdict(readLog(files.chunks(RUN_FILES.log), hash), hash !== null);
}

function logVerdict({ integrity, torn }: LogReport, hashed: boolean): FileVerdict {
  const unfinished = torn === "" ? {} : { unfinished: Buffer.byteLength(torn) };
  return { ...chainVerdict(RUN_FILES.log, integrity), ...unfinished, hashed };
}

/** The verdict of the hash chain. */
function chainVerdict(file: string, integrity: Integrity): FileVerdict {
  if (integrity.state === "none") return { file, state: "no chain" };
  if (integrity.state === "altered") {
    const { line, why } = integrity;
    return { file, state: `altered from line ${line}`, why };
  }
  const { events, fingerprint, ended } = integrity;
  return { file, state: "intact", events, fingerprint, ended };
}
