/**
 * Runs plans on a graphics device. Everything is prepared at compile time; a run is one upload and one pass. Runs are submitted
 * together, when something is read or uploaded.
 */
import type { EngineInfo, EngineMemory } from "../engine.ts";
import { EngineError } from "../errors.ts";
import type { Executor, Runnable, Store } from "../plan/executor.ts";
import type { Plan } from "../plan/planner.ts";
import type { OpenDevice } from "./device.ts";
import { DeviceHealth } from "./health.ts";
import { dispatchesOf, type KernelTarget } from "./kernels/index.ts";
import { GpuMemory, type GpuStore } from "./memory.ts";
import { pipelinesOf, type Compiled, type Pipelines } from "./pipelines.ts";
import { checkBindings, grid, toShader, type BoundRange, type Shader } from "./shader.ts";

/** Memory that all plans of an executor share, each as large as the largest of them needs. */
type SharedBufferName = "arena" | "input" | "output";

/** One dispatch, with what it needs to be bound and run. */
interface EncodedStep extends Compiled {
  name: string;
  ranges: BoundRange[];
  /** Offset and length in the uniform buffer, in bytes. */
  uniform: [number, number];
  groups: [number, number];
  bindGroup: GPUBindGroup | null;
}

class GpuRunnable implements Runnable {
  /** Shared buffers that the bind groups name; empty until they are made. */
  bound = new Map<SharedBufferName, GPUBuffer>();

  constructor(
    readonly plan: Plan,
    readonly stores: ReadonlyMap<string, Store>,
    readonly steps: EncodedStep[],
    readonly uniforms: GPUBuffer,
    readonly dispose: () => void,
  ) {}
}

/** Exact counts since the start, for tests and the bench. */
interface GpuCounts {
  buffers: number;
  bindGroups: number;
  pipelines: number;
  dispatches: number;
  passes: number;
  submits: number;
  writes: number;
}

export interface ExecutorOptions {
  /** Kernels without workgroup barriers; absent: where the adapter is software. Tests compare both. */
  softwareKernels?: boolean;
}

/** Uniforms lie at multiples of this many bytes, WebGPU's largest minUniformBufferOffsetAlignment. */
const UNIFORM_STRIDE = 256;

export class WebGpuExecutor implements Executor {
  readonly info: EngineInfo;
  readonly tuning = { tokensPerPass: 2048, trimsUpTo: Infinity, stepsPerRead: 8 };
  readonly limits: { viewBytes: number; storeBytes: number };
  readonly device: GPUDevice;
  readonly #target: KernelTarget;
  readonly #memoryOf: GpuMemory;
  readonly #pipelines: Pipelines;
  readonly #health: DeviceHealth;
  readonly #shared: Record<SharedBufferName, GpuStore | null> = {
    arena: null,
    input: null,
    output: null,
  };
  /** Runs that are recorded but not submitted. */
  #pending: GPUCommandEncoder | null = null;
  #latest: Runnable | null = null;
  readonly #tally = { bindGroups: 0, dispatches: 0, passes: 0, submits: 0, writes: 0 };

  constructor({ device, adapter, software }: OpenDevice, options: ExecutorOptions = {}) {
    this.device = device;
    this.info = { engine: "webgpu", backend: "webgpu", adapter, reproducible: "device" };
    this.#target = { software: options.softwareKernels ?? software };
    const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
    const most = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    this.limits = { viewBytes: most, storeBytes: most };
    this.#memoryOf = new GpuMemory(device);
    this.#pipelines = pipelinesOf(device);
    this.#health = new DeviceHealth(device);
  }

  counts(): GpuCounts {
    const memoryOf = this.#memoryOf;
    const pipelines = this.#pipelines;
    const tally = this.#tally;
    return { buffers: memoryOf.created, pipelines: pipelines.count, ...tally };
  }

  createStore(name: string, size: number): Store {
    this.#health.check();
    const bytes = 4 * size;
    if (bytes > this.limits.storeBytes) {
      const message = `${name} needs ${bytes} bytes, the device allows ${this.limits.storeBytes}`;
      throw new EngineError("out-of-memory", `${message}; use a smaller model or batch`);
    }
    return this.#health.guard(() => this.#memoryOf.store(name, size));
  }

  destroyStore(store: Store): void {
    this.flush();
    this.#memoryOf.destroy((store as GpuStore).buffer);
  }

  write(store: Store, offset: number, data: Float32Array | Int32Array): void {
    this.#health.check();
    const { buffer, byteOffset, byteLength } = data;
    if (byteLength === 0) return;
    this.flush(); // what is recorded has to see the old data
    this.#tally.writes++;
    const target = (store as GpuStore).buffer;
    this.#health.guard(() =>
      this.device.queue.writeBuffer(target, 4 * offset, buffer, byteOffset, byteLength),
    );
  }

  async read(store: Store, offset: number, size: number): Promise<Float32Array> {
    this.#health.check();
    const from = (store as GpuStore).buffer;
    const copy = this.#health.guard(() => this.#memoryOf.copy(this.#encoder(), from, offset, size));
    this.flush();
    const words = await copy.words().catch((error: unknown) => this.#readFailed(error));
    await this.#health.settle();
    return words;
  }

  #encoder(): GPUCommandEncoder {
    if (!this.#pending) {
      this.#pending = this.device.createCommandEncoder();
      // Runs that nobody reads or follows up are not to wait for long.
      setTimeout(() => this.flush(), 0);
    }
    return this.#pending;
  }

  /** Submits what is recorded. */
  flush(): void {
    if (!this.#pending) return;
    const pending = this.#pending;
    this.#pending = null;
    this.#health.guard(() => this.device.queue.submit([pending.finish()]));
    this.#tally.submits++;
  }

  /** A map fails when the device is gone; what the device says of it comes a little later. */
  async #readFailed(error: unknown): Promise<never> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await this.#health.settle();
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError("device-lost", `WebGPU could not be read (${why}); reload the page`);
  }

  async compile(plan: Plan, stores: ReadonlyMap<string, Store>): Promise<Runnable> {
    this.#health.check();
    const dispatches = plan.ops.flatMap((op) => dispatchesOf(op, this.#target));
    const shaders = dispatches.map(toShader);
    const compiled = await Promise.all(
      shaders.map((shader, i) => this.#pipeline(shader, dispatches[i]!.name)),
    );
    this.#reserve("arena", plan.arenaSize);
    this.#reserve("input", plan.inputSize);
    this.#reserve("output", plan.outputSize);
    const { words, places } = uniformsOf(shaders);
    const steps = dispatches.map(({ name, groups }, i): EncodedStep => ({
      ...compiled[i]!,
      name,
      ranges: shaders[i]!.ranges,
      uniform: places[i]!,
      groups: grid(groups),
      bindGroup: null,
    }));
    return this.#runnable(plan, stores, steps, words);
  }

  #runnable(
    plan: Plan,
    stores: ReadonlyMap<string, Store>,
    steps: EncodedStep[],
    dims: Uint8Array<ArrayBuffer>,
  ): Runnable {
    const name = `${plan.name} uniforms`;
    const uniforms = this.#health.guard(() => this.#memoryOf.uniform(name, dims));
    const dispose = () => {
      this.flush();
      this.#memoryOf.destroy(uniforms);
    };
    return new GpuRunnable(plan, stores, steps, uniforms, dispose);
  }

  #pipeline(shader: Shader, name: string): Promise<Compiled> {
    checkBindings(shader, name, this.device.limits.maxStorageBuffersPerShaderStage);
    return this.#pipelines.get(shader, name).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new EngineError("backend-failed", `kernel ${name} does not compile: ${why}`);
    });
  }

  #reserve(name: SharedBufferName, size: number): void {
    const old = this.#shared[name];
    if (size <= (old?.size ?? 0)) return;
    // Room to spare, so that the next, slightly larger plan need not move everything again.
    const most = this.limits.storeBytes / 4;
    this.#shared[name] = this.createStore(name, Math.min(most, size + (size >> 3))) as GpuStore;
    if (old) this.destroyStore(old);
  }

  run(runnable: Runnable, input: Int32Array): void {
    this.#health.check();
    const target = runnable as GpuRunnable;
    if (!this.#isBound(target)) this.#health.guard(() => this.#bind(target));
    if (input.length > 0) this.write(this.#shared.input!, 0, input);
    const pass = this.#encoder().beginComputePass();
    for (const { pipeline, bindGroup, groups } of target.steps) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroups(groups[0], groups[1]);
    }
    pass.end();
    this.#tally.dispatches += target.steps.length;
    this.#tally.passes++;
    this.#latest = runnable;
  }

  /** Whether the bind groups exist, and name the shared buffers as they are now. */
  #isBound({ bound, steps }: GpuRunnable): boolean {
    if (steps.length > 0 && !steps[0]!.bindGroup) return false;
    return [...bound].every(([name, buffer]) => this.#shared[name]?.buffer === buffer);
  }

  #bind(runnable: GpuRunnable): void {
    runnable.bound.clear();
    for (const step of runnable.steps) {
      const [offset, size] = step.uniform;
      const uniform = { buffer: runnable.uniforms, offset, size };
      const entries = [uniform, ...step.ranges.map((range) => this.#rangeOf(runnable, range))];
      step.bindGroup = this.device.createBindGroup({
        label: step.name,
        layout: step.layout,
        entries: entries.map((resource, binding) => ({ binding, resource })),
      });
      this.#tally.bindGroups++;
    }
  }

  #rangeOf({ stores, bound }: GpuRunnable, { view }: BoundRange): GPUBufferBinding {
    const shared = this.#shared[view.store as SharedBufferName];
    if (shared) bound.set(view.store as SharedBufferName, shared.buffer);
    const { buffer } = shared ?? (stores.get(view.store) as GpuStore);
    return { buffer, offset: 4 * view.offset, size: 4 * view.size };
  }

  readOutput(runnable: Runnable): Promise<Float32Array> {
    if (runnable !== this.#latest) throw new Error("another plan has run since");
    return this.read(this.#shared.output!, 0, runnable.plan.outputSize);
  }

  dispatches(): number {
    return this.#tally.dispatches;
  }

  memory(): EngineMemory {
    const { buffers, bytes, poolBytes } = this.#memoryOf;
    return { tensors: buffers, bytes, poolBytes };
  }

  /** Releases what it made itself; the device is its owner's. */
  dispose(): void {
    this.flush();
    for (const store of Object.values(this.#shared)) if (store) this.destroyStore(store);
    this.#memoryOf.dispose();
    this.#health.dispose();
  }
}

/** The dims of all dispatches in one buffer, equal ones once; where each lies. */
function uniformsOf(shaders: Shader[]) {
  const known = new Map<string, number>();
  const parts: Uint8Array[] = [];
  const places = shaders.map(({ uniform }): [number, number] => {
    const bytes = new Uint8Array(uniform);
    const key = bytes.join();
    const at = known.get(key) ?? parts.push(bytes) - 1;
    known.set(key, at);
    return [at * UNIFORM_STRIDE, align16(bytes.length)];
  });
  const words = new Uint8Array(Math.max(1, parts.length) * UNIFORM_STRIDE);
  parts.forEach((bytes, i) => words.set(bytes, i * UNIFORM_STRIDE));
  return { words, places };
}

const align16 = (bytes: number) => Math.ceil(bytes / 16) * 16;
