/** Adds the gradients of passes in the order of the passes, whichever thread computed them and whenever they arrive. */
import type { Store } from "./executor.ts";
import type { Replica } from "./replica.ts";

export class GradientSum {
  #next = 0;
  /** Gradients that arrived out of order, by pass. */
  readonly #held = new Map<number, Float32Array>();
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  /** Gradients of a pass that ran here: read at once unless added. */
  takeStore(pass: number, grads: Store): void {
    if (pass === this.#next) {
      this.#add(grads);
      this.#drain();
    } else {
      this.take(pass, this.#replica.executor.sums!.copy(grads));
    }
  }

  /** Gradients of a pass that ran elsewhere. [layout.size] */
  take(pass: number, grads: Float32Array): void {
    this.#held.set(pass, grads);
    this.#drain();
  }

  #drain(): void {
    const { executor, plans } = this.#replica;
    const store = plans.store("passGrads");
    for (let grads = this.#held.get(this.#next); grads; grads = this.#held.get(this.#next)) {
      this.#held.delete(this.#next);
      executor.write(store, 0, grads);
      this.#add(store);
    }
  }

  #add(grads: Store): void {
    this.#replica.executor.sums!.add(this.#replica.plans.store("grads"), grads);
    this.#next++;
  }
}
