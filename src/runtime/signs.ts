/** What a run reports between its events: its progress, and that it is alive. */
import { Eta } from "./eta.ts";
import type { FromWorker, WorkerProgress } from "./protocol.ts";

interface SignHost {
  post(message: FromWorker): void;
  /** Milliseconds. */
  now(): number;
}

/** Minimum milliseconds between progress messages. */
const PROGRESS_EVERY = 250;
/** Minimum milliseconds between beats. */
const BEAT_EVERY = 1000;

export class Signs {
  #host: SignHost;
  #lastProgress = -Infinity;
  #lastBeat = -Infinity;
  #eta = new Eta();
  /** The newest progress, sent or not. */
  #noted: WorkerProgress | null = null;

  constructor(host: SignHost) {
    this.#host = host;
  }

  /** A new run begins. */
  restart(): void {
    this.#eta = new Eta();
    this.#noted = null;
    this.#lastProgress = -Infinity;
  }

  note(phase: string, done: number, total: number): void {
    const secondsLeft = this.#eta.note(done, total, this.#host.now());
    this.#noted = { phase, done, total, secondsLeft };
  }

  noteAndSend(phase: string, done: number, total: number): void {
    this.note(phase, done, total);
    if (this.#host.now() - this.#lastProgress >= PROGRESS_EVERY) this.sendNoted();
  }

  /** The run was paused for this long. */
  skip(milliseconds: number): void {
    this.#eta.skip(milliseconds);
  }

  /** A phase that is not counted in iterations. */
  send(phase: string): void {
    const progress = { phase, done: 0, total: 0, secondsLeft: null };
    this.#host.post({ type: "progress", progress });
  }

  sendNoted(): void {
    if (!this.#noted) return;
    this.#lastProgress = this.#host.now();
    this.#host.post({ type: "progress", progress: this.#noted });
  }

  /** At a step boundary. */
  beat(): void {
    const now = this.#host.now();
    if (now - this.#lastBeat < BEAT_EVERY) return;
    this.#lastBeat = now;
    this.#host.post({ type: "beat" });
  }
}
