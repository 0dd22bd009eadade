/**
 * A graphics device that takes every call and computes nothing: for counts at sizes that a software adapter is slow at, and for
 * what goes wrong. Everything that is read of it is zeros.
 */
import type { OpenDevice } from "../../../src/engine/webgpu/device.ts";
import { DevicePace } from "../../../src/engine/webgpu/pace.ts";

const BYTES = 2 ** 30;

/** A pace that does not change, in FLOPs a millisecond: what ends at once would teach that all is fast. */
export class FixedPace extends DevicePace {
  constructor(speed: number) {
    super(false, speed);
  }

  override note(): void {}
}

export const fakeDevice = (): OpenDevice => new FakeGpu().opened;

export class FakeGpu {
  /** What it was asked for, in order: "write", "copy", "submit", "map". */
  readonly log: string[] = [];
  /** Whether submits go on until `finish`. */
  held = false;
  /** What is never answered. */
  silent: "maps" | "judgements" | "kernels" | null = null;
  /** Whether kernels do not compile. */
  refuses = false;
  /** Submits until it is lost. */
  left = Infinity;
  readonly opened: OpenDevice;
  readonly #unfinished: (() => void)[] = [];
  readonly #maps = new Set<(error: Error) => void>();
  #isLost = false;
  #lose!: (info: GPUDeviceLostInfo) => void;

  constructor() {
    const device = this.#device() as unknown as GPUDevice;
    this.opened = { device, info: {} as GPUAdapterInfo, adapter: "none", software: false };
  }

  /** Ends the submit that is under way for longest. */
  finish(): void {
    this.#unfinished.shift()?.();
  }

  /** As a driver's reset does it. */
  lose(): void {
    this.#isLost = true;
    this.#lose({ reason: "unknown", message: "reset by the test" } as GPUDeviceLostInfo);
    for (const reject of this.#maps) reject(new Error("the device is lost"));
  }

  #device() {
    return {
      features: new Set<string>(),
      limits: {
        maxBufferSize: BYTES,
        maxStorageBufferBindingSize: BYTES,
        maxStorageBuffersPerShaderStage: 8,
      },
      queue: {
        writeBuffer: () => void this.log.push("write"),
        submit: () => this.#submit(),
        onSubmittedWorkDone: () => this.#done(),
      },
      lost: new Promise((resolve) => (this.#lose = resolve)),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      pushErrorScope: () => undefined,
      popErrorScope: async () => this.#unless("judgements", null),
      createBuffer: (descriptor: GPUBufferDescriptor) => this.#buffer(descriptor),
      createBindGroupLayout: () => ({}),
      createPipelineLayout: () => ({}),
      createShaderModule: () => ({}),
      createComputePipelineAsync: async () => {
        if (this.refuses) throw new Error("the driver's compiler crashed");
        return this.#unless("kernels", {});
      },
      createBindGroup: () => ({}),
      createCommandEncoder: () => ({
        beginComputePass: fakePass,
        copyBufferToBuffer: () => void this.log.push("copy"),
        finish: () => ({}),
      }),
    };
  }

  /** The answer, unless such are never given. */
  #unless<T>(what: FakeGpu["silent"], answer: T): T | Promise<never> {
    return this.silent === what ? new Promise<never>(() => {}) : answer;
  }

  #submit(): void {
    this.log.push("submit");
    if (!this.#isLost && this.left-- <= 0) this.lose();
  }

  #done(): Promise<void> {
    if (!this.held) return Promise.resolve();
    return new Promise((resolve) => this.#unfinished.push(resolve));
  }

  #buffer({ size }: GPUBufferDescriptor) {
    return {
      size,
      destroy: () => undefined,
      unmap: () => undefined,
      mapAsync: () => this.#map(),
      getMappedRange: (_: number, bytes: number) => new ArrayBuffer(bytes),
    };
  }

  #map(): Promise<void> {
    this.log.push("map");
    if (this.#isLost) return Promise.reject(new Error("the device is lost"));
    return new Promise((resolve, reject) => {
      this.#maps.add(reject);
      if (this.silent !== "maps") resolve();
    });
  }
}

const fakePass = () => ({
  setPipeline: () => undefined,
  setBindGroup: () => undefined,
  dispatchWorkgroups: () => undefined,
  end: () => undefined,
});
