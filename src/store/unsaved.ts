/** Which runs of the page would be lost with it: those that ran a while and have not been saved since. */
import type { RunLog } from "../reading/log/runLog.ts";

/** Milliseconds of running from which a question is asked. */
const WORTH_ASKING = 10_000;

interface Notes {
  /** Milliseconds it ran in this page. */
  ran: number;
  /** The log's version when it was last saved. */
  saved: number;
}

const notes = new WeakMap<RunLog, Notes>();

function notesOf(log: RunLog): Notes {
  const own = notes.get(log) ?? { ran: 0, saved: 0 };
  notes.set(log, own);
  return own;
}

function noteRan(log: RunLog, milliseconds: number): void {
  notesOf(log).ran += milliseconds;
}

/** `version`: of the log that was saved; it may have grown since. */
export function noteSaved(log: RunLog, version: number): void {
  notesOf(log).saved = version;
}

/** `log` replaces `before`. */
export function moveNotes(before: RunLog, log: RunLog): void {
  const { ran } = notesOf(before);
  notes.set(log, { ran, saved: 0 });
}

/** `now`: milliseconds of running since the last note. */
export function wouldBeLost(log: RunLog, now = 0): boolean {
  const { ran, saved } = notesOf(log);
  return log.version > 0 && ran + now > WORTH_ASKING && saved < log.version;
}

/** How long a run has been running in this page. */
export class RunningTime {
  /** Null while it does not run. */
  #since: number | null = null;

  /** Milliseconds since the last note. */
  get soFar(): number {
    return this.#since === null ? 0 : performance.now() - this.#since;
  }

  /** Adds the time so far to the run; `runs`: whether it runs from now on. */
  note(log: RunLog | null, runs: boolean): void {
    if (log) noteRan(log, this.soFar);
    this.#since = runs ? performance.now() : null;
  }
}
