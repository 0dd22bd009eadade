/**
 * What to do when a live run's worker fails: again from the newest checkpoint (without one, from the beginning), with
 * WebAssembly where WebGPU has failed twice without getting further, or at once where the graphics card of a run that has
 * begun is gone, and no more after a third time.
 */
import type { FromWorker } from "../runtime/protocol.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

export type Failure = Extract<FromWorker, { type: "error" }>;

/** Failures without progress after which another engine is tried, and after which none is. */
const CHANGE_ENGINE = 2;
const GIVE_UP = 3;

const WASM: ExperimentSpec["engine"] = { name: "wasm", backend: "wasm" };

/** Why the engine has changed for an attempt; null where it has not. */
export type EngineChange = "failedTwice" | "cardGone" | null;

interface Retry {
  /** In place of the spec's; undefined: the spec's. */
  engine: ExperimentSpec["engine"] | undefined;
  changed: EngineChange;
}

export class Recovery {
  #fruitless = 0;
  /** Events at the furthest failure. */
  #furthest = -1;
  #engine: ExperimentSpec["engine"] | undefined;

  /**
   * `events`: in the log by now; `backend`: what it ran on, null where no engine has started. Null: the run ends here.
   * A run without events has nothing to lose: an engine asked for by name that does not start for it is an error.
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

  /** Whether it failed too often without getting further. */
  get gaveUp(): boolean {
    return this.#fruitless >= GIVE_UP;
  }

  /** What the next worker is to use in place of the spec's. */
  get engine(): ExperimentSpec["engine"] | undefined {
    return this.#engine;
  }
}
