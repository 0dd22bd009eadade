/** KV caches by size. A session returns its cache for the next one, so that a run allocates and compiles once. */
import type { RequestModel } from "../decodeRequest.ts";
import type { ValueHead } from "../engine.ts";
import { sizeBucket } from "./batches.ts";
import { cacheHalf, slotWords, type CacheShape } from "./decode.ts";
import type { Executor, Store } from "./executor.ts";
import { cacheFootprint, largestFitting, shortage, tooLarge } from "./footprint.ts";
import type { PlanCache } from "./planCache.ts";

export interface DecodeMemory {
  shape: CacheShape;
  /** cache, state, drawn, legal */
  stores: ReadonlyMap<string, Store>;
}

/** Maximum number of free caches; a run's sessions have few sizes. */
const KEPT = 4;

export class DecodePool {
  #free: DecodeMemory[] = [];
  #disposed = false;
  /** What generation requests are checked against. */
  readonly requests: RequestModel;

  constructor(
    readonly executor: Executor,
    readonly plans: PlanCache,
    valueHead: ValueHead,
  ) {
    const { vocabSize } = plans.shape.config;
    this.requests = { vocabSize, hasValue: valueHead !== "none" };
  }

  /** Memory for at least B rows of `needed` tokens: the current one if it is large enough, else another, with the rows copied over. */
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

  /** Why a new cache does not fit next to everything held; null if it does. */
  #shortage(B: number, C: number, spare = 0): string | null {
    const needs = cacheFootprint(this.plans.shape.config, { B, C });
    const { executor } = this;
    return shortage(needs, executor.limits, executor.memory().bytes - spare);
  }

  /**
   * Free caches are released if that makes space.
   * @throws EngineError "out-of-memory" if a cache of B rows of C tokens neither fits nor exists.
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

  /** Copies the filled slots of rows to a larger cache. cached [B] */
  #move(from: DecodeMemory, to: DecodeMemory, cached: readonly number[]): void {
    const { layers, kvHeads } = this.plans.shape.config;
    const slot = slotWords(this.plans.shape.config);
    const [source, target] = [from.stores.get("cache")!, to.stores.get("cache")!];
    const [a, b] = [from, to].map(({ shape }) => ({
      half: cacheHalf(this.plans.shape, shape),
      row: shape.C * slot,
    }));
    cached.forEach((tokens, row) => {
      if (tokens === 0) return;
      for (let half = 0; half < 2 * layers; half++) {
        for (let z = row * kvHeads; z < (row + 1) * kvHeads; z++) {
          const [at, into] = [half * a!.half + z * a!.row, half * b!.half + z * b!.row];
          this.executor.copy(source, at, target, into, tokens * slot);
        }
      }
    });
  }

  /** Keeps it for the next session, as long as the model exists. */
  release(memory: DecodeMemory): void {
    if (this.#disposed) return this.#destroy(memory);
    const { B, C } = memory.shape;
    // A cache that a larger one can replace is not worth keeping.
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
