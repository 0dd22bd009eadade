/**
 * The compiled plans of all models on one executor, by last use: their total memory is limited,
 * whichever model they belong to.
 */
import type { Executor, Runnable } from "./executor.ts";

/** Default limit: about five hundred passes of the presets' largest model. */
const MOST_BYTES = 2 ** 27;

/** Approximate bytes of one operation in a plan, prepared on the host. */
const OP_BYTES = 512;

const known = new WeakMap<Executor, KeptPlans>();

/** Those of an executor. */
export function keptPlans(executor: Executor): KeptPlans {
  const kept = known.get(executor) ?? new KeptPlans(executor);
  known.set(executor, kept);
  return kept;
}

interface KeptPlan {
  bytes: number;
  release: () => void;
}

export class KeptPlans {
  /** Total bytes. */
  bytes = 0;
  readonly #plans = new Map<object, KeptPlan>();
  readonly #limits: Executor["limits"];

  constructor({ limits }: Executor) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#plans.size;
  }

  /** Registers a plan under `key`. `release` is called if it is evicted. */
  add(key: object, { plan, bytes = 0 }: Runnable, release: () => void): void {
    const all = bytes + 4 * plan.inputSize + OP_BYTES * plan.ops.length;
    this.#plans.set(key, { bytes: all, release });
    this.bytes += all;
    this.#trim();
  }

  /** Marks it as used. */
  touch(key: object): void {
    const plan = this.#plans.get(key);
    if (!plan) return; // not compiled yet
    this.#plans.delete(key); // to the end: the first is the least recently used
    this.#plans.set(key, plan);
  }

  /** Removes it. */
  remove(key: object): void {
    this.bytes -= this.#plans.get(key)?.bytes ?? 0;
    this.#plans.delete(key);
  }

  /** The latest stays, however large it is. */
  #trim(): void {
    const { planBytes = MOST_BYTES } = this.#limits;
    for (const [key, { release }] of this.#plans) {
      if (this.bytes <= planBytes || this.#plans.size === 1) return;
      this.remove(key);
      release();
    }
  }
}
