/**
 * Whether a worker is still alive: it sends at least one message per second while it trains, and
 * answers when pinged. It is pinged before an alarm, and given time: steps can be long, and timers
 * of a page in the background are slow while messages are not.
 */
import type { FromWorker } from "../runtime/protocol.ts";

export interface Silence {
  /** Since the last sign of life, or of progress. */
  seconds: number;
  /** Whether it still answers, but its training makes no progress. */
  answers: boolean;
}

interface PulseOptions {
  ping: () => void;
  /** Null: it has responded again. */
  onSilence: (silence: Silence | null) => void;
  /** Minimum milliseconds of silence before it is pinged. */
  timeLimit?: number;
}

const TIME_LIMIT = 15_000;
/** Multiple of the longest silence during which it still made progress. */
const LONGEST = 5;
/** Multiple of the time limit, for a worker that answers. */
const STUCK = 4;
/**
 * Multiple of the time limit between ping and alarm; and the minimum number of checks in between.
 */
const ANSWER = 1 / 3;
const CHECKS = 3;
/** Checks per minimum time limit. */
const RATE = 15;

export class Pulse {
  #options: PulseOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #heard = 0;
  #worked = 0;
  #longest = 0;
  /** Time of the last check. */
  #checked = 0;
  #works = false;
  /** When it was pinged, and the number of checks since; null if no ping is pending. */
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
    this.#timer = setInterval(() => this.#check(), this.#timeLimit / RATE);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#calm();
  }

  /** Whether it is working: a worker whose run is paused sends nothing. */
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

  /** The reader wants to wait: treated like a message from the worker. */
  wait(): void {
    this.#heard = this.#worked = performance.now();
    this.#calm();
  }

  get #timeLimit(): number {
    return this.#options.timeLimit ?? TIME_LIMIT;
  }

  #calm(): void {
    this.#asked = null;
    if (!this.#silent) return;
    this.#silent = false;
    this.#options.onSilence(null);
  }

  #isStuck(now: number): boolean {
    const limit = Math.max(STUCK * this.#timeLimit, LONGEST * this.#longest);
    return this.#works && now - this.#worked > limit;
  }

  #check(): void {
    const now = performance.now();
    // If timers stopped, the machine or the page may have slept, and the training with it.
    if (now - this.#checked > CHECKS * (this.#timeLimit / RATE)) this.#worked = now;
    this.#checked = now;
    const silence = now - this.#heard;
    if (silence > Math.max(this.#timeLimit, LONGEST * this.#longest)) this.#ask(now, silence);
    else if (this.#isStuck(now)) this.#alarm(now - this.#worked, true);
  }

  #ask(now: number, silence: number): void {
    if (!this.#asked) {
      this.#asked = { at: now, checks: 0 };
      return this.#options.ping();
    }
    this.#asked.checks += 1;
    const waited = now - this.#asked.at;
    if (waited > ANSWER * this.#timeLimit && this.#asked.checks >= CHECKS)
      this.#alarm(silence, false);
  }

  #alarm(milliseconds: number, answers: boolean): void {
    this.#silent = true;
    this.#options.onSilence({ seconds: Math.round(milliseconds / 1000), answers });
  }
}
