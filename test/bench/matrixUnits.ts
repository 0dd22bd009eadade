/**
 * A spike: what the matrix units of a card would bring to products. The kernel below is checked by Dawn's compiler, on its null
 * backend, and is run nowhere: no stable browser offers `chromium-experimental-subgroup-matrix`.
 */
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import type { Matmul } from "../../src/engine/plan/ops/layers.ts";
import { productsOf, TOKENS } from "./cards.ts";
import { MODELS } from "./kernels.ts";
import { line, number, percent } from "./numbers.ts";
import type { KernelModel } from "./options.ts";

/** A unit multiplies two square matrices of `size` and adds them to float32: NVIDIA's in half precision, Apple's in float32. */
export const UNITS = {
  nvidia: { size: 16, type: "f16", threads: 32 },
  apple: { size: 8, type: "f32", threads: 32 },
} as const;

export type UnitName = keyof typeof UNITS;

/** A workgroup's part of the result, of four subgroups with a quarter each. */
const TILE = 64;
const SUBGROUPS = 4;

/** Where the number at (row, depth) of A and at (depth, column) of B lies. */
const PLACES: Record<Matmul["layout"], { a: string; b: string }> = {
  NT: { a: "row * K + depth", b: "column * K + depth" },
  NN: { a: "row * K + depth", b: "depth * N + column" },
  TN: { a: "depth * M + row", b: "depth * N + column" },
};

/** WGSL of C = A B in float32 with operands of `unit`'s type, for M, N and K of any size, in subgroups of 32 threads. */
export function matrixShader(
  unit: UnitName,
  layout: Matmul["layout"],
  [M, N, K]: number[],
): string {
  const { size, type, threads } = UNITS[unit];
  const { a, b } = PLACES[layout];
  const own = Array.from({ length: TILE / 2 / size }, (_, i) => i);
  const cells = own.flatMap((i) => own.map((j) => [i, j] as const));
  const matrix = (kind: string, of: string) => `subgroup_matrix_${kind}<${of}, ${size}, ${size}>`;
  const load = (kind: string, tile: string, place: string, stride: number) =>
    `subgroupMatrixLoad<${matrix(kind, type)}, row_major>(&${tile}, ${place}, ${stride}u)`;
  return `${type === "f16" ? "enable f16;\n" : ""}enable subgroups;
enable chromium_experimental_subgroup_matrix;
const M = ${M}u; const N = ${N}u; const K = ${K}u;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> a_tile: array<${type}, ${TILE * size}>;
var<workgroup> b_tile: array<${type}, ${TILE * size}>;
var<workgroup> c_tile: array<f32, ${TILE * TILE}>;
@compute @workgroup_size(${SUBGROUPS * threads})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32, @builtin(subgroup_id) part: u32) {
  let top = group.y * ${TILE}u;
  let left = group.x * ${TILE}u;
  let own_row = part / 2u * ${TILE / 2}u;
  let own_column = part % 2u * ${TILE / 2}u;
${cells.map(([i, j]) => `  var sum_${i}_${j} = ${matrix("result", "f32")}();`).join("\n")}
  for (var start = 0u; start < K; start += ${size}u) {
    for (var i = thread; i < ${TILE * size}u; i += ${SUBGROUPS * threads}u) {
      var depth = start + i % ${size}u;
      let row = top + i / ${size}u;
      var value = 0.0;
      if (row < M && depth < K) { value = a[${a}]; }
      a_tile[i] = ${type}(value);
      depth = start + i / ${TILE}u;
      let column = left + i % ${TILE}u;
      value = 0.0;
      if (column < N && depth < K) { value = b[${b}]; }
      b_tile[i] = ${type}(value);
    }
    workgroupBarrier();
${own.map((i) => `    let a_${i} = ${load("left", "a_tile", `(own_row + ${i * size}u) * ${size}u`, size)};`).join("\n")}
${own.map((j) => `    let b_${j} = ${load("right", "b_tile", `own_column + ${j * size}u`, TILE)};`).join("\n")}
${cells.map(([i, j]) => `    sum_${i}_${j} = subgroupMatrixMultiplyAccumulate(a_${i}, b_${j}, sum_${i}_${j});`).join("\n")}
    workgroupBarrier();
  }
${cells.map(([i, j]) => `  subgroupMatrixStore<row_major>(&c_tile, (own_row + ${i * size}u) * ${TILE}u + own_column + ${j * size}u, sum_${i}_${j}, ${TILE}u);`).join("\n")}
  workgroupBarrier();
  for (var i = thread; i < ${TILE * TILE}u; i += ${SUBGROUPS * threads}u) {
    let row = top + i / ${TILE}u;
    let column = left + i % ${TILE}u;
    if (row < M && column < N) { c[row * N + column] = c_tile[i]; }
  }
}
`;
}

/** @returns what Dawn's compiler says against a shader, with the feature on; [] if nothing. */
export async function compileErrors(codes: string[]): Promise<string[]> {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  const gpu = create(["backend=null", "enable-dawn-features=allow_unsafe_apis"]);
  const adapter = await gpu.requestAdapter();
  const wanted = ["chromium-experimental-subgroup-matrix", "shader-f16", "subgroups"];
  const device = await adapter!.requestDevice({ requiredFeatures: wanted as GPUFeatureName[] });
  device.addEventListener("uncapturederror", (event) => event.preventDefault());
  const infos = codes.map((code) => device.createShaderModule({ code }).getCompilationInfo());
  const messages = (await Promise.all(infos)).flatMap((info) => [...info.messages]);
  device.destroy();
  return messages.map(({ type, lineNum, message }) => `${type}, line ${lineNum}: ${message}`);
}

/** Multiplications with additions from which matrix units pay; TFLOP/s of a real product on an A100 without and with them (localfold, docs/A100.md). */
const PAYS = 1e9;
const MEASURED = { plain: 14.8, units: 28.2 };

const work = (products: Matmul[]) => products.reduce((sum, { M, N, K }) => sum + 2 * M * N * K, 0);

function row(words: string, config: ModelConfig): string {
  const products = productsOf(config);
  const large = products.filter(({ M, N, K }) => M * N * K >= PAYS);
  const whole = large.filter((op) => [op.M, op.N, op.K].every((side) => side % TILE === 0));
  const share = work(large) / work(products);
  const left = 1 - share + (share * MEASURED.plain) / MEASURED.units;
  const cells = [String(products.length), number(work(products) / 1e9), percent(share)];
  return line([words, ...cells, percent(work(whole) / work(large)), percent(left)]);
}

const HEAD = [
  "model",
  "products",
  "GFLOP",
  "of them in products of 1 GMAC and more",
  "of these in whole tiles",
  "time of all products, if as on the A100",
];

/** @returns Markdown. @throws Error if a kernel does not compile. */
export async function main(): Promise<string> {
  const names: KernelModel[] = ["bench", "24m", "qwen2.5-0.5b"];
  const shapes = names.flatMap((name) => productsOf(MODELS[name].config));
  const units = Object.keys(UNITS) as UnitName[];
  const codes = units.flatMap((unit) =>
    shapes.map(({ layout, M, N, K }) => matrixShader(unit, layout, [M, N, K])),
  );
  const distinct = [...new Set(codes)];
  const errors = await compileErrors(distinct);
  if (errors.length > 0) throw new Error(errors.slice(0, 5).join("\n"));
  return [
    `Dawn compiles ${distinct.length} kernels of ${units.length} kinds of unit without a word.`,
    "",
    `**Products of a step of ${TOKENS} tokens**`,
    "",
    line(HEAD),
    line(HEAD.map(() => "---")),
    ...names.map((name) => row(MODELS[name].words, MODELS[name].config)),
  ].join("\n");
}
