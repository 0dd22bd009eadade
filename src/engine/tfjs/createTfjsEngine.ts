/** The tfjs engine: starts a backend and creates models on it. Works in a page, in a worker and in Node. */
import * as tf from "@tensorflow/tfjs-core";
import type { Engine, EngineInfo, EngineModel, ValueHead, WeightMap } from "../engine.ts";
import { EngineError } from "../errors.ts";
import type { ModelConfig } from "../modelConfig.ts";
import { sharedDevice } from "../webgpu/device.ts";
import { DeviceHealth } from "../webgpu/health.ts";
import { Device, type BackendName } from "./device.ts";
import { TfjsModel } from "./model.ts";

export type { BackendName } from "./device.ts";

interface TfjsEngineOptions {
  backend: BackendName;
  /**
   * Location of `tfjs-backend-wasm-simd.wasm`: a URL in the browser, a path in Node. Needed for
   * wasm.
   */
  wasmBinary?: string;
  /** Use kernels without workgroup barriers, on webgpu; absent: if the adapter is software. Tests compare both. */
  softwareKernels?: boolean;
}

/**
 * Starts the backend; it stays up for the lifetime of the process, shared by all engines that use
 * it.
 * @throws EngineError if there is no WebGPU adapter or a backend does not start.
 */
export async function createTfjsEngine(options: TfjsEngineOptions): Promise<Engine> {
  tf.enableProdMode(); // no banners on the console
  const adapter = await startBackend(options);
  const device = new Device(options.backend, await healthOf(options.backend));
  const info: EngineInfo = {
    engine: "tfjs",
    backend: options.backend,
    adapter,
    reproducible: REPRODUCIBLE[options.backend],
  };
  return {
    info,
    createModel: async (config: ModelConfig, weights: WeightMap, head: ValueHead) => {
      if (config.lora || config.packed)
        throw new EngineError(
          "backend-failed",
          "the tfjs engine has no adapters (model.lora) and no packed weights; use engine wasm or webgpu",
        );
      return new TfjsModel(device, config, head, weights) as EngineModel;
    },
    memory: () => device.memory(),
    dispose: () => device.dispose(),
  };
}

/**
 * wasm: one thread and IEEE arithmetic, but XNNPACK picks its kernels by processor family, so
 * results are reproducible only on one device. cpu: Math.exp differs between browsers. webgpu:
 * tfjs's split-K products use float atomics.
 */
const REPRODUCIBLE: Record<BackendName, EngineInfo["reproducible"]> = {
  wasm: "device",
  cpu: "device",
  webgpu: "no",
};

const started = new Map<BackendName, Promise<string>>();

/** Starts a backend once per process; resolves to the adapter in words. */
function startBackend(options: TfjsEngineOptions): Promise<string> {
  const { backend } = options;
  const running = started.get(backend) ?? starters[backend](options);
  started.set(backend, running);
  // A failed start can be retried, e.g. after the page lost its device.
  running.catch(() => started.delete(backend));
  return running;
}

const starters: Record<BackendName, (options: TfjsEngineOptions) => Promise<string>> = {
  cpu: startCpu,
  wasm: startWasm,
  webgpu: startWebGpu,
};

async function startCpu(): Promise<string> {
  await import("@tensorflow/tfjs-backend-cpu");
  await activate("cpu");
  return "plain JavaScript";
}

async function startWasm({ wasmBinary }: TfjsEngineOptions): Promise<string> {
  if (!wasmBinary)
    throw new EngineError("backend-failed", "no path to the tfjs wasm binary was given");
  const { setWasmPaths } = await import("@tensorflow/tfjs-backend-wasm");
  const simd = await tf.env().getAsync("WASM_HAS_SIMD_SUPPORT");
  if (!simd) throw new EngineError("backend-failed", "this browser's WebAssembly has no SIMD");
  // One thread: sums keep one order, and no special response headers are needed.
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  // tfjs requires three paths; with these settings it only uses the SIMD one.
  setWasmPaths({
    "tfjs-backend-wasm.wasm": wasmBinary,
    "tfjs-backend-wasm-simd.wasm": wasmBinary,
    "tfjs-backend-wasm-threaded-simd.wasm": wasmBinary,
  });
  await activate("wasm");
  return "WebAssembly SIMD, one thread";
}

/** tfjs would request its own device; it gets the one that all engines share. */
async function startWebGpu({ softwareKernels }: TfjsEngineOptions): Promise<string> {
  const { device, info, adapter, software } = await sharedDevice();
  const { WebGPUBackend } = await import("@tensorflow/tfjs-backend-webgpu");
  tf.removeBackend("webgpu");
  tf.registerBackend("webgpu", () => new WebGPUBackend(device, info), 3);
  await activate("webgpu");
  void device.lost.then(() => started.delete("webgpu"));
  if (softwareKernels ?? software) {
    const { installSoftwareKernels } = await import("./softwareWebGpu.ts");
    installSoftwareKernels();
  }
  return adapter;
}

async function healthOf(backend: BackendName): Promise<DeviceHealth | null> {
  return backend === "webgpu" ? new DeviceHealth((await sharedDevice()).device).listen() : null;
}

async function activate(backend: BackendName): Promise<void> {
  const ready = await tf.setBackend(backend).catch((error: unknown) => error);
  if (ready === true) return;
  const why = ready instanceof Error ? `: ${ready.message}` : "";
  throw new EngineError("backend-failed", `the tfjs ${backend} backend did not start${why}`);
}
