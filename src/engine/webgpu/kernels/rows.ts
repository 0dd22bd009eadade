/** Rows copied by index, the embedding's gradient, SwiGLU: one thread per number. */
import type { OpOf } from "../../plan/ops.ts";
import { PER_WORD, type BufferView } from "../../plan/ops/view.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { FLAT, flat } from "./lanes.ts";

const elementwise = (
  name: string,
  size: number,
  operands: Operand[],
  body: string,
  dims: Record<string, number> = {},
): Dispatch => ({
  name,
  operands,
  dims: { size, ...dims },
  body: `${flat()}\n${body}`,
  workgroup: FLAT,
  groups: Math.ceil(size / FLAT),
});

/** out[r] = from[index[r]], zeros where the index is negative. */
function takeRows(
  name: string,
  from: BufferView,
  index: BufferView,
  out: BufferView,
  R: number,
  D: number,
) {
  const operands: Operand[] = [
    { name: "source", type: "u32", view: from },
    { name: "index", type: "i32", view: index },
    { name: "out", type: "u32", view: out, writes: true },
  ];
  const body = `
  let row = index(i / ${D}u);
  var word = 0u;
  if (row >= 0) { word = source(u32(row) * ${D}u + i % ${D}u); }
  put_out(i, word);`;
  return [elementwise(name, R * D, operands, body)];
}

export const embedKernel = (op: OpOf<"embed">) =>
  op.table.packed ? unpackRows(op) : takeRows("embed", op.table, op.ids, op.out, op.R, op.D);

/** A number of a packed table, from its word. */
const UNPACK = {
  bf16: "bitcast<f32>(select(word << 16u, word & 0xffff0000u, i % 2u == 1u))",
  int8: "f32(bitcast<i32>(word << (24u - i % 4u * 8u)) >> 24u) * scales(u32(row))",
};

function unpackRows({ table, scales, ids, out, R, D }: OpOf<"embed">): Dispatch[] {
  const operands: Operand[] = [
    { name: "source", type: "u32", view: table },
    { name: "index", type: "i32", view: ids },
    { name: "out", type: "f32", view: out, writes: true },
    ...(scales ? [{ name: "scales", type: "f32" as const, view: scales }] : []),
  ];
  const perWord = PER_WORD[table.packed!];
  const body = `
  let row = index(i / ${D}u);
  var x = 0.0;
  if (row >= 0) {
    let word = source(u32(row) * ${D / perWord}u + i % ${D}u / ${perWord}u);
    x = ${UNPACK[table.packed!]};
  }
  put_out(i, x);`;
  return [elementwise("embed", R * D, operands, body)];
}

export const gatherRowsKernel = (op: OpOf<"gatherRows">) =>
  takeRows("gatherRows", op.x, op.index, op.out, op.M, op.D);
export const scatterRows = (op: OpOf<"scatterRows">) =>
  takeRows("scatterRows", op.x, op.place, op.out, op.R, op.D);

export function embedGrad({ dx, unique, start, order, grad, R, D }: OpOf<"embedGrad">): Dispatch[] {
  const operands: Operand[] = [
    { name: "dx", type: "f32", view: dx },
    { name: "unique", type: "i32", view: unique },
    { name: "start", type: "i32", view: start },
    { name: "order", type: "i32", view: order },
    { name: "grad", type: "f32", view: grad, writes: true },
  ];
  const body = `
  let u = i / ${D}u;
  let column = i % ${D}u;
  let to = start(u + 1u);
  var at = start(u);
  if (at >= to) { return; }
  var sum = 0.0;
  for (; at < to; at++) { sum += dx(u32(order(u32(at))) * ${D}u + column); }
  let into = u32(unique(u)) * ${D}u + column;
  put_grad(into, grad(into) + sum);`;
  return [elementwise("embedGrad", R * D, operands, body)];
}

/** The sigmoid without overflow: the exponential's argument is never positive. */
export const SIGMOID = `
fn sigmoid(z: f32) -> f32 { let e = exp(-abs(z)); return select(e, 1.0, z >= 0.0) / (1.0 + e); }`;

export function swiglu({ gateUp, out, R, F }: OpOf<"swiglu">): Dispatch[] {
  const operands: Operand[] = [
    { name: "gateUp", type: "f32", view: gateUp },
    { name: "out", type: "f32", view: out, writes: true },
  ];
  const body = `
  let g = i / ${F}u * ${2 * F}u + i % ${F}u;
  let gate = gateUp(g);
  put_out(i, gate * sigmoid(gate) * gateUp(g + ${F}u));`;
  return [{ ...elementwise("swiglu", R * F, operands, body), declarations: SIGMOID }];
}

export function swigluBackward({ gateUp, dInner, R, F }: OpOf<"swigluBackward">): Dispatch[] {
  const operands: Operand[] = [
    { name: "gateUp", type: "f32", view: gateUp, writes: true },
    { name: "dInner", type: "f32", view: dInner, writes: true },
  ];
  const body = `
  let g = i / ${F}u * ${2 * F}u + i % ${F}u;
  let gate = gateUp(g);
  let up = gateUp(g + ${F}u);
  let dy = dInner(i);
  let s = sigmoid(gate);
  put_gateUp(g, dy * up * (s + gate * s * (1.0 - s)));
  put_gateUp(g + ${F}u, dy * gate * s);
  put_dInner(i, gate * s * up);`;
  return [{ ...elementwise("swigluBackward", R * F, operands, body), declarations: SIGMOID }];
}

export function reducePartials(op: OpOf<"reducePartials">): Dispatch[] {
  const { J, P, n, stride, outStride } = op;
  const operands: Operand[] = [
    { name: "partials", type: "f32", view: op.partials },
    { name: "out", type: "f32", view: op.out, writes: true },
  ];
  // Four loads in flight at a time; the sums are still sequential.
  const four = [0, 1, 2, 3];
  const body = `
  let j = i / d.n;
  let column = i % d.n;
  var sum = 0.0;
  var at = j * d.stride + column;
  var p = 0u;
  for (; p + 4u <= d.P; p += 4u) {
    ${four.map((q) => `let a${q} = partials(at + ${q}u * d.n);`).join(" ")}
    ${four.map((q) => `sum += a${q};`).join(" ")}
    at += 4u * d.n;
  }
  for (; p < d.P; p++) { sum += partials(at); at += d.n; }
  let into = j * d.outStride + column;
  put_out(into, out(into) + sum);`;
  return [elementwise("reducePartials", J * n, operands, body, { P, n, stride, outStride })];
}
