/**
 * Three operations that are slow in tfjs-wasm, as our own kernels; on other backends tfjs's are
 * used. None has a gradient: they are used inside hand-derived ones.
 */
import * as tf from "@tensorflow/tfjs-core";

const PRODUCT = "TurnbookBatchedProduct";
const ROWS = "TurnbookGatherRows";
const PIECE = "TurnbookPiece";

/** a [Z, m, k] x b [Z, k, n] -> [Z, m, n] */
export function batchedProduct(a: tf.Tensor, b: tf.Tensor): tf.Tensor3D {
  if (tf.getBackend() !== "wasm") return tf.matMul(a as tf.Tensor3D, b as tf.Tensor3D);
  return tf.engine().runKernel(PRODUCT, { a, b }) as tf.Tensor3D;
}

/** The rows of x at the given indices. x [R, n], index [M] -> [M, n] */
export function gatherRows(x: tf.Tensor, index: Int32Array): tf.Tensor2D {
  if (tf.getBackend() !== "wasm") return tf.gather(x as tf.Tensor2D, tf.tensor1d(index, "int32"));
  // A kernel's attributes are typed for graph files; ours never leave the process.
  const attrs = { index } as unknown as tf.NamedAttrMap;
  return tf.engine().runKernel(ROWS, { x }, attrs) as tf.Tensor2D;
}

/** A part of a flat tensor. x [n] -> [size] */
export function piece(x: tf.Tensor1D, offset: number, size: number): tf.Tensor1D {
  if (tf.getBackend() !== "wasm") return tf.slice(x, [offset], [size]);
  return tf.engine().runKernel(PIECE, { x }, { offset, size }) as tf.Tensor1D;
}

type Three = [number, number, number];

/** The parts of tfjs's wasm backend that are private by type but exported by name. */
interface WasmBackend {
  dataIdNextNumber: number;
  dataIdMap: { get(id: object): { id: number; memoryOffset: number } };
  makeOutput(shape: number[], dtype: "float32"): tf.TensorInfo;
  wasm: {
    HEAP32: Int32Array;
    HEAPF32: Float32Array;
    _malloc(bytes: number): number;
    _register_tensor(id: number, size: number, pointer: number): void;
    _dispose_data(id: number): void;
    _BatchMatMul(...args: number[]): void;
  };
}

/** Three tensor ids and two shapes, allocated once per backend. */
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
    const [a, b, out] = [0, 0, 0].map(() => backend.dataIdNextNumber++) as Three;
    const shapes = backend.wasm._malloc(24);
    known = { a, b, out, aShape: shapes, bShape: shapes + 12 };
    windows.set(backend, known);
  }
  return known;
}

const addressOf = (backend: WasmBackend, { dataId }: tf.TensorInfo) =>
  backend.dataIdMap.get(dataId).memoryOffset;

tf.registerKernel({
  kernelName: ROWS,
  backendName: "wasm",
  kernelFunc: ({ inputs, attrs, backend }) => {
    const { index } = attrs as unknown as { index: Int32Array };
    return copyRows(backend as unknown as WasmBackend, inputs["x"]!, index);
  },
});

/** A plain loop over the heap: tfjs's kernel recomputes every element's address, at forty times the cost. */
function copyRows(backend: WasmBackend, x: tf.TensorInfo, index: Int32Array): tf.TensorInfo {
  const [R, n] = x.shape as [number, number];
  const out = backend.makeOutput([index.length, n], "float32"); // [M, n]
  const heap = backend.wasm.HEAPF32; // after makeOutput, which may move it
  const [from, to] = [addressOf(backend, x) / 4, addressOf(backend, out) / 4];
  for (let i = 0; i < index.length; i++) {
    const row = index[i]!;
    if (row < 0 || row >= R) throw new RangeError(`row ${row} of a tensor of ${R} rows`);
    for (let j = 0; j < n; j++) heap[to + i * n + j] = heap[from + row * n + j]!;
  }
  return out;
}

// tfjs's slice first copies the whole of x out of the heap.
tf.registerKernel({
  kernelName: PIECE,
  backendName: "wasm",
  kernelFunc: ({ inputs, attrs, backend: anyBackend }) => {
    const backend = anyBackend as unknown as WasmBackend;
    const { offset, size } = attrs as unknown as { offset: number; size: number };
    const out = backend.makeOutput([size], "float32"); // [size]
    const from = addressOf(backend, inputs["x"]!) / 4 + offset;
    backend.wasm.HEAPF32.copyWithin(addressOf(backend, out) / 4, from, from + size);
    return out;
  },
});

tf.registerKernel({
  kernelName: PRODUCT,
  backendName: "wasm",
  kernelFunc: ({ inputs, backend }) =>
    multiply(backend as unknown as WasmBackend, inputs["a"]!, inputs["b"]!),
});

/**
 * tfjs-wasm uses its fast path (XNNPACK) only for a batch of one and falls back to a scalar loop,
 * fifteen times slower, for attention's many small products. So it gets one matrix at a time, as
 * windows into the operands' memory.
 */
function multiply(backend: WasmBackend, a: tf.TensorInfo, b: tf.TensorInfo): tf.TensorInfo {
  const [Z, m, k] = a.shape as Three;
  const n = b.shape[2]!;
  if (b.shape[0] !== Z || b.shape[1] !== k) {
    throw new Error(`batched product of [${a.shape.join()}] and [${b.shape.join()}]`);
  }
  const out = backend.makeOutput([Z, m, n], "float32"); // [Z, m, n]
  const { wasm } = backend;
  const id = windowsOf(backend);
  wasm.HEAP32.set([1, m, k], id.aShape / 4);
  wasm.HEAP32.set([1, k, n], id.bShape / 4);
  const [aAt, bAt, outAt] = [a, b, out].map((info) => addressOf(backend, info)) as Three;
  for (let z = 0; z < Z; z++) {
    wasm._register_tensor(id.a, m * k, aAt + z * m * k * 4);
    wasm._register_tensor(id.b, k * n, bAt + z * k * n * 4);
    wasm._register_tensor(id.out, m * n, outAt + z * m * n * 4);
    wasm._BatchMatMul(id.a, id.aShape, 3, id.b, id.bShape, 3, 0, 0, id.out);
    // Also drops the packed copy of b that XNNPACK caches by id.
    for (const window of [id.b, id.a, id.out]) wasm._dispose_data(window);
  }
  return out;
}
