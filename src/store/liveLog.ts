/**
 * The log of a live run, across worker restarts: a new worker starts at a checkpoint, and the
 * events it repeats are compared hash by hash and skipped. If a hash differs (another engine, or a
 * non-reproducible one) the log is cut back to that point and continues with the new worker's
 * events.
 */
import { lineStart } from "../record/eventLines.ts";
import type { RunEvent } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { keepRaw, RawRun } from "../reading/log/rawRun.ts";
import { RunLog } from "../reading/log/runLog.ts";
import { moveNotes } from "./unsaved.ts";

interface Portion {
  events: readonly RunEvent[];
  /** Their lines. */
  lines: Uint8Array;
}

export class LiveLog {
  readonly raw: RawRun;
  #log: RunLog;
  /** Number of events from the current worker's run. */
  #at = 0;
  /** Events that arrived while the log was being cut back; null otherwise. */
  #waiting: Portion[] | null = null;
  #onCut: () => void;

  /** `onCut`: a new log replaces the previous one. */
  constructor(raw: RawRun, onCut: () => void, log = new RunLog()) {
    this.raw = raw;
    this.#onCut = onCut;
    this.#log = log;
    keepRaw(log, raw);
  }

  static empty(spec: ExperimentSpec, onCut: () => void): LiveLog {
    return new LiveLog(new RawRun(spec), onCut);
  }

  get log(): RunLog {
    return this.#log;
  }

  /** A new worker starts after this many events. */
  restartAt(events: number): void {
    this.#at = events;
    this.#waiting &&= [];
  }

  take(portion: Portion): void {
    if (this.#waiting) this.#waiting.push(portion);
    else this.#takeNow(portion);
  }

  #takeNow({ events, lines }: Portion): void {
    const known = this.#countKnown(events);
    this.#at += known;
    if (known === events.length) return;
    const rest = { events: events.slice(known), lines: lines.subarray(lineStart(lines, known)) };
    if (this.#at < this.#log.version) return void this.#cut(rest);
    for (const event of rest.events) this.#log.append(event);
    this.raw.append(rest.lines, rest.events.length);
    this.#at += rest.events.length;
  }

  /** How many of the events, from the first on, are in the log already. */
  #countKnown(events: readonly RunEvent[]): number {
    const differs = events.findIndex(({ chain }, i) => this.#log.chainOf(this.#at + i) !== chain);
    return differs < 0 ? events.length : differs;
  }

  async #cut(next: Portion): Promise<void> {
    this.#waiting = [next];
    const at = this.#at;
    const log = await this.#log.upTo(at);
    moveNotes(this.#log, log);
    this.raw.cut(at);
    this.#log = log;
    keepRaw(log, this.raw);
    const waiting = this.#waiting;
    this.#waiting = null;
    for (const portion of waiting) this.take(portion);
    this.#onCut();
  }
}
