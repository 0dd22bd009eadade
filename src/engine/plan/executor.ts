/**
 * What runs plans. A plan is data; an executor owns memory and kernels, and nothing else: everything about models,
 * batches and sampling is shared (planModel.ts). All words are 32 bits, float32 or int32 as the operation says.
 */
import type { EngineInfo, EngineMemory } from "../engine.ts";
import type { Plan } from "./planner.ts";

/** Memory that outlives a run: parameters, gradients, moments, tables, caches. */
export interface Store {
  readonly name: string;
  /** In words. */
  readonly size: number;
}

/** A plan bound to stores, with whatever an executor prepares once: pipelines, bind groups, addresses. */
export interface Runnable {
  readonly plan: Plan;
  /** Bytes that it holds until it is disposed of, besides stores and the plan itself; absent: next to none. */
  readonly bytes?: number;
  dispose(): void;
}

/** Whole stores as numbers, at once. */
export interface StoreSums {
  /** Zeros. */
  clear(store: Store): void;
  copy(store: Store): Float32Array;
  add(store: Store, terms: Store): void;
}

export interface Executor {
  readonly info: EngineInfo;
  /** Constants of the executor, so that results do not depend on the machine within one engine. */
  readonly tuning: {
    /** Tokens of a forward or backward pass, at most (a longer sequence still runs whole). */
    tokensPerPass: number;
    /** Bytes of working memory that a pass may take: a model that needs more takes fewer tokens. Absent: any. */
    passBytes?: number;
    /** Less work is cut into about so many passes all the same, of so many tokens at least: threads share it. */
    shares?: { passes: number; tokens: number };
    /** Passes of so many rows at most leave out what the last layer does to rows whose hidden states nobody reads. Absent: none. */
    trimsUpTo?: number;
    /** Decode steps between two looks at what was drawn. */
    stepsPerRead: number;
    /** Looks that may be on their way while further steps are given out; absent: none. */
    looksAhead?: number;
  };
  readonly limits: {
    /** Bytes of one view (WebGPU: maxStorageBufferBindingSize). */
    viewBytes: number;
    /** Bytes of one store, arena included (WebGPU: maxBufferSize). */
    storeBytes: number;
    /** Bytes in all, where that is bounded (WebAssembly: its address space; WebGPU: see memoryBudget). */
    totalBytes?: number;
    /** Bytes that compiled plans may hold before the one unused for longest is dropped. */
    planBytes?: number;
  };
  /** Bytes of memory() that plans share (arena, input, output): given where the total is bounded. */
  readonly working?: number;
  /** Filled with zeros. Throws EngineError "out-of-memory". */
  createStore(name: string, size: number): Store;
  destroyStore(store: Store): void;
  /** In order with runs. The data is copied at once. */
  write(store: Store, offset: number, data: Float32Array | Int32Array): void;
  /** Words of one store into another, in order with runs, where both lie: nothing passes through the host. */
  copy(from: Store, at: number, to: Store, offset: number, size: number): void;
  /** A fresh copy, after every run so far. */
  read(store: Store, offset: number, size: number): Promise<Float32Array>;
  /**
   * Prepares a plan. `stores` has an entry for each name in plan.stores. The arena is the executor's, shared by all
   * plans and grown to the largest; so may be input and output, or they belong to the runnable.
   */
  compile(plan: Plan, stores: ReadonlyMap<string, Store>): Promise<Runnable>;
  /** Uploads the input (plan.inputSize words, copied at once) and runs the operations, in order. Nothing is created. */
  run(runnable: Runnable, input: Int32Array): void;
  /** A fresh copy of the output of the runnable's latest run, asked for before anything else runs; words as float32. */
  readOutput(runnable: Runnable): Promise<Float32Array>;
  /** Where passes leave their gradients apart, to be added in the order of the passes; else each adds its own. */
  readonly sums?: StoreSums;
  memory(): EngineMemory;
  /** Kernels sent to the device since the start; absent where the processor runs them. */
  dispatches?(): number;
  dispose(): void;
}
