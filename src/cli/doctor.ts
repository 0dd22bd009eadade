/** `doctor --from PATH`, or `--run`: the collapse doctor's findings for a run of `train --out DIR`, finished or not, or for any log of events. */
import { DETECTORS } from "../train/doctor/detectors.ts";
import { diagnose, type Diagnosis } from "../train/doctor/doctor.ts";
import { parseArgs, userPath } from "./args.ts";
import type { Command } from "./command.ts";
import { integrityOf } from "./verifyPath.ts";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ForeignFile } from "../interchange/import/foreign.ts";
import { kindOfBinary, RefusedError } from "../interchange/import/refused.ts";
import { RunWriter } from "../interchange/import/runWriter.ts";
import { translate } from "../interchange/import/translate.ts";
import { words } from "../interchange/import/words.ts";
import type { RunEvent } from "../record/runEvent.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { jsonOrNothing, parseJsonText } from "../spec/jsonText.ts";
import { openPaths } from "./openPaths.ts";
import { readLines, type LogLine } from "./readFile.ts";
import { chunksOf } from "./textLines.ts";

export const doctorCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { from: { type: "string" }, run: { type: "string" } });
  const [run, ...more] = [...args.list("from"), ...args.list("run"), ...args.words];
  if (run === undefined || more.length > 0 || args.words.length > 0)
    throw new InputError(
      `doctor takes --from, a run's folder or its log; got ${show(argv.join(" "))}`,
    );
  const log = await readRunLog(run);
  const diagnosis = diagnose(log.events);
  const checks = checksOf(log, diagnosis);
  for (const line of remarks(log, checks)) out.progress(line);
  out.json({ source: log.source, checks, integrity: integrityOf(run), ...diagnosis });
};

/**
 * How many of the doctor's checks the log had the numbers for: a lack of findings means only that
 * much.
 */
interface Checks {
  made: number;
  of: number;
}

function checksOf({ events }: ReadLog, { notMeasured }: Diagnosis): Checks {
  const algorithms = new Set(events.map((event) => ("algorithm" in event ? event.algorithm : "")));
  const of = algorithms.size * DETECTORS.length;
  return { made: of - notMeasured.length, of };
}

function remarks({ source, odd, remarks: said }: ReadLog, { made, of }: Checks): string[] {
  const lines = odd.length === 1 ? `line ${odd[0]} is` : `${odd.length} lines are`;
  return [
    ...said,
    ...(odd.length > 0
      ? [`${lines} no event of a run and not judged (first: line ${odd[0]})`]
      : []),
    ...(of === 0 ? ["the log has no iteration yet: nothing to check"] : []),
    ...(made < of ? [`${source}: ${made} of ${of} checks made; notMeasured lists the others`] : []),
  ];
}

interface ReadLog {
  /** The program that wrote it. */
  source: string;
  /** Those with an algorithm's metrics. */
  events: RunEvent[];
  /** Lines that contain JSON, but not a valid event. */
  odd: number[];
  /** Problems and gaps in another program's files, and notes on them. */
  remarks: string[];
}

const OWN = "Turnbook";

/** Lines of a log that are not events: a recording's first and last. */
const FRAME = ["command", "fingerprint"];

const TYPES = ["start", "warmStart", "engine", "eval", "iteration", "crash", "finding", "end"];

/** @throws InputError if it contains no log of a run. */
async function readRunLog(run: string): Promise<ReadLog> {
  const file = fileOf(run);
  if (file === null || isPacked(file)) return foreignLog(run, await openFiles(run));
  // A pipe can be read only once, so the text read before its format is known is buffered.
  const kept: KeptTexts = { texts: [], count: 0, length: 0 };
  const own = ownLog(file, kept);
  if (own) return own;
  if (kept.count === 0) throw new InputError(`--from is ${show(run)}; the log is empty`);
  if (statSync(file).isFile()) return foreignLog(run, await openFiles(run));
  return foreignLog(run, [{ name: "log", text: kept.texts.join("\n") }]);
}

async function openFiles(run: string): Promise<ForeignFile[]> {
  try {
    const { files, faults } = await openPaths([run]);
    if (files.length === 0) throw new InputError(faults.join(" "));
    return files;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`--from is ${show(run)}; ${error.message}`);
  }
}

/** The log itself, or the one in the folder; null for a folder of another program. */
function fileOf(run: string): string | null {
  const path = userPath(run);
  if (!existsSync(path)) throw new InputError(`--from is ${show(run)}; there is no such folder`);
  if (!statSync(path).isDirectory()) return path;
  const file = join(path, "events.jsonl");
  return existsSync(file) ? file : null;
}

/** Reads nothing from a pipe. */
function isPacked(file: string): boolean {
  if (!statSync(file).isFile()) return false;
  for (const chunk of chunksOf(file)) return kindOfBinary(chunk) !== null;
  return false;
}

/** Null if no line is an event. */
function ownLog(file: string, kept: KeptTexts): ReadLog | null {
  const log: ReadLog = { source: OWN, events: [], odd: [], remarks: [] };
  const isRegular = statSync(file).isFile();
  let isOwn = false;
  for (const read of readLines("--from", file)) {
    const { text, line } = read;
    if (!isOwn) keep(kept, read, file);
    if (!isOwn && kept.count > TRIED) {
      if (isRegular) return null;
      continue;
    }
    const value: unknown =
      isOwn && read.ended ? parseJsonText(text, `${file}, line ${line}`) : jsonOrNothing(text);
    const { type } = Object(value) as { type?: unknown };
    const isEvent: boolean =
      TYPES.some((one) => one === type) && (!hasNumbers(type) || isJudged(value));
    isOwn ||= isEvent;
    if (isEvent && hasNumbers(type)) log.events.push(value as RunEvent);
    if (!isEvent && !FRAME.some((key) => Object.hasOwn(Object(value) as object, key)))
      log.odd.push(line);
    if (log.odd.length > MOST_ODD)
      throw new InputError(`${file} has more than ${MOST_ODD} lines that are not events of a run`);
  }
  return isOwn ? log : null;
}

/** Maximum characters of another program's log in a pipe, which are read whole. */
const MAX_FOREIGN = 64 * 1024 * 1024;

/** Lines that may be something else before the first event. */
const TRIED = 20;

/** Maximum number of lines that are not events: with more it is not a log. */
const MOST_ODD = 10_000;

/** Lines by position in their file, their number, and their total length. */
interface KeptTexts {
  texts: string[];
  count: number;
  length: number;
}

/** Reads the log of a run that a command line names: Turnbook's own, or another program's rollout files. */
function keep(kept: KeptTexts, { text, line }: LogLine, file: string): void {
  const before = kept.texts.length;
  kept.count += 1;
  kept.length += text.length + line - before;
  if (kept.length > MAX_FOREIGN && !statSync(file).isFile())
    throw new InputError(`${file} is larger than 64 MiB`);
  if (kept.length > MAX_FOREIGN) return;
  kept.texts[line - 1] = text;
  kept.texts.fill("", before, line - 1);
}

function hasNumbers(type: unknown): boolean {
  return type === "iteration" || type === "eval" || type === "crash";
}

/** Whether this is an event that the doctor reads, with all required fields. */
function isJudged(value: unknown): value is RunEvent {
  const { type, algorithm, iteration, metrics, cause } = Object(value) as Record<string, unknown>;
  if (typeof algorithm !== "string" || typeof iteration !== "number") return false;
  if (type === "crash") return typeof cause === "string";
  if (typeof metrics !== "object" || metrics === null || Array.isArray(metrics)) return false;
  return Object.values(metrics).every((x) => x === null || typeof x === "number");
}

/** Rollout files contain no metrics: those that can be computed from their episodes are used. */
function foreignLog(run: string, files: readonly ForeignFile[]): ReadLog {
  try {
    const read = translate(files, {}, new RunWriter(0));
    const values = Array.from(read.lines, (line) => jsonOrNothing(line));
    const unread = read.refused > 0 ? [words.unread(read.refused, read.refusedAt)] : [];
    const notFinite = read.notFinite > 0 ? [words.notFinite(read.notFinite, read.notFiniteAt)] : [];
    const remarks = [...read.warnings(), ...unread, ...notFinite];
    return { source: read.title, events: values.filter(isJudged), odd: [], remarks };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new InputError(`--from is ${show(run)}; it is not a run log. ${error.message}`);
  }
}
