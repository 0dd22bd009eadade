/** Attention of new rows over the cache: an item per row and query head, whose lanes take a key each, then a column each. */
import type { Op } from "../../plan/ops.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { lanesFor, LOWEST, type KernelTarget } from "./lanes.ts";

type Cached = Extract<Op, { op: "cachedAttention" }>;

const operandsOf = (op: Cached): Operand[] => [
  { name: "qkv", type: "f32", view: op.qkv },
  { name: "row", type: "i32", view: op.row },
  { name: "position", type: "i32", view: op.position },
  { name: "keys", type: op.halves ? "u32" : "f32", view: op.keys },
  { name: "values", type: op.halves ? "u32" : "f32", view: op.values },
  { name: "out", type: "f32", view: op.out, writes: true },
];

export function cachedAttentionKernel(op: Cached, target: KernelTarget): Dispatch[] {
  const { R, H, K, d, capacity } = op;
  const { lanes: n, workgroup, items, declarations } = lanesFor(target, 64);
  const columns = Math.ceil(d / n);
  const slot = op.halves ? d / 2 : d;
  const body = `
  let asked = ${n === 1 ? `group * ${items}u + lid` : "group"};
  let live = asked < d.items;
  let item = min(asked, d.items - 1u);
  let lane = lid % ${n}u;
  let r = item / ${H}u;
  let h = item % ${H}u;
  let cached = row(r);
  let base = (u32(max(cached, 0)) * ${K}u + h * ${K}u / ${H}u) * ${capacity * slot}u;
  let q = r * ${(H + 2 * K) * d}u + h * ${d}u;
  var seen = 0u;
  if (cached >= 0) { seen = u32(position(r)) + 1u; }
  var acc: array<f32, ${columns}>;
  var top = ${LOWEST};
  var sum = 0.0;
  for (var from_ = 0u; from_ < seen; from_ += ${n}u) {
    let j = from_ + lane;
    var s = ${LOWEST};
    if (j < seen) {
      var qk = 0.0;
      for (var i = 0u; i < ${slot}u; i++) { ${scored(op)} }
      s = qk * d.scale;
    }
    let next = max(top, laneMax(s, lid));
    let keep = exp(top - next);
    let p = select(0.0, exp(s - next), j < seen);
    sum = sum * keep + laneSum(p, lid);
    top = next;
    ${n === 1 ? mixAlone(op) : mixTogether(op, n, columns)}
  }
  if (!live) { return; }
  for (var c = 0u; c < ${columns}u; c++) {
    let i = c * ${n}u + lane;
    if (i < ${d}u) { put_out(item * ${d}u + i, select(0.0, acc[c] / sum, seen > 0u)); }
  }`;
  return [
    {
      name: "cachedAttention",
      operands: operandsOf(op),
      dims: { items: R * H },
      floats: { scale: op.scale },
      declarations:
        declarations + (n === 1 ? "" : `\nvar<workgroup> shares: array<f32, ${workgroup}>;`),
      body,
      workgroup,
      groups: Math.ceil((R * H) / items),
    },
  ];
}

/** Adds word i of key j to the product. */
const scored = ({ d, halves }: Cached) =>
  halves
    ? `let k = unpack2x16float(keys(base + j * ${d / 2}u + i));
        qk += qkv(q + i) * k.x + qkv(q + i + ${d / 2}u) * k.y;`
    : `qk += qkv(q + i) * keys(base + j * ${d}u + i);`;

const mixAlone = ({ d, halves }: Cached) =>
  halves
    ? `
    for (var i = 0u; i < ${d / 2}u; i++) {
      let v = unpack2x16float(values(base + j * ${d / 2}u + i));
      acc[i] = acc[i] * keep + p * v.x;
      acc[i + ${d / 2}u] = acc[i + ${d / 2}u] * keep + p * v.y;
    }`
    : `
    for (var i = 0u; i < ${d}u; i++) { acc[i] = acc[i] * keep + p * values(base + j * ${d}u + i); }`;

/** Column i of the value of the loop's key. */
const valueAt = ({ d, halves }: Cached) =>
  halves
    ? `unpack2x16float(values(base + (from_ + k) * ${d / 2}u + i % ${d / 2}u))[i / ${d / 2}u]`
    : `values(base + (from_ + k) * ${d}u + i)`;

const mixTogether = (op: Cached, n: number, columns: number) => `
    shares[lid] = p;
    workgroupBarrier();
    for (var c = 0u; c < ${columns}u; c++) {
      let i = min(c * ${n}u + lane, ${op.d - 1}u);
      var a = acc[c] * keep;
      for (var k = 0u; k < min(${n}u, seen - from_); k++) {
        a += shares[k] * ${valueAt(op)};
      }
      acc[c] = a;
    }
    workgroupBarrier();`;
