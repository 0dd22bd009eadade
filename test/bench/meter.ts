/**
 * Exact counts of what a program asks of WebGPU, by wrapping the prototypes before it loads, and the JavaScript time
 * between. Also the memory that WebAssembly holds and the workers that were started. Install it first.
 */
import { Idleness } from "./idleness.ts";

export interface Counts {
  dispatches: number;
  submits: number;
  passes: number;
  buffers: number;
  bindGroups: number;
  writes: number;
  pipelines: number;
}

export interface Reading {
  /** Milliseconds from start to the end, everything computed. */
  wall: number;
  /**
   * Milliseconds from start (or where `read` was told to begin) to the return of the last submit, less those in which
   * nothing was done but wait for promises of the device (maps, completed work, pipelines, error scopes): the JavaScript
   * before the device can work alone.
   */
  host: number;
  counts: Counts;
}

const zero = (): Counts => ({
  ...{ dispatches: 0, submits: 0, passes: 0, buffers: 0, bindGroups: 0, writes: 0, pipelines: 0 },
});

type Method = (this: object, ...args: unknown[]) => unknown;

/** Replaces a method by one that calls `around` with the original; nothing where this host has no such class. */
function wrap(type: string, name: string, around: (call: () => unknown, self: object) => unknown) {
  const prototype = (globalThis as Record<string, unknown>)[type] as
    { prototype: Record<string, Method> } | undefined;
  const original = prototype?.prototype[name];
  if (!prototype || !original) return;
  prototype.prototype[name] = function (...args) {
    return around(() => original.apply(this, args), this);
  };
}

export class Meter {
  /** Bytes of buffers that are not destroyed. */
  private alive = 0;
  private most = 0;
  /** Of those that were there before: see `forget`. */
  private before = 0;
  workers = 0;
  private counts = zero();
  private readonly devices = new Set<GPUDevice>();
  private readonly sizes = new WeakMap<object, number>();
  private readonly heaps = new Set<WebAssembly.Memory>();
  private readonly idle = new Idleness();
  /** Where the JavaScript time begins, and where it ends. */
  private begun = { time: 0, waited: 0 };
  private submitted = { time: 0, waited: 0 };
  /** Dispatches left out of the JavaScript time. */
  private skipped = 0;

  /** Wraps this thread's globals; call it once, before any library loads. */
  install(): void {
    this.countCalls();
    this.watchMemory();
    this.watchWaits();
    this.watchHeaps();
    this.watchWorkers();
  }

  private countCalls(): void {
    const count = (type: string, name: string, key: keyof Counts) =>
      wrap(type, name, (call) => (this.counts[key]++, call()));
    for (const name of ["dispatchWorkgroups", "dispatchWorkgroupsIndirect"])
      wrap("GPUComputePassEncoder", name, (call) => {
        call();
        if (++this.counts.dispatches === this.skipped) this.begun = this.instant();
      });
    count("GPUCommandEncoder", "beginComputePass", "passes");
    count("GPUDevice", "createBindGroup", "bindGroups");
    count("GPUDevice", "createComputePipeline", "pipelines");
    count("GPUQueue", "writeBuffer", "writes");
    wrap("GPUQueue", "submit", (call) => {
      this.counts.submits++;
      call();
      this.submitted = this.instant();
    });
  }

  private instant() {
    return this.idle.wake();
  }

  private watchMemory(): void {
    wrap("GPUDevice", "createBuffer", (call) => {
      const buffer = call() as GPUBuffer;
      this.counts.buffers++;
      this.sizes.set(buffer, buffer.size);
      this.alive += buffer.size;
      this.most = Math.max(this.most, this.alive);
      return buffer;
    });
    wrap("GPUBuffer", "destroy", (call, buffer) => {
      this.alive -= this.sizes.get(buffer) ?? 0;
      this.sizes.delete(buffer);
      return call();
    });
    wrap("GPUAdapter", "requestDevice", async (call) => {
      const device = (await call()) as GPUDevice;
      this.devices.add(device);
      return device;
    });
  }

  private watchWaits(): void {
    const wait = (type: string, name: string) => wrap(type, name, (call) => this.waiting(call));
    wait("GPUBuffer", "mapAsync");
    wait("GPUQueue", "onSubmittedWorkDone");
    wait("GPUDevice", "popErrorScope");
    wrap("GPUDevice", "createComputePipelineAsync", (call) => {
      this.counts.pipelines++;
      return this.waiting(call);
    });
  }

  private waiting(call: () => unknown): unknown {
    const promise = call() as Promise<unknown>;
    this.idle.during(promise);
    return promise;
  }

  private watchHeaps(): void {
    const heaps = this.heaps;
    const Original = WebAssembly.Memory;
    WebAssembly.Memory = class extends Original {
      constructor(descriptor: WebAssembly.MemoryDescriptor) {
        super(descriptor);
        heaps.add(this);
      }
    };
    const note = (instance: WebAssembly.Instance) => {
      for (const value of Object.values(instance.exports))
        if (value instanceof Original) heaps.add(value);
    };
    const noteResult = (result: WebAssembly.Instance | WebAssembly.WebAssemblyInstantiatedSource) =>
      note("instance" in result ? result.instance : (result as WebAssembly.Instance));
    for (const name of ["instantiate", "instantiateStreaming"] as const) {
      const original = WebAssembly[name] as (...args: unknown[]) => Promise<WebAssembly.Instance>;
      Object.assign(WebAssembly, {
        [name]: async (...args: unknown[]) => {
          const result = await original.apply(WebAssembly, args);
          noteResult(result);
          return result;
        },
      });
    }
  }

  private watchWorkers(): void {
    const Original = globalThis.Worker as typeof Worker | undefined;
    if (!Original) return;
    const started = () => this.workers++;
    globalThis.Worker = class extends Original {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        started();
      }
    };
  }

  /** What is still held from now on belongs to no contender: some programs cannot free what they hold. */
  forget(): void {
    this.before = this.alive;
    this.most = this.alive;
    this.heaps.clear();
  }

  /** Bytes of buffers held at most, beside what `forget` left out. */
  get peak(): number {
    return this.most - this.before;
  }

  /** Bytes of the linear memories seen so far; those never shrink. */
  heapBytes(): number {
    let bytes = 0;
    for (const heap of this.heaps) bytes += heap.buffer.byteLength;
    return bytes;
  }

  /** Runs the body to its completion on every device; the JavaScript time begins after `skipped` dispatches. */
  async read(body: () => Promise<unknown>, skipped = 0): Promise<Reading> {
    this.counts = zero();
    this.skipped = skipped;
    const start = this.instant();
    const none = { time: NaN, waited: 0 };
    this.begun = skipped === 0 ? start : none;
    this.submitted = none;
    await body();
    const [from, to] = [this.begun, this.submitted];
    const host = to.time - from.time - (to.waited - from.waited);
    await this.settle();
    // What is asked for between two readings belongs to neither.
    return { wall: performance.now() - start.time, host, counts: { ...this.counts } };
  }

  /** Until the devices have done what they were given. */
  async settle(): Promise<void> {
    await Promise.all([...this.devices].map((device) => device.queue.onSubmittedWorkDone()));
  }
}

/** Milliseconds of the clock's step: the least that it tells from nothing. */
export function clockStep(): number {
  let least = Infinity;
  for (let tries = 0; tries < 5; tries++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    least = Math.min(least, now - start);
  }
  return least;
}
