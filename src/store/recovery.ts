/**
 * What to do when a live run's worker fails: again from the newest checkpoint (without one, from the beginning), with
 * WebAssembly where WebGPU has failed twice without getting further, and no more after a third time.
 */
import type { FromWorker } from "../runtime/protocol.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

export type Failure = Extract<FromWorker, { type: "error" }>;

/** Failures without progress after which another engine is tried, and after which none is. */
const CHANGE_ENGINE = 2;
const GIVE_UP = 3;

const WASM: ExperimentSpec["engine"] = { name: "wasm", backend: "wasm" };

interface Retry {
  /** In place of the spec's; undefined: the spec's. */
  engine: ExperimentSpec["engine"] | undefined;
  /** Whether the engine has changed for this attempt. */
  changed: boolean;
}

export class Recovery {
  #fruitless = 0;
  /** Events at the furthest failure. */
  #furthest = -1;
  #engine: ExperimentSpec["engine"] | undefined;

  /** `events`: in the log by now; `backend`: what it ran on. Null: the run ends here. */
  next({ kind, retry }: Failure, events: number, backend: string | null): Retry | null {
    const again = retry === true || (this.#fruitless > 0 && kind === "environment");
    if (!again) return null;
    this.#count(events);
    if (this.#fruitless >= GIVE_UP) return null;
    const changed = this.#fruitless >= CHANGE_ENGINE && backend === "webgpu";
    if (changed) this.#engine = WASM;
    return { engine: this.#engine, changed };
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
