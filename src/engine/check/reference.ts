/** An executor in plain float64 JavaScript: slow, simple, and the reference for the real ones. */
import type { EngineInfo } from "../engine.ts";
import type { Executor, Runnable, Store } from "../plan/executor.ts";
import { fromBfloats } from "../../numeric/bfloat.ts";
import type { BufferView } from "../plan/ops/view.ts";
import type { Plan } from "../plan/planner.ts";
import { referenceOps, type Memory } from "./referenceOps.ts";

/** Words stored twice: as float64 numbers and as raw 32 bits, whichever an operation needs. */
class ReferenceStore implements Store {
  readonly f: Float64Array;
  readonly i: Int32Array;

  constructor(
    readonly name: string,
    readonly size: number,
  ) {
    this.f = new Float64Array(size);
    this.i = new Int32Array(size);
  }

  write(offset: number, data: Float32Array | Int32Array): void {
    this.i.set(new Int32Array(data.buffer, data.byteOffset, data.length), offset);
    this.f.set(new Float32Array(data.buffer, data.byteOffset, data.length), offset);
  }

  /** Sampling writes mixed words; everything else is read as numbers. */
  read(offset: number, size: number): Float32Array {
    const raw = ["drawn", "state", "token", "position", "row", "tick"].includes(this.name);
    if (!raw) return Float32Array.from(this.f.subarray(offset, offset + size));
    return new Float32Array(this.i.slice(offset, offset + size).buffer);
  }
}

/** A view's numbers: those of the store, which operations write to, or a copy of packed ones, without scales. */
function numbersOf({ f, i }: ReferenceStore, { offset, size, packed }: BufferView): Float64Array {
  if (!packed) return f.subarray(offset, offset + size);
  if (packed === "int8") return Float64Array.from(new Int8Array(i.buffer, 4 * offset, 4 * size));
  return Float64Array.from(fromBfloats(new Uint16Array(i.buffer, 4 * offset, 2 * size)));
}

interface ReferenceRunnable extends Runnable {
  memory: Memory;
  input: ReferenceStore;
  output: ReferenceStore;
}

const info: EngineInfo = {
  engine: "wasm",
  backend: "cpu",
  adapter: "float64 reference",
  reproducible: "device",
};

export class ReferenceExecutor implements Executor {
  readonly info = info;
  readonly tuning = { tokensPerPass: 64, stepsPerRead: 3 };
  readonly limits = { viewBytes: 2 ** 31, storeBytes: 2 ** 31 };

  createStore(name: string, size: number): Store {
    return new ReferenceStore(name, size);
  }

  destroyStore(): void {}

  write(store: Store, offset: number, data: Float32Array | Int32Array): void {
    (store as ReferenceStore).write(offset, data);
  }

  copy(from: Store, at: number, to: Store, offset: number, size: number): void {
    const [source, target] = [from, to] as ReferenceStore[];
    target!.f.set(source!.f.subarray(at, at + size), offset);
    target!.i.set(source!.i.subarray(at, at + size), offset);
  }

  async read(store: Store, offset: number, size: number): Promise<Float32Array> {
    return (store as ReferenceStore).read(offset, size);
  }

  async compile(plan: Plan, stores: ReadonlyMap<string, Store>): Promise<Runnable> {
    const own = {
      arena: new ReferenceStore("arena", plan.arenaSize),
      input: new ReferenceStore("input", plan.inputSize),
      output: new ReferenceStore("output", plan.outputSize),
    };
    const find = (name: string) =>
      (own[name as keyof typeof own] ?? stores.get(name)) as ReferenceStore;
    const memory: Memory = {
      f: (view) => numbersOf(find(view.store), view),
      i: ({ store, offset, size }) => find(store).i.subarray(offset, offset + size),
    };
    const runnable: ReferenceRunnable = { plan, memory, ...own, dispose: () => undefined };
    return runnable;
  }

  run(runnable: Runnable, input: Int32Array): void {
    const { plan, memory, input: store } = runnable as ReferenceRunnable;
    store.write(0, input);
    for (const op of plan.ops)
      (referenceOps[op.op] as (o: typeof op, m: Memory) => void)(op, memory);
  }

  async readOutput(runnable: Runnable): Promise<Float32Array> {
    return (runnable as ReferenceRunnable).output.read(0, runnable.plan.outputSize);
  }

  memory() {
    return { tensors: 0, bytes: 0, poolBytes: 0 };
  }

  dispose(): void {}
}
