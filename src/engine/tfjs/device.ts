/** The tfjs backend of one engine and its cached constants. tfjs has one active backend per process: every use goes through `run`. */
import * as tf from "@tensorflow/tfjs-core";
import type { EngineMemory } from "../engine.ts";
import type { DeviceHealth } from "../webgpu/health.ts";
import { Constants } from "./constants.ts";

export type BackendName = "cpu" | "wasm" | "webgpu";

export class Device {
  readonly constants = new Constants();
  readonly #health: DeviceHealth | null;

  /** `health`: of the graphics device, on webgpu. */
  constructor(
    readonly backend: BackendName,
    health: DeviceHealth | null,
  ) {
    this.#health = health;
  }

  /** Activates this backend and runs `f`; tensors that f neither keeps nor returns are freed. */
  run<T extends tf.TensorContainer>(f: (k: Constants) => T): T {
    this.#health?.check();
    // Another engine may have been active since our last await; switching to a running backend is
    // synchronous.
    if (tf.getBackend() !== this.backend) void tf.setBackend(this.backend);
    return tf.tidy(() => f(this.constants));
  }

  /** tfjs counts per process: with several engines, the numbers include all of them. */
  memory(): EngineMemory {
    const { numTensors, numBytes } = tf.memory();
    return { tensors: numTensors, bytes: numBytes, poolBytes: this.#poolBytes() };
  }

  #poolBytes(): number {
    const backend = tf.findBackend(this.backend) as {
      bufferManager?: { numBytesAllocated: number };
      wasm?: { HEAPU8: Uint8Array };
    };
    return backend.bufferManager?.numBytesAllocated ?? backend.wasm?.HEAPU8.byteLength ?? 0;
  }

  dispose(): void {
    this.constants.dispose();
    this.#health?.dispose();
  }
}
