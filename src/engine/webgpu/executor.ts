/**
 * Runs plans on a graphics device. Everything is prepared at compile time; a run is one upload and
 * one pass, or several if it is long (submitQueue.ts). Runs are submitted together, when something
 * is read or uploaded.
 */
import type { EngineInfo, EngineMemory } from "../engine.ts";
import { EngineError } from "../errors.ts";
import type { Executor, Runnable, Store } from "../plan/executor.ts";
import { planBytes, type Plan } from "../plan/planner.ts";
import { pairsOf } from "../plan/work.ts";
import type { OpenDevice } from "./device.ts";
import { DeviceHealth } from "./health.ts";
import { dispatchesOf, type KernelTarget } from "./kernels/index.ts";
import { GpuMemory, memoryBudget, type GpuStore } from "./memory.ts";
import { paceOf, type DevicePace } from "./pace.ts";
import { pipelinesOf, type Compiled, type Pipelines } from "./pipelines.ts";
import {
  GpuRunnable,
  longestDispatch,
  partsWithWork,
  scratchSize,
  uniformsOf,
  type EncodedStep,
  type SharedBufferName,
} from "./runnable.ts";
import { checkBindings, grid, toShader, type BoundRange, type Shader } from "./shader.ts";
import { SubmitQueue } from "./submitQueue.ts";

/** Exact counts since the start, for tests and the bench. */
interface GpuCounts {
  buffers: number;
  bindGroups: number;
  pipelines: number;
  dispatches: number;
  passes: number;
  writes: number;
  submits: number;
  /** FLOPs of the longest submit, and the maximum number of concurrent submits. */
  longest: number;
  underWay: number;
}

/** Bytes that every device can bind at once: a pass within this limit runs everywhere. */
const LEAST_BINDING = 2 ** 27;

/** Bytes of a large model's pass on a card that can bind them, and their share of its memory. */
const CARD_PASS = 2 ** 30;
const PASS_SHARE = 1 / 4;

export interface ExecutorOptions {
  /**
   * Use kernels without workgroup barriers; absent: if the adapter is software. Tests compare both.
   */
  softwareKernels?: boolean;
  /** Number of threads that sum without workgroup memory; absent: none. See agreeingSubgroup. */
  subgroup?: number;
  /** Absent: the device's own. Set by tests. */
  pace?: DevicePace;
}

export class WebGpuExecutor implements Executor {
  readonly info: EngineInfo;
  readonly tuning;
  readonly limits: Executor["limits"];
  readonly device: GPUDevice;
  readonly #target: KernelTarget;
  readonly #memoryOf: GpuMemory;
  readonly #pipelines: Pipelines;
  readonly #health: DeviceHealth;
  readonly #shared: Record<SharedBufferName, GpuStore | null> = {
    arena: null,
    input: null,
    output: null,
    scratch: null,
  };
  readonly pace: DevicePace;
  readonly #queue: SubmitQueue;
  #latest: Runnable | null = null;
  readonly #tally = { bindGroups: 0, dispatches: 0, passes: 0, writes: 0 };

  constructor({ device, adapter, software }: OpenDevice, options: ExecutorOptions = {}) {
    this.device = device;
    this.info = { engine: "webgpu", backend: "webgpu", adapter, reproducible: "device" };
    const { softwareKernels = software, subgroup = 0 } = options;
    this.#target = { software: softwareKernels, subgroup };
    // A GPU idles while a read is pending; on a CPU, steps of finished rows cost as much as any
    // other.
    const looks = this.#target.software ? { stepsPerRead: 8 } : { stepsPerRead: 4, looksAhead: 1 };
    const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
    const most = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    const totalBytes = memoryBudget();
    this.limits = { viewBytes: most, storeBytes: most, totalBytes };
    const passes = { tokensPerPass: 2048, passBytes: LEAST_BINDING, trims: true };
    const mostPassBytes = software
      ? LEAST_BINDING
      : Math.min(CARD_PASS, PASS_SHARE * totalBytes, most);
    this.tuning = { ...passes, mostPassBytes, ...looks };
    this.#memoryOf = new GpuMemory(device);
    this.#pipelines = pipelinesOf(device);
    this.#health = new DeviceHealth(device);
    this.pace = options.pace ?? paceOf(device, software);
    this.#queue = new SubmitQueue(device, this.#health, this.pace);
  }

  counts(): GpuCounts {
    const memoryOf = this.#memoryOf;
    const pipelines = this.#pipelines;
    const tally = this.#tally;
    const { counts } = this.#queue;
    return { buffers: memoryOf.created, pipelines: pipelines.count, ...tally, ...counts };
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
    this.#memoryOf.destroy((store as GpuStore).buffer, (act) => this.#queue.then(act));
  }

  write(store: Store, offset: number, data: Float32Array | Int32Array): void {
    this.#health.check();
    if (data.byteLength === 0) return;
    this.flush(); // recorded commands must see the old data
    this.#tally.writes++;
    const target = (store as GpuStore).buffer;
    const { buffer, byteOffset, byteLength } = this.#queue.waits ? data.slice() : data;
    this.#queue.then(() =>
      this.#health.guard(() =>
        this.device.queue.writeBuffer(target, 4 * offset, buffer, byteOffset, byteLength),
      ),
    );
  }

  copy(from: Store, at: number, to: Store, offset: number, size: number): void {
    this.#health.check();
    const [source, target] = [from, to].map((store) => (store as GpuStore).buffer);
    const { encoder } = this.#queue;
    this.#health.guard(() =>
      encoder.copyBufferToBuffer(source!, 4 * at, target!, 4 * offset, 4 * size),
    );
  }

  async read(store: Store, offset: number, size: number): Promise<Float32Array> {
    this.#health.check();
    const from = (store as GpuStore).buffer;
    const queue = this.#queue;
    const copy = this.#health.guard(() => this.#memoryOf.copy(queue.encoder, from, offset, size));
    // A buffer that is to be mapped may not be submitted any more.
    const mapped = new Promise<Float32Array>((resolve) => queue.then(() => resolve(copy.words())));
    const words = await this.#health.answer(mapped).catch((error: unknown) => this.#failed(error));
    await this.#health.settle();
    return words;
  }

  /** Hands over the recorded commands, to be submitted as soon as the device is free. */
  flush(): void {
    this.#queue.flush();
  }

  /** Submits all recorded commands now: for other users of the device. */
  submitAll(): void {
    this.#queue.submitAll();
  }

  /** Resolves once everything so far is submitted. */
  submitted(): Promise<void> {
    return this.#queue.submitted();
  }

  /** A map fails if the device is gone; the device's own message arrives a little later. */
  async #failed(error: unknown): Promise<never> {
    this.#health.check();
    await new Promise((resolve) => setTimeout(resolve, 0));
    await this.#health.settle();
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError("device-lost", `WebGPU could not be read (${why}); reload the page`);
  }

  async compile(plan: Plan, stores: ReadonlyMap<string, Store>): Promise<Runnable> {
    this.#health.check();
    const longest = longestDispatch(this.pace);
    const parts = plan.ops.flatMap((op) =>
      partsWithWork(op, dispatchesOf(op, this.#target), longest),
    );
    const shaders = parts.map(({ dispatch }) => toShader(dispatch));
    const compiling = shaders.map((shader, i) => this.#pipeline(shader, parts[i]!.dispatch.name));
    const compiled = await this.#health.answer(Promise.all(compiling));
    const { totalBytes = Infinity } = this.limits;
    const isTight = this.#memoryOf.bytes + 2 * planBytes(plan) > totalBytes;
    this.#reserve("arena", plan.arenaSize, isTight);
    this.#reserve("input", plan.inputSize, isTight);
    this.#reserve("output", plan.outputSize, isTight);
    this.#reserve("scratch", scratchSize(parts.map(({ dispatch }) => dispatch)), isTight);
    const { words, places } = uniformsOf(shaders);
    const steps = parts.map(({ dispatch, work }, i): EncodedStep => ({
      ...compiled[i]!,
      ...work,
      name: dispatch.name,
      ranges: shaders[i]!.ranges,
      uniform: places[i]!,
      groups: grid(dispatch.groups),
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
    const dispose = () => this.#memoryOf.destroy(uniforms, (act) => this.#queue.then(act));
    return new GpuRunnable(plan, stores, steps, uniforms, dispose);
  }

  async #pipeline(shader: Shader, name: string): Promise<Compiled> {
    checkBindings(shader, name, this.device.limits.maxStorageBuffersPerShaderStage);
    try {
      return await this.#pipelines.get(shader, name);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new EngineError(
        "backend-failed",
        `kernel ${name} does not compile: ${why}; use the wasm backend`,
      );
    } finally {
      this.#health.progress();
    }
  }

  #reserve(name: SharedBufferName, size: number, isTight: boolean): void {
    const old = this.#shared[name];
    if (size <= (old?.size ?? 0)) return;
    // Spare space, so that the next, slightly larger plan need not move everything again.
    const most = this.limits.storeBytes / 4;
    const roomy = isTight ? size : Math.min(most, size + (size >> 3));
    this.#shared[name] = this.createStore(name, roomy) as GpuStore;
    if (old) this.destroyStore(old);
  }

  run(runnable: Runnable, input: Int32Array): void {
    this.#health.check();
    const target = runnable as GpuRunnable;
    if (!this.#isBound(target)) this.#health.guard(() => this.#bind(target));
    if (input.length > 0) this.write(this.#shared.input!, 0, input);
    this.#record(target.steps, pairsOf(target.plan, input));
    this.#latest = runnable;
  }

  /** `pairs`: of a token and one that it attends to. */
  #record(steps: EncodedStep[], pairs: number): void {
    const queue = this.#queue;
    let pass: GPUComputePassEncoder | null = null;
    for (const { pipeline, bindGroup, groups, fixed, perPair } of steps) {
      const work = fixed + perPair * pairs;
      const cut = queue.cutBefore(work);
      if (cut) {
        pass?.end();
        pass = null;
        queue.flush(cut === "early");
      }
      pass ??= this.#newPass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroups(groups[0], groups[1]);
      queue.note(work);
    }
    pass?.end();
    this.#tally.dispatches += steps.length;
  }

  #newPass(): GPUComputePassEncoder {
    this.#tally.passes++;
    return this.#queue.encoder.beginComputePass();
  }

  /** Whether the bind groups exist, and use the current shared buffers. */
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

  /** Bytes shared by all plans. */
  get working(): number {
    return Object.values(this.#shared).reduce((sum, store) => sum + (store?.buffer.size ?? 0), 0);
  }

  dispatches(): number {
    return this.#tally.dispatches;
  }

  memory(): EngineMemory {
    const { buffers, bytes, poolBytes } = this.#memoryOf;
    return { tensors: buffers, bytes, poolBytes };
  }

  /** Releases its own resources; the device belongs to its owner. */
  dispose(): void {
    for (const store of Object.values(this.#shared)) if (store) this.destroyStore(store);
    this.#memoryOf.dispose();
    this.#health.dispose();
  }
}
