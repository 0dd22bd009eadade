/**
 * Whether a worker still lives: it says something at least once a second while it trains, and answers when it is asked. It
 * is asked before anybody is alarmed, and it is given time: steps can be long, and the timers of a page in the background
 * are slow while messages are not.
 */
import type { FromWorker } from "../runtime/protocol.ts";

export interface Silence {
  /** Since the last sign of life, or of work. */
  seconds: number;
  /** Whether it still answers, but its training does not get on. */
  answers: boolean;
}

interface PulseOptions {
  ping: () => void;
  /** Null: it is heard again. */
  onSilence: (silence: Silence | null) => void;
  /** Least milliseconds of silence before it is asked. */
  patience?: number;
}

const TIME_LIMIT = 15_000;
/** Of the longest time it was silent and yet worked. */
const LONGEST = 5;
/** Times the patience, for one that answers. */
const STUCK = 4;
/** Times the patience, between the question and the alarm; and checks in between at least. */
const ANSWER = 1 / 3;
const CHECKS = 3;
/** Checks in the least patience. */
const RATE = 15;

export class Pulse {
  #options: PulseOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #heard = 0;
  #worked = 0;
  #longest = 0;
  /** The last check. */
  #checked = 0;
  #works = false;
  /** When it was asked, and how often that has been looked at since; null while it is not asked. */
  #asked: { at: number; checks: number } | null = null;
  #silent = false;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** A worker that has just been started. */
  start(): void {
    this.stop();
    this.#longest = 0;
    this.#heard = this.#worked = this.#checked = performance.now();
    this.#timer = setInterval(() => this.#check(), this.#patience / RATE);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#calm();
  }

  /** Whether it is at work: a worker whose run is paused has nothing to say. */
  set works(works: boolean) {
    if (works !== this.#works) this.#worked = performance.now();
    this.#works = works;
  }

  hear({ type }: FromWorker): void {
    const now = performance.now();
    if (type !== "pong") {
      if (this.#works) this.#longest = Math.max(this.#longest, now - this.#worked);
      this.#worked = now;
    }
    this.#heard = now;
    this.#asked = null;
    if (type !== "pong" || !this.#isStuck(now)) this.#calm();
  }

  /** The reader wants to wait: as if it had just been heard. */
  wait(): void {
    this.#heard = this.#worked = performance.now();
    this.#calm();
  }

  get #patience(): number {
    return this.#options.patience ?? TIME_LIMIT;
  }

  #calm(): void {
    this.#asked = null;
    if (!this.#silent) return;
    this.#silent = false;
    this.#options.onSilence(null);
  }

  #isStuck(now: number): boolean {
    const limit = Math.max(STUCK * this.#patience, LONGEST * this.#longest);
    return this.#works && now - this.#worked > limit;
  }

  #check(): void {
    const now = performance.now();
    // Where timers stood still, the machine or the page may have slept, and the training with it.
    if (now - this.#checked > CHECKS * (this.#patience / RATE)) this.#worked = now;
    this.#checked = now;
    const silence = now - this.#heard;
    if (silence > Math.max(this.#patience, LONGEST * this.#longest)) this.#ask(now, silence);
    else if (this.#isStuck(now)) this.#alarm(now - this.#worked, true);
  }

  #ask(now: number, silence: number): void {
    if (!this.#asked) {
      this.#asked = { at: now, checks: 0 };
      return this.#options.ping();
    }
    this.#asked.checks += 1;
    const waited = now - this.#asked.at;
    if (waited > ANSWER * this.#patience && this.#asked.checks >= CHECKS)
      this.#alarm(silence, false);
  }

  #alarm(milliseconds: number, answers: boolean): void {
    this.#silent = true;
    this.#options.onSilence({ seconds: Math.round(milliseconds / 1000), answers });
  }
}
