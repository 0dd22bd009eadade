/**
 * A run on disk, written by one process at a time: the log and the last two checkpoints, so that a
 * kill or a full disk at any moment leaves a resumable run. The log may be ahead of its checkpoint;
 * resuming truncates it.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunEvent } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import type { Checkpoint } from "../train/checkpoint.ts";
import { encodeMarker, keptCheckpoint, RUN_FILES, type LogHash } from "../train/runFiles.ts";
import { onFiles } from "./fileError.ts";
import { logChunks, LogWriter, readLog, readLogHash, type LogReport } from "./logFile.ts";
import { findResumePoint, keptIterations, type ResumePoint } from "./resumePoint.ts";
import { claimFolder } from "./runClaim.ts";
import { RunLock } from "./runLock.ts";
import { textLines } from "./textLines.ts";
import {
  linkNew,
  partialPath,
  replaceFile,
  syncFolder,
  writeSynced,
  makeFolder,
} from "./wholeFile.ts";

type Say = (line: string) => void;

export class RunFolder {
  #directory: string;
  #lock: RunLock;
  #say: Say;
  #log: LogWriter | null = null;

  private constructor(directory: string, lock: RunLock, say: Say) {
    this.#directory = directory;
    this.#lock = lock;
    this.#say = say;
  }

  /**
   * Creates the folder, or checks that it contains a run of this spec, and that no other process
   * writes to it.
   * @throws InputError otherwise; then nothing in it has changed.
   */
  static async open(
    directory: string,
    spec: ExperimentSpec,
    { force, say }: { force: boolean; say: Say },
  ): Promise<RunFolder> {
    const isUnmarked = await claimFolder(directory, spec);
    const lock = onFiles(`${directory} cannot be locked`, () =>
      RunLock.take(join(directory, RUN_FILES.lock), force, say),
    );
    const folder = new RunFolder(directory, lock, say);
    if (isUnmarked) folder.#replace(RUN_FILES.marker, encodeMarker(spec));
    return folder;
  }

  /**
   * The checkpoint to continue from, with the log truncated to it; undefined, and an empty log, if
   * there is none.
   * @throws InputError if the log is not what the run wrote.
   */
  async resume(spec: ExperimentSpec): Promise<Checkpoint | undefined> {
    const log = this.#readLog();
    const found = await findResumePoint(this.#directory, spec, log.chains);
    const { checkpoint } = found;
    if (checkpoint) this.#fallBack(found);
    else this.#beginAgain(log, found);
    const bytes = log.ends[checkpoint?.position.events ?? 0]!;
    this.#log = new LogWriter(this.#path(RUN_FILES.log), checkpoint ? bytes : 0);
    return checkpoint;
  }

  #readLog(): LogReport {
    const path = this.#path(RUN_FILES.log);
    const log = readLog(logChunks(path), this.#logHash());
    const { integrity } = log;
    if (integrity.state === "altered")
      throw new InputError(
        `${path} is altered from line ${integrity.line} (${integrity.why}); restore it from a copy, or use another --out folder`,
      );
    if (integrity.state === "none" && !isBeginning(log))
      throw new InputError(
        `${path} is not the log of this run; move it away, or use another --out folder`,
      );
    return log;
  }

  #logHash(): LogHash | null {
    try {
      return readLogHash(this.#directory);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#say(`${error.message}; the log's chain is intact, so this file is rewritten`);
      return null;
    }
  }

  /** Skipped checkpoints are moved away, and the one that is used becomes the last one. */
  #fallBack({ passed, name, checkpoint }: ResumePoint): void {
    if (passed.length === 0) return;
    const aside = this.#moveAway(passed.map((one) => one.name));
    onFiles(`${this.#path(RUN_FILES.checkpoint)} cannot be written`, () => {
      linkNew(this.#path(name!), this.#path(RUN_FILES.checkpoint));
      syncFolder(this.#directory);
    });
    const after = checkpoint!.position.iteration - 1;
    this.#say(`not used: ${whyOf(passed)}${aside ? `; now in ${aside}` : ""}`);
    this.#say(`the run resumes from ${name}, after iteration ${after}`);
  }

  /** No checkpoint to continue from: only what a kill in the first minute leaves is deleted. */
  #beginAgain({ iterations }: LogReport, { passed }: ResumePoint): void {
    if (passed.length === 0 && iterations === 0) return;
    const kept = keptIterations(this.#directory).map(keptCheckpoint);
    const { log, logHash, checkpoint, previous, beforeFall } = RUN_FILES;
    const aside = this.#moveAway([log, logHash, checkpoint, previous, beforeFall, ...kept]);
    const why = passed.length > 0 ? whyOf(passed) : "the checkpoints are missing";
    this.#say(
      `no checkpoint is usable (${why}); the run starts over; its old files are in ${aside}`,
    );
  }

  /** To a new folder, whose path is returned; null if none of the files exists. */
  #moveAway(names: readonly string[]): string | null {
    const there = names.filter((name) => existsSync(this.#path(name)));
    if (there.length === 0) return null;
    const aside = this.#newFolder();
    onFiles(`${aside} cannot be written`, () => {
      for (const name of there) {
        makeFolder(dirname(join(aside, name)));
        renameSync(this.#path(name), join(aside, name));
      }
      syncFolder(aside);
    });
    return aside;
  }

  #newFolder(): string {
    for (let n = 1; ; n++) {
      const path = this.#path(`set-aside-${n}`);
      if (existsSync(path)) continue;
      onFiles(`${path} cannot be made`, () => mkdirSync(path));
      return path;
    }
  }

  /** The events of the log, after `resume` up to the checkpoint. */
  *events(): Generator<RunEvent> {
    for (const { text, whole } of textLines(logChunks(this.#path(RUN_FILES.log))))
      if (whole) yield JSON.parse(text) as RunEvent;
  }

  append(events: readonly RunEvent[]): void {
    this.#lock.check();
    this.#log!.append(events);
  }

  /** Replaces the last checkpoint, which becomes the previous one: a kill at any moment leaves a complete one. */
  save(bytes: Uint8Array): void {
    this.#lock.check();
    this.#log!.sync();
    const path = this.#path(RUN_FILES.checkpoint);
    onFiles(`${path} cannot be written`, () => {
      const part = partialPath(path);
      writeSynced(part, bytes);
      this.#keepPrevious();
      renameSync(part, path);
      syncFolder(this.#directory);
    });
    this.#log!.seal();
  }

  /** By a hard link, so that checkpoint.zip is never missing. */
  #keepPrevious(): void {
    const [last, previous] = [RUN_FILES.checkpoint, RUN_FILES.previous].map((n) => this.#path(n));
    if (!existsSync(last!)) return;
    const part = partialPath(previous!);
    rmSync(part, { force: true }); // left by a process that was killed here
    linkNew(last!, part);
    renameSync(part, previous!);
  }

  /**
   * The checkpoint from before a collapse; copied over checkpoint.zip, the run continues from
   * there.
   */
  saveBeforeFall(bytes: Uint8Array): void {
    this.#replace(RUN_FILES.beforeFall, bytes);
  }

  /** Stores the checkpoint after an iteration in addition to the last ones. */
  keep(iteration: number, bytes: Uint8Array): void {
    const path = this.#path(RUN_FILES.kept);
    onFiles(`${path} cannot be made`, () => makeFolder(path));
    this.#replace(keptCheckpoint(iteration), bytes);
  }

  #replace(name: string, bytes: Uint8Array | string): void {
    this.#lock.check();
    const path = this.#path(name);
    onFiles(`${path} cannot be written`, () => replaceFile(path, bytes));
  }

  #path(name: string): string {
    return join(this.#directory, name);
  }

  /** Releases the folder; may be called twice. */
  close(): void {
    this.#log?.close();
    this.#log = null;
    this.#lock.release();
  }
}

function whyOf(passed: ResumePoint["passed"]): string {
  return passed.map(({ name, why }) => `${name}: ${why}`).join("; ");
}

/** A log without a complete event: empty, or killed while the first one was written. */
function isBeginning({ lines, torn }: LogReport): boolean {
  const first = '{"type":"start"';
  return lines === 0 && (torn.startsWith(first) || first.startsWith(torn));
}
