/**
 * Runs plans. A plan is data; an executor owns only memory and kernels: everything about models,
 * batches and sampling is shared (planModel.ts). All words are 32 bits, float32 or int32 as the
 * operation defines.
 */
import type { EngineInfo, EngineMemory } from "../engine.ts";
import type { Plan } from "./planner.ts";

/** Memory that outlives a run: parameters, gradients, moments, tables, caches. */
export interface Store {
  readonly name: string;
  /** In words. */
  readonly size: number;
}

/** A plan bound to stores, with everything an executor prepares once: pipelines, bind groups, addresses. */
export interface Runnable {
  readonly plan: Plan;
  /** Bytes that it holds until it is disposed of, besides stores and the plan itself; absent: almost none. */
  readonly bytes?: number;
  dispose(): void;
}

/** Operations on whole stores as numbers. */
export interface StoreSums {
  /** Fills with zeros. */
  clear(store: Store): void;
  copy(store: Store): Float32Array;
  add(store: Store, terms: Store): void;
}

export interface Executor {
  readonly info: EngineInfo;
  /** Constants of the executor, so that results do not depend on the machine within one engine. */
  readonly tuning: {
    /** Maximum tokens of a forward or backward pass (a longer sequence still runs whole). */
    tokensPerPass: number;
    /** Maximum bytes of a pass's working memory: a model that needs more gets fewer tokens. Absent: unlimited. */
    passBytes?: number;
    /** As many for a model whose passes would be too small within `passBytes`; absent: no more. */
    mostPassBytes?: number;
    /** Smaller work is still split into about this many passes, of at least this many tokens: threads share it. */
    shares?: { passes: number; tokens: number };
    /** Whether the last layer skips rows whose hidden states are not read. Absent: it never does. */
    trims?: boolean;
    /** Decode steps between two reads of the results. */
    stepsPerRead: number;
    /** Reads that may be pending while further steps are issued; absent: none. */
    looksAhead?: number;
  };
  readonly limits: {
    /** Maximum bytes of one view (WebGPU: maxStorageBufferBindingSize). */
    viewBytes: number;
    /** Maximum bytes of one store, including the arena (WebGPU: maxBufferSize). */
    storeBytes: number;
    /**
     * Maximum bytes in total, if limited (WebAssembly: its address space; WebGPU: see
     * memoryBudget).
     */
    totalBytes?: number;
    /** Maximum bytes of compiled plans; the least recently used is dropped first. */
    planBytes?: number;
  };
  /** Bytes of memory() that plans share (arena, input, output): present if the total is limited. */
  readonly working?: number;
  /** Filled with zeros. Throws EngineError "out-of-memory". */
  createStore(name: string, size: number): Store;
  destroyStore(store: Store): void;
  /** In order with runs. The data is copied at once. */
  write(store: Store, offset: number, data: Float32Array | Int32Array): void;
  /** Copies words between stores, in order with runs, on the device: nothing passes through the host. */
  copy(from: Store, at: number, to: Store, offset: number, size: number): void;
  /** A fresh copy, after every run so far. */
  read(store: Store, offset: number, size: number): Promise<Float32Array>;
  /**
   * Prepares a plan. `stores` has an entry for each name in plan.stores. The arena belongs to the
   * executor, is shared by all plans and grows to the largest; input and output may be shared too,
   * or belong to the runnable.
   */
  compile(plan: Plan, stores: ReadonlyMap<string, Store>): Promise<Runnable>;
  /** Uploads the input (plan.inputSize words, copied at once) and runs the operations, in order. Nothing is created. */
  run(runnable: Runnable, input: Int32Array): void;
  /** A fresh copy of the output of the runnable's latest run, to be requested before anything else runs; words as float32. */
  readOutput(runnable: Runnable): Promise<Float32Array>;
  /** Present if passes keep their gradients separate, to be added in the order of the passes; else each adds its own. */
  readonly sums?: StoreSums;
  memory(): EngineMemory;
  /** Kernels dispatched to the device since the start; absent on a CPU. */
  dispatches?(): number;
  dispose(): void;
}
