/**
 * Batched matrix products. tfjs-wasm takes its fast path (XNNPACK) for a batch of one only and falls to a scalar
 * loop, fifteen times slower, for attention's many small products. The wasm kernel here hands it one matrix at a
 * time, as windows into the operands' memory, so nothing is copied.
 */
import * as tf from "@tensorflow/tfjs-core";

const KERNEL = "TurnbookBatchedProduct";

/** a [Z, m, k] x b [Z, k, n] -> [Z, m, n]; no gradient of its own. */
export function batchedProduct(a: tf.Tensor, b: tf.Tensor): tf.Tensor3D {
  if (tf.getBackend() !== "wasm") return tf.matMul(a as tf.Tensor3D, b as tf.Tensor3D);
  return tf.engine().runKernel(KERNEL, { a, b }) as tf.Tensor3D;
}

/** The parts of tfjs's wasm backend that are private by type but exported by name. */
interface WasmBackend {
  dataIdNextNumber: number;
  dataIdMap: { get(id: object): { id: number; memoryOffset: number } };
  makeOutput(shape: number[], dtype: "float32"): tf.TensorInfo;
  wasm: {
    HEAP32: Int32Array;
    _malloc(bytes: number): number;
    _register_tensor(id: number, size: number, pointer: number): void;
    _dispose_data(id: number): void;
    _BatchMatMul(...args: number[]): void;
  };
}

/** Three tensor numbers and two shapes, set aside once per backend. */
interface Windows {
  a: number;
  b: number;
  out: number;
  /** Addresses of two int32[3]. */
  aShape: number;
  bShape: number;
}

const windows = new WeakMap<WasmBackend, Windows>();

function windowsOf(backend: WasmBackend): Windows {
  let known = windows.get(backend);
  if (!known) {
    const [a, b, out] = [0, 0, 0].map(() => backend.dataIdNextNumber++) as [number, number, number];
    const shapes = backend.wasm._malloc(24);
    known = { a, b, out, aShape: shapes, bShape: shapes + 12 };
    windows.set(backend, known);
  }
  return known;
}

tf.registerKernel({
  kernelName: KERNEL,
  backendName: "wasm",
  kernelFunc: ({ inputs, backend }) =>
    multiply(backend as unknown as WasmBackend, inputs["a"]!, inputs["b"]!),
});

function multiply(backend: WasmBackend, a: tf.TensorInfo, b: tf.TensorInfo): tf.TensorInfo {
  const [Z, m, k] = a.shape as [number, number, number];
  const n = b.shape[2]!;
  if (b.shape[0] !== Z || b.shape[1] !== k) {
    throw new Error(`batched product of [${a.shape.join()}] and [${b.shape.join()}]`);
  }
  const out = backend.makeOutput([Z, m, n], "float32"); // [Z, m, n]
  const { wasm } = backend;
  const id = windowsOf(backend);
  wasm.HEAP32.set([1, m, k], id.aShape / 4);
  wasm.HEAP32.set([1, k, n], id.bShape / 4);
  const at = (info: tf.TensorInfo) => backend.dataIdMap.get(info.dataId).memoryOffset;
  const [aAt, bAt, outAt] = [at(a), at(b), at(out)];
  for (let z = 0; z < Z; z++) {
    wasm._register_tensor(id.a, m * k, aAt + z * m * k * 4);
    wasm._register_tensor(id.b, k * n, bAt + z * k * n * 4);
    wasm._register_tensor(id.out, m * n, outAt + z * m * n * 4);
    wasm._BatchMatMul(id.a, id.aShape, 3, id.b, id.bShape, 3, 0, 0, id.out);
    // Also drops the packed copy of b that XNNPACK keeps by number.
    for (const window of [id.b, id.a, id.out]) wasm._dispose_data(window);
  }
  return out;
}
