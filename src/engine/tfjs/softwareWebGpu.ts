/**
 * Kernels for software WebGPU adapters. tfjs's products, reductions and softmax use workgroup
 * barriers, which a CPU emulating a GPU runs about fifty times slower than plain loops; these have
 * one thread per row or tile and no barrier. They replace tfjs's in the cases this engine uses;
 * tfjs handles the others.
 */
import * as tf from "@tensorflow/tfjs-core";
import type { WebGPUBackend, WebGPUProgram } from "@tensorflow/tfjs-backend-webgpu";

type Attributes = Record<string, unknown>;

/** Runs a kernel, or returns null to leave the case to tfjs. */
type TfjsKernel = (
  backend: WebGPUBackend,
  inputs: tf.NamedTensorInfoMap,
  attrs: Attributes,
) => tf.TensorInfo | null;

let installed = false;

/** Replaces the slow kernels, once per process. */
export function installSoftwareKernels(): void {
  if (installed) return;
  installed = true;
  override("BatchMatMul", product);
  override("Sum", (backend, { x }, attrs) => reduceRows(backend, x!, attrs, "0.0", "best + value"));
  override("Max", (backend, { x }, attrs) =>
    reduceRows(backend, x!, attrs, "-3.4e38", "max(best, value)"),
  );
  override("Softmax", softmax);
  override("Transpose", flip);
}

function override(kernelName: string, kernel: TfjsKernel): void {
  const theirs = tf.getKernel(kernelName, "webgpu");
  tf.unregisterKernel(kernelName, "webgpu");
  tf.registerKernel({
    ...theirs,
    kernelFunc: (args) =>
      kernel(args.backend as WebGPUBackend, args.inputs, args.attrs as Attributes) ??
      theirs.kernelFunc(args),
  });
}

interface ShaderJob {
  name: string;
  inputs: [variable: string, tensor: tf.TensorInfo][];
  shape: number[];
  /** Number of threads; the body runs once in each, with its index in `index`. */
  threads: number;
  /** Integers that the body sees as `uniforms.NAME`. */
  numbers: Record<string, number>;
  body: string;
}

const WORKGROUP = 64;

function runJob(
  backend: WebGPUBackend,
  { name, inputs, shape, threads, numbers, body }: ShaderJob,
): tf.TensorInfo {
  const all = { threads, ...numbers };
  const program: WebGPUProgram = {
    shaderKey: `turnbook ${name}`,
    variableNames: inputs.map(([variable]) => variable),
    outputShape: shape,
    workgroupSize: [WORKGROUP, 1, 1],
    dispatchLayout: { x: shape.map((_, axis) => axis) },
    dispatch: [Math.ceil(threads / WORKGROUP), 1, 1],
    uniforms: Object.keys(all)
      .map((key) => `${key} : i32, `)
      .join(""),
    getUserCode: () =>
      `fn main(index : i32) { if (index >= uniforms.threads) { return; } ${body} }`,
  };
  const data = Object.values(all).map((n) => ({ type: "int32", data: [n] }));
  return backend.runWebGPUProgram(
    program,
    inputs.map(([, tensor]) => tensor),
    "float32",
    data,
  );
}

const TILE = 4;

/** Rank 2 or equal batches, either side transposed or not. [Z, m, k] x [Z, k, n] -> [Z, m, n] */
function product(
  backend: WebGPUBackend,
  inputs: tf.NamedTensorInfoMap,
  attrs: Attributes,
): tf.TensorInfo | null {
  const [a, b] = [inputs["a"]!, inputs["b"]!];
  const batch = a.shape.slice(0, -2);
  if (batch.join() !== b.shape.slice(0, -2).join()) return null;
  const [aRows, aColumns] = a.shape.slice(-2) as [number, number];
  const [bRows, bColumns] = b.shape.slice(-2) as [number, number];
  const [m, k] = attrs["transposeA"] ? [aColumns, aRows] : [aRows, aColumns];
  const n = attrs["transposeB"] ? bRows : bColumns;
  const [aRow, aColumn] = attrs["transposeA"] ? [1, aColumns] : [aColumns, 1];
  const [bRow, bColumn] = attrs["transposeB"] ? [1, bColumns] : [bColumns, 1];
  const [down, across] = [Math.ceil(m / TILE), Math.ceil(n / TILE)];
  const Z = batch.reduce((x, y) => x * y, 1);
  return runJob(backend, {
    name: "product",
    inputs: [
      ["A", a],
      ["B", b],
    ],
    shape: [...batch, m, n],
    threads: Z * down * across,
    numbers: { m, k, n, down, across, aRow, aColumn, bRow, bColumn },
    body: PRODUCT,
  });
}

/**
 * f32() because tfjs casts integers by label only: one-hot rows arrive as i32. A tile of 4 x 4 per
 * thread; indices beyond the edge repeat the last one and are not written.
 */
const PRODUCT = `
  let z = index / (uniforms.down * uniforms.across);
  let tile = index % (uniforms.down * uniforms.across);
  let i = vec4<i32>(tile / uniforms.across * 4) + vec4<i32>(0, 1, 2, 3);
  let j = vec4<i32>(tile % uniforms.across * 4) + vec4<i32>(0, 1, 2, 3);
  var a = z * uniforms.m * uniforms.k + min(i, vec4<i32>(uniforms.m - 1)) * uniforms.aRow;
  var b = z * uniforms.k * uniforms.n + min(j, vec4<i32>(uniforms.n - 1)) * uniforms.bColumn;
  var acc0 = vec4<f32>(0.0);
  var acc1 = vec4<f32>(0.0);
  var acc2 = vec4<f32>(0.0);
  var acc3 = vec4<f32>(0.0);
  for (var step = 0; step < uniforms.k; step++) {
    let right = vec4<f32>(f32(B[b.x]), f32(B[b.y]), f32(B[b.z]), f32(B[b.w]));
    acc0 += f32(A[a.x]) * right;
    acc1 += f32(A[a.y]) * right;
    acc2 += f32(A[a.z]) * right;
    acc3 += f32(A[a.w]) * right;
    a += vec4<i32>(uniforms.aColumn);
    b += vec4<i32>(uniforms.bRow);
  }
  let acc = array<vec4<f32>, 4>(acc0, acc1, acc2, acc3);
  for (var r = 0; r < 4; r++) {
    for (var c = 0; c < 4; c++) {
      if (i.x + r < uniforms.m && j.x + c < uniforms.n) {
        result[(z * uniforms.m + i.x + r) * uniforms.n + j.x + c] = acc[r][c];
      }
    }
  }`;

/** Over the last axis only. */
function reduceRows(
  backend: WebGPUBackend,
  x: tf.TensorInfo,
  attrs: Attributes,
  start: string,
  step: string,
): tf.TensorInfo | null {
  const axes = [attrs["axis"] ?? attrs["reductionIndices"]].flat() as number[];
  const last = x.shape.length - 1;
  if (x.dtype !== "float32" || axes.length !== 1 || (axes[0] !== last && axes[0] !== -1))
    return null;
  const width = x.shape[last]!;
  const rows = x.shape.slice(0, -1);
  return runJob(backend, {
    name: `reduce ${step}`,
    inputs: [["A", x]],
    shape: attrs["keepDims"] ? [...rows, 1] : rows,
    threads: rows.reduce((a, b) => a * b, 1),
    numbers: { width },
    body: `
      var best = ${start};
      for (var i = 0; i < uniforms.width; i++) {
        let value = A[index * uniforms.width + i];
        best = ${step};
      }
      result[index] = best;`,
  });
}

function softmax(backend: WebGPUBackend, inputs: tf.NamedTensorInfoMap): tf.TensorInfo {
  const logits = inputs["logits"]!;
  const width = logits.shape.at(-1)!;
  return runJob(backend, {
    name: "softmax",
    inputs: [["A", logits]],
    shape: logits.shape,
    threads: logits.shape.reduce((a, b) => a * b, 1) / width,
    numbers: { width },
    body: `
      let row = index * uniforms.width;
      var top = A[row];
      for (var i = 1; i < uniforms.width; i++) { top = max(top, A[row + i]); }
      var sum = 0.0;
      for (var i = 0; i < uniforms.width; i++) { sum += exp(A[row + i] - top); }
      for (var i = 0; i < uniforms.width; i++) { result[row + i] = exp(A[row + i] - top) / sum; }`,
  });
}

/** Matrices only; tfjs itself transposes higher ranks without barriers. [m, n] -> [n, m] */
function flip(backend: WebGPUBackend, inputs: tf.NamedTensorInfoMap): tf.TensorInfo | null {
  const x = inputs["x"]!;
  if (x.shape.length !== 2 || x.dtype !== "float32") return null;
  const [m, n] = x.shape as [number, number];
  return runJob(backend, {
    name: "flip",
    inputs: [["A", x]],
    shape: [n, m],
    threads: m * n,
    numbers: { m, n },
    body: "result[index] = A[index % uniforms.m * uniforms.n + index / uniforms.m];",
  });
}
