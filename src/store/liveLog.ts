/**
 * The log of a live run, also where its worker had to be replaced: the new one begins again at a checkpoint, and what it
 * repeats is compared chain by chain and skipped. Where a chain differs (another engine, or one that does not repeat
 * itself) the log is cut back to there and goes on with what the new worker says.
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
  /** Events that the present worker's run has had. */
  #at = 0;
  /** What came while the log was being cut back; null while it is not. */
  #waiting: Portion[] | null = null;
  #onCut: () => void;

  /** `onCut`: there is another log in the place of the one before. */
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

  /** A new worker begins after so many events. */
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

  /** How many of the events, from the first on, the log has already. */
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
