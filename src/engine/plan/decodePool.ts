/** KV caches by size. A session gives its cache back for the next, so that a run allocates and compiles once. */
import type { RequestModel } from "../decodeRequest.ts";
import type { ValueHead } from "../engine.ts";
import { sizeBucket } from "./batches.ts";
import { cacheHalf, type CacheShape } from "./decode.ts";
import type { Executor, Store } from "./executor.ts";
import { cacheFootprint, largestFitting, shortage, tooLarge } from "./footprint.ts";
import type { PlanCache } from "./planCache.ts";

export interface DecodeMemory {
  shape: CacheShape;
  /** cache, state, drawn, legal */
  stores: ReadonlyMap<string, Store>;
}

/** Caches kept for later; a run's sessions take few sizes. */
const KEPT = 4;

export class DecodePool {
  #free: DecodeMemory[] = [];
  #disposed = false;
  /** What requests to generate are checked against. */
  readonly requests: RequestModel;

  constructor(
    readonly executor: Executor,
    readonly plans: PlanCache,
    valueHead: ValueHead,
  ) {
    const { vocabSize } = plans.shape.config;
    this.requests = { vocabSize, hasValue: valueHead !== "none" };
  }

  /** Memory for at least B rows of `needed` tokens: the one at hand if it is large enough, else another, with the rows moved over. */
  fit(
    memory: DecodeMemory | null,
    B: number,
    needed: number,
    cached: readonly number[],
  ): DecodeMemory {
    this.plans.coverPositions(needed);
    if (memory && memory.shape.C >= needed) return memory;
    const next = this.#take(B, sizeBucket(needed));
    if (!memory) return next;
    try {
      this.#move(memory, next, cached);
    } catch (error) {
      this.release(next);
      throw error;
    }
    this.#destroy(memory);
    return next;
  }

  #take(B: number, C: number): DecodeMemory {
    const at = this.#free.findIndex(({ shape }) => shape.B >= B && shape.C >= C);
    if (at >= 0) return this.#free.splice(at, 1)[0]!;
    const shape = { B, C };
    if (this.#shortage(B, C)) this.#dropFree();
    this.check(B, C);
    const stores = new Map<string, Store>();
    try {
      for (const [name, bytes] of Object.entries(cacheFootprint(this.plans.shape.config, shape)))
        stores.set(name, this.executor.createStore(name, bytes / 4));
    } catch (error) {
      for (const store of stores.values()) this.executor.destroyStore(store);
      throw error;
    }
    return { shape, stores };
  }

  /** Why a cache of its own does not fit beside all that is held; null when it does. */
  #shortage(B: number, C: number, spare = 0): string | null {
    const needs = cacheFootprint(this.plans.shape.config, { B, C });
    const { executor } = this;
    return shortage(needs, executor.limits, executor.memory().bytes - spare);
  }

  /**
   * Free caches are let go where that makes room.
   * @throws EngineError "out-of-memory" when a cache of B rows of C tokens does not fit, nor stands one ready.
   */
  check(B: number, C: number): void {
    if (this.#free.some(({ shape }) => shape.B >= B && shape.C >= C)) return;
    const kept = this.#free.flatMap(({ stores }) => [...stores.values()]);
    const spare = kept.reduce((sum, { size }) => sum + 4 * size, 0);
    const why = this.#shortage(B, C, spare);
    if (!why) return;
    const rows = largestFitting(B - 1, (n) => !this.#shortage(n, C, spare));
    const tokens = largestFitting(C - 1, (n) => !this.#shortage(1, n, spare));
    const fits =
      rows > 0 ? `at most ${rows} rows of ${C} would fit` : `at most ${tokens} tokens would fit`;
    throw tooLarge(`a cache of ${B} rows of ${C} tokens`, why, fits);
  }

  #dropFree(): void {
    for (const memory of this.#free) this.#destroy(memory);
    this.#free = [];
  }

  /** Copies the slots that rows have filled into a cache of more. cached [B] */
  #move(from: DecodeMemory, to: DecodeMemory, cached: readonly number[]): void {
    const { layers, kvHeads, headDim } = this.plans.shape.config;
    const [source, target] = [from.stores.get("cache")!, to.stores.get("cache")!];
    const [a, b] = [from, to].map(({ shape }) => ({
      half: cacheHalf(this.plans.shape, shape),
      row: shape.C * headDim,
    }));
    cached.forEach((tokens, row) => {
      if (tokens === 0) return;
      for (let half = 0; half < 2 * layers; half++) {
        for (let z = row * kvHeads; z < (row + 1) * kvHeads; z++) {
          const [at, into] = [half * a!.half + z * a!.row, half * b!.half + z * b!.row];
          this.executor.copy(source, at, target, into, tokens * headDim);
        }
      }
    });
  }

  /** Keeps it for the next session, as long as the model lives. */
  release(memory: DecodeMemory): void {
    if (this.#disposed) return this.#destroy(memory);
    const { B, C } = memory.shape;
    // What a larger one can stand in for is not worth keeping.
    const smaller = this.#free.filter(({ shape }) => shape.B <= B && shape.C <= C);
    this.#free = [...this.#free.filter((one) => !smaller.includes(one)), memory];
    if (this.#free.length > KEPT) smaller.push(this.#free.shift()!);
    smaller.forEach((one) => this.#destroy(one));
  }

  #destroy({ stores }: DecodeMemory): void {
    const all = [...stores.values()];
    this.plans.drop(all);
    for (const store of all) this.executor.destroyStore(store);
  }

  dispose(): void {
    this.#disposed = true;
    this.#dropFree();
  }
}
