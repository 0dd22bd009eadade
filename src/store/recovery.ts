/**
 * What to do when a live run's worker fails: restart from the newest checkpoint (without one, from
 * the beginning); switch to WebAssembly if WebGPU has failed twice without progress, or at once if
 * the graphics card of a started run is gone; stop after a third failure.
 */
import type { FromWorker } from "../runtime/protocol.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

export type Failure = Extract<FromWorker, { type: "error" }>;

/** Failures without progress until another engine is tried, and until the run ends. */
const CHANGE_ENGINE = 2;
const GIVE_UP = 3;

const WASM: ExperimentSpec["engine"] = { name: "wasm", backend: "wasm" };

/** Why the engine has changed for an attempt; null if it has not. */
export type EngineChange = "failedTwice" | "cardGone" | null;

interface Retry {
  /** Replaces the spec's; undefined: the spec's. */
  engine: ExperimentSpec["engine"] | undefined;
  changed: EngineChange;
}

export class Recovery {
  #fruitless = 0;
  /** Events at the furthest failure. */
  #furthest = -1;
  #engine: ExperimentSpec["engine"] | undefined;

  /**
   * `events`: in the log so far; `backend`: the one it ran on, null if no engine has started. Null:
   * the run ends here. A run without events has nothing to lose: if an engine asked for by name
   * does not start for it, that is an error.
   */
  next({ kind, retry, cardGone }: Failure, events: number, backend: string | null): Retry | null {
    const begun = this.#fruitless > 0 || events > 0;
    const isGone = cardGone === true && begun && !this.#engine;
    const again = retry === true || isGone || (this.#fruitless > 0 && kind === "environment");
    if (!again) return null;
    this.#count(events);
    if (isGone) return this.#change("cardGone");
    if (this.#fruitless >= GIVE_UP) return null;
    if (this.#fruitless >= CHANGE_ENGINE && backend === "webgpu")
      return this.#change("failedTwice");
    return { engine: this.#engine, changed: null };
  }

  #change(why: EngineChange): Retry {
    this.#engine = WASM;
    return { engine: WASM, changed: why };
  }

  #count(events: number): void {
    this.#fruitless = events > this.#furthest ? 1 : this.#fruitless + 1;
    this.#furthest = Math.max(this.#furthest, events);
  }

  /** Whether it failed too often without progress. */
  get gaveUp(): boolean {
    return this.#fruitless >= GIVE_UP;
  }

  /** The engine for the next worker instead of the spec's. */
  get engine(): ExperimentSpec["engine"] | undefined {
    return this.#engine;
  }
}
