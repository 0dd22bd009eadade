/**
 * The compiled plans of all models on one executor, by their last use: what they hold besides stores is bounded, whichever model
 * they are of.
 */
import type { Executor, Runnable } from "./executor.ts";

/** Where an executor names no other bound: some five hundred passes of the presets' largest model. */
const MOST_BYTES = 2 ** 27;

/** Of one operation in a plan, and as it is prepared on the host: about. */
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
  letGo: () => void;
}

export class KeptPlans {
  /** What they hold. */
  bytes = 0;
  readonly #plans = new Map<object, KeptPlan>();
  readonly #limits: Executor["limits"];

  constructor({ limits }: Executor) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#plans.size;
  }

  /** From now on `key` stands for the plan. `letGo` is called when it has to make way for others. */
  add(key: object, { plan, bytes = 0 }: Runnable, letGo: () => void): void {
    const all = bytes + 4 * plan.inputSize + OP_BYTES * plan.ops.length;
    this.#plans.set(key, { bytes: all, letGo });
    this.bytes += all;
    this.#trim();
  }

  /** It is used now. */
  touch(key: object): void {
    const plan = this.#plans.get(key);
    if (!plan) return; // not compiled yet
    this.#plans.delete(key); // to the end: the first is the one unused for longest
    this.#plans.set(key, plan);
  }

  /** It is gone. */
  remove(key: object): void {
    this.bytes -= this.#plans.get(key)?.bytes ?? 0;
    this.#plans.delete(key);
  }

  /** The latest stays, however much it holds. */
  #trim(): void {
    const { planBytes = MOST_BYTES } = this.#limits;
    for (const [key, { letGo }] of this.#plans) {
      if (this.bytes <= planBytes || this.#plans.size === 1) return;
      this.remove(key);
      letGo();
    }
  }
}
