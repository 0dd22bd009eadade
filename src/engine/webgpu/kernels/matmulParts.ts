/** Shared by all matrix product kernels: operands, guarded loads, prologues and epilogues. */
import type { Matmul } from "../../plan/ops/layers.ts";
import type { Packing } from "../../modelConfig.ts";
import { PER_WORD } from "../../plan/ops/view.ts";
import type { Operand } from "../shader.ts";
import { SIGMOID } from "./rows.ts";

/** Whether all rows that are read along consist of whole vec4s. */
export function isAligned({ layout, M, N, K }: Matmul): boolean {
  return K % 4 === 0 && N % 4 === 0 && (layout !== "TN" || M % 4 === 0);
}

function operandsOf(op: Matmul): Operand[] {
  const whole = isAligned(op);
  const array = whole ? "array<vec4f>" : "array<f32>";
  const operands: Operand[] = [
    { name: "a", type: array, view: op.a },
    { name: "b", type: op.b.packed ? PACKED[op.b.packed][whole ? 1 : 0] : array, view: op.b },
    { name: "out", type: array, view: op.out, writes: true },
  ];
  if (op.scales) operands.push({ name: "scales", type: "array<f32>", view: op.scales });
  if (op.bias) operands.push({ name: "bias", type: array, view: op.bias });
  if (op.add && !inPlace(op)) operands.push({ name: "addend", type: array, view: op.add });
  if (op.normWeight) operands.push({ name: "normWeight", type: array, view: op.normWeight });
  return operands;
}

export const inPlace = ({ add, out }: Matmul) =>
  add?.store === out.store && add.offset === out.offset;

/** Four numbers are two words of BF16, or one of int8: how a kernel reads them, guarded and whole. */
const PACKED = {
  bf16: ["array<u32>", "array<vec2u>"],
  int8: ["array<u32>", "array<u32>"],
} as const;

/** B's four numbers at a place of its array, in the source of a kernel; `row`: of B as stored. */
export function vectorOfB({ b }: Matmul, place: string, row: string): string {
  if (!b.packed) return `b[${place}]`;
  return b.packed === "bf16" ? `unpack_b(b[${place}])` : `unpack_b(b[${place}]) * scales[${row}]`;
}

const UNPACK = {
  bf16: `
fn unpack_b(x: vec2u) -> vec4f {
  return bitcast<vec4f>(vec4u(x.x << 16u, x.x & 0xffff0000u, x.y << 16u, x.y & 0xffff0000u));
}`,
  int8: `
fn unpack_b(x: u32) -> vec4f {
  return vec4f(bitcast<vec4i>(vec4u(x << 24u, x << 16u, x << 8u, x)) >> vec4u(24u));
}`,
};

/** What the kernel's source needs besides loads. */
export const unpacking = ({ b }: Matmul): string => (b.packed ? UNPACK[b.packed] : "");

/** As `loader`, for a packed B whose rows are vectors of four numbers. */
function packedLoader(packed: Packing, whole: boolean): string {
  const at = `(row * width + column) / ${whole ? 4 : PER_WORD[packed]}u`;
  const pair = packed === "bf16" && !whole ? "vec2u(b[at], b[at + 1u])" : "b[at]";
  return `
fn rows_b(row: u32, column: u32, rows: u32, width: u32) -> vec4f {
  if (row >= rows || column >= width) { return vec4f(); }
  let at = ${at};
  return unpack_b(${pair})${packed === "int8" ? " * scales[row]" : ""};
}`;
}

/** Four numbers of a matrix at (row, column ..), whose rows are `width` wide; zeros past row or width. */
function loader(name: string, array: string, whole: boolean): string {
  const inside = whole
    ? `return ${array}[(row * width + column) / 4u];`
    : `let at = row * width + column;
  let left = width - column;
  var x = vec4f(${array}[at], 0.0, 0.0, 0.0);
  if (left > 1u) { x.y = ${array}[at + 1u]; }
  if (left > 2u) { x.z = ${array}[at + 2u]; }
  if (left > 3u) { x.w = ${array}[at + 3u]; }
  return x;`;
  return `
fn ${name}(row: u32, column: u32, rows: u32, width: u32) -> vec4f {
  if (row >= rows || column >= width) { return vec4f(); }
  ${inside}
}`;
}

/**
 * load_a(m, k): numbers along k, computed by the prologue if there is one; TN: load_a(k, m), along
 * m. load_b likewise. `sliced`: the result's rows begin at row0, which the kernel sets.
 */
export function loaders(op: Matmul, sliced = false): string {
  const whole = isAligned(op);
  const depth = op.prologue === "swiglu" ? "2u * d.K" : "d.K";
  const a =
    op.layout === "TN"
      ? `fn load_a(k: u32, m: u32) -> vec4f { return rows_a(k, m, d.K, d.M); }`
      : `fn load_a(m: u32, k: u32) -> vec4f { ${prologue(op, depth)} }`;
  const b =
    op.layout === "NT"
      ? `fn load_b(n: u32, k: u32) -> vec4f { return rows_b(n, k, d.N, d.K); }`
      : `fn load_b(k: u32, n: u32) -> vec4f { return rows_b(k, n, d.K, d.N); }`;
  const norm = op.normWeight ? loader("rows_w", "normWeight", whole) : "";
  const rowsB = op.b.packed ? packedLoader(op.b.packed, whole) : loader("rows_b", "b", whole);
  return `${unpacking(op)}${loader("rows_a", "a", whole)}${rowsB}${norm}
${op.prologue === "swiglu" ? SIGMOID : ""}
${a}
${b}
${sliced ? "var<private> row0: u32;" : ""}
${epilogue(op, sliced ? "(row0 + m)" : "m")}`;
}

/** swiglu: a row is [gate | up]; vectors past the gate's end are arbitrary, since B's are zero there. */
function prologue({ prologue: kind }: Matmul, width: string): string {
  if (kind !== "swiglu") return `return rows_a(m, k, d.M, ${width});`;
  return `
  let gate = rows_a(m, k, d.M, ${width});
  let up = rows_a(m, d.K + k, d.M, ${width});
  let s = vec4f(sigmoid(gate.x), sigmoid(gate.y), sigmoid(gate.z), sigmoid(gate.w));
  return gate * s * up;`;
}

/** store(m, n, c): four columns of a row, with bias and addend; `row`: its output row. */
function epilogue(op: Matmul, row: string): string {
  const addend = op.add ? (inPlace(op) ? "out" : "addend") : null;
  const bias = op.bias !== undefined;
  if (isAligned(op)) {
    const terms = [bias ? "bias[n / 4u]" : "", addend ? `${addend}[at]` : ""].filter(Boolean);
    return `
fn store(m: u32, n: u32, c: vec4f) {
  if (m >= d.M || n >= d.N) { return; }
  let at = (${row} * d.N + n) / 4u;
  out[at] = ${["c", ...terms].join(" + ")};
}`;
  }
  const terms = [bias ? "bias[n + i]" : "", addend ? `${addend}[at]` : ""].filter(Boolean);
  return `
fn store(m: u32, n: u32, c: vec4f) {
  if (m >= d.M) { return; }
  for (var i = 0u; i < min(4u, d.N - min(n, d.N)); i++) {
    let at = ${row} * d.N + n + i;
    out[at] = ${["c[i]", ...terms].join(" + ")};
  }
}`;
}

export const common = (op: Matmul) => ({
  operands: operandsOf(op),
  dims: { M: op.M, N: op.N, K: op.K },
  floats: op.prologue === "norm" ? { eps: op.eps! } : {},
});

export const matmulName = ({ layout, M, N, K }: Matmul) => `matmul ${layout} ${M}x${N}x${K}`;
