/** Runs plans on the CPU, in this thread: SIMD kernels over one WebAssembly memory, the same bits on every machine. */
import type { EngineInfo, EngineMemory } from "../engine.ts";
import type { Executor, Runnable, Store, StoreSums } from "../plan/executor.ts";
import type { BufferView } from "../plan/ops/view.ts";
import type { Plan } from "../plan/planner.ts";
import { bindOp, scratchBytes, type Kernels, type KernelMemory } from "./kernels.ts";
import { EngineError } from "../errors.ts";

interface HeapStore extends Store {
  address: number;
}

/**
 * Memory shared by all plans, grown to the largest; addresses in it are valid until it moves. Runs
 * are synchronous, so that even inputs and outputs can be shared: an output is read before the next
 * run.
 */
class SharedRegion {
  address = 0;
  bytes = 0;
}

class WasmRunnable implements Runnable {
  calls: (() => void)[] = [];
  /** Moves of shared memory at the time the calls were bound. */
  moves = -1;

  constructor(
    readonly plan: Plan,
    readonly stores: ReadonlyMap<string, Store>,
  ) {}

  dispose(): void {
    this.calls = [];
  }
}

const MAX_PAGES = 65536; // 4 GiB
const GIB = 2 ** 30;

const info: EngineInfo = {
  engine: "wasm",
  backend: "wasm",
  adapter: "WebAssembly SIMD",
  reproducible: "everywhere",
};

/** @throws Error if the module has no such number. */
function constantOf({ exports }: WebAssembly.Instance, name: string): number {
  const constant = exports[name];
  if (constant instanceof WebAssembly.Global) return constant.value as number;
  throw new Error(`the module has no ${name}: it is not that of the kernels`);
}

export class WasmExecutor implements Executor {
  readonly info = info;
  readonly tuning;
  readonly limits = { viewBytes: GIB, storeBytes: 3 * GIB, totalBytes: 4 * GIB };
  readonly #heap: Heap;
  readonly #arena = new SharedRegion();
  readonly #scratch = new SharedRegion();
  readonly #input = new SharedRegion();
  readonly #output = new SharedRegion();
  #moves = 0;
  /** The runnable whose output is currently in memory. */
  #latest: Runnable | null = null;
  readonly #memoryObject: WebAssembly.Memory;

  private constructor(
    memoryObject: WebAssembly.Memory,
    readonly kernels: Kernels,
    readonly packBytes: number,
  ) {
    this.#memoryObject = memoryObject;
    this.#heap = new Heap(memoryObject);
    this.tuning = {
      tokensPerPass: 512,
      shares: { passes: 8, tokens: 128 },
      trims: true,
      stepsPerRead: 1,
    };
  }

  static async create(kernels: BufferSource | WebAssembly.Module): Promise<WasmExecutor> {
    const memory = new WebAssembly.Memory({ initial: 16, maximum: MAX_PAGES });
    const compiled = kernels instanceof WebAssembly.Module;
    const module = compiled ? kernels : await WebAssembly.compile(kernels);
    const instance = await WebAssembly.instantiate(module, { env: { memory } });
    const packBytes = constantOf(instance, "PACK_BYTES");
    const functions = instance.exports as unknown as Kernels;
    return new WasmExecutor(memory, functions, packBytes);
  }

  get working(): number {
    const arena = this.#arena;
    const input = this.#input;
    const output = this.#output;
    const scratch = this.#scratch;
    return [arena, input, output, scratch].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  createStore(name: string, size: number): HeapStore {
    const address = this.#heap.allocate(4 * size);
    this.#words(address, size).fill(0);
    return { name, size, address };
  }

  destroyStore(store: Store): void {
    this.#heap.release((store as HeapStore).address);
  }

  #words(address: number, size: number): Int32Array {
    return new Int32Array(this.#memoryObject.buffer, address, size);
  }

  #floats(address: number, size: number): Float32Array {
    return new Float32Array(this.#memoryObject.buffer, address, size);
  }

  write(store: Store, offset: number, data: Float32Array | Int32Array): void {
    const words = new Int32Array(data.buffer, data.byteOffset, data.length);
    this.#words((store as HeapStore).address + 4 * offset, data.length).set(words);
  }

  copy(from: Store, at: number, to: Store, offset: number, size: number): void {
    const words = this.#words((from as HeapStore).address + 4 * at, size);
    this.#words((to as HeapStore).address + 4 * offset, size).set(words);
  }

  async read(store: Store, offset: number, size: number): Promise<Float32Array> {
    return this.#floats((store as HeapStore).address + 4 * offset, size).slice();
  }

  async compile(plan: Plan, stores: ReadonlyMap<string, Store>): Promise<Runnable> {
    const scratch = plan.ops.map((op) => scratchBytes(op, this));
    this.#reserve(this.#arena, 4 * plan.arenaSize);
    this.#reserve(this.#input, 4 * plan.inputSize);
    this.#reserve(this.#output, 4 * plan.outputSize);
    this.#reserve(
      this.#scratch,
      scratch.reduce((a, b) => Math.max(a, b), 0),
    );
    return new WasmRunnable(plan, stores);
  }

  #reserve(shared: SharedRegion, bytes: number): void {
    if (bytes <= shared.bytes) return;
    if (shared.bytes > 0) this.#heap.release(shared.address);
    // Spare space: the next, slightly larger plan need not move everything again.
    shared.bytes = bytes + Math.floor(bytes / 8);
    shared.address = this.#heap.allocate(shared.bytes);
    this.#moves++;
  }

  run(runnable: Runnable, input: Int32Array): void {
    const target = runnable as WasmRunnable;
    if (target.moves !== this.#moves) this.#bind(target);
    this.#words(this.#input.address, input.length).set(input);
    for (const call of target.calls) call();
    this.#latest = runnable;
  }

  #bind(runnable: WasmRunnable): void {
    const { plan, stores } = runnable;
    const arena = this.#arena;
    const input = this.#input;
    const output = this.#output;
    const base = (name: string): number => {
      if (name === "arena") return arena.address;
      if (name === "input") return input.address;
      if (name === "output") return output.address;
      return (stores.get(name) as HeapStore).address;
    };
    const at = (view?: BufferView) => (view ? base(view.store) + 4 * view.offset : 0);
    const { kernels, packBytes } = this;
    const place: KernelMemory = { at, kernels, packBytes, scratch: this.#scratch.address };
    runnable.calls = plan.ops.map((op) => bindOp(op, place));
    runnable.moves = this.#moves;
  }

  async readOutput(runnable: Runnable): Promise<Float32Array> {
    if (runnable !== this.#latest) throw new Error("another plan has run since");
    return this.#floats(this.#output.address, runnable.plan.outputSize).slice();
  }

  readonly sums: StoreSums = {
    clear: (store) => void this.#words((store as HeapStore).address, store.size).fill(0),
    copy: (store) => this.#floats((store as HeapStore).address, store.size).slice(),
    add: (store, terms) =>
      void this.kernels["addTo"]!(
        (store as HeapStore).address,
        (terms as HeapStore).address,
        store.size,
      ),
  };

  memory(): EngineMemory {
    const poolBytes = this.#memoryObject.buffer.byteLength;
    return { tensors: this.#heap.blocks, bytes: this.#heap.usedBytes, poolBytes };
  }

  dispose(): void {
    // The memory is freed with the object; nothing else is held.
  }
}

// Blocks of a WebAssembly memory: first fit, adjacent free blocks merge. Addresses are multiples of 256.

const PAGE = 65536;
const UNIT = 256;
/** Below are the kernels' own constants. */
const START = PAGE;

interface HeapBlock {
  address: number;
  bytes: number;
}

class Heap {
  /** Free blocks by address; no two are adjacent. */
  #free: HeapBlock[] = [];
  readonly #used = new Map<number, number>();
  #end = START;
  usedBytes = 0;

  constructor(readonly memory: WebAssembly.Memory) {}

  get blocks(): number {
    return this.#used.size;
  }

  /** Contents are undefined. @throws EngineError "out-of-memory" */
  allocate(size: number): number {
    const bytes = Math.max(UNIT, Math.ceil(size / UNIT) * UNIT);
    const at = this.#free.findIndex((block) => block.bytes >= bytes);
    const address = at >= 0 ? this.#split(at, bytes) : this.#extend(bytes);
    this.#used.set(address, bytes);
    this.usedBytes += bytes;
    return address;
  }

  #split(at: number, bytes: number): number {
    const block = this.#free[at]!;
    const { address } = block;
    if (block.bytes === bytes) this.#free.splice(at, 1);
    else Object.assign(block, { address: address + bytes, bytes: block.bytes - bytes });
    return address;
  }

  #extend(bytes: number): number {
    const last = this.#free.at(-1);
    const touching = last && last.address + last.bytes === this.#end ? this.#free.pop()! : null;
    const address = touching?.address ?? this.#end;
    const missing = address + bytes - this.memory.buffer.byteLength;
    if (missing > 0) this.#grow(Math.ceil(missing / PAGE));
    this.#end = address + bytes;
    return address;
  }

  #grow(pages: number): void {
    try {
      this.memory.grow(pages);
    } catch {
      const needed = this.memory.buffer.byteLength + pages * PAGE;
      throw new EngineError(
        "out-of-memory",
        `WebAssembly memory of ${needed} bytes cannot be allocated; use a smaller model or batch`,
      );
    }
  }

  release(address: number): void {
    const bytes = this.#used.get(address);
    if (bytes === undefined) throw new Error(`no block at ${address}`);
    this.#used.delete(address);
    this.usedBytes -= bytes;
    this.#free.push({ address, bytes });
    this.#free.sort((a, b) => a.address - b.address);
    this.#free = this.#free.reduce<HeapBlock[]>((merged, block) => {
      const last = merged.at(-1);
      if (last && last.address + last.bytes === block.address) last.bytes += block.bytes;
      else merged.push(block);
      return merged;
    }, []);
  }
}
