/** Rotary positions with per-head norms and the cache's append, and their backward. */
import type { OpOf } from "../../plan/ops.ts";
import { PARTIAL_ROWS } from "../../plan/ops/layers.ts";
import type { BufferView } from "../../plan/ops/view.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { FLAT, itemOf, lanesFor, type KernelTarget } from "./lanes.ts";

const optional = (
  name: string,
  view: BufferView | undefined,
  writes = false,
  type: "f32" | "u32" = "f32",
): Operand[] => (view ? [{ name, type, view, writes }] : []);

/** One item per row and head, for q and k and, if it goes to the cache, v. */
export function rope(op: OpOf<"rope">, target: KernelTarget): Dispatch[] {
  const { R, H, K, d, eps, capacity = 0 } = op;
  const norms = op.qNorm !== undefined;
  const append = op.keys !== undefined;
  const heads = norms || append ? H + 2 * K : H + K;
  const lanes = lanesFor(target, d / 2);
  const operands: Operand[] = [
    { name: "qkv", type: "f32", view: op.qkv },
    { name: "out", type: "f32", view: op.out, writes: true },
    { name: "position", type: "i32", view: op.position },
    { name: "cosines", type: "f32", view: op.cosines },
    { name: "sines", type: "f32", view: op.sines },
    ...optional("qNorm", op.qNorm),
    ...optional("kNorm", op.kNorm),
    ...optional("inverse", op.inverse, true),
    ...(append ? [{ name: "row", type: "i32", view: op.row! } as const] : []),
    ...optional("keys", op.keys, true, op.halves ? "u32" : "f32"),
    ...optional("values", op.values, true, op.halves ? "u32" : "f32"),
  ];
  const body = `${itemOf(lanes)}
  let r = item / ${heads}u;
  let h = item % ${heads}u;
  let at = r * ${(H + 2 * K) * d}u + h * ${d}u;
  let turned = h < ${H + K}u;
  let turn = u32(position(r)) * ${d / 2}u;
  ${norms ? headNorm(op, lanes.lanes) : ""}
  if (!live) { return; }
  ${append ? slot(op, capacity) : ""}
  for (var i = lane; i < ${d / 2}u; i += ${lanes.lanes}u) {
    var a = qkv(at + i);
    var b = qkv(at + i + ${d / 2}u);
    if (turned) {
      ${norms ? `a *= inv * headWeight(h, i); b *= inv * headWeight(h, i + ${d / 2}u);` : ""}
      let c = cosines(turn + i);
      let s = sines(turn + i);
      let first = a * c - b * s;
      b = b * c + a * s;
      a = first;
    }
    put_out(at + i, a);
    put_out(at + i + ${d / 2}u, b);
    ${append ? store(op) : ""}
  }`;
  return [
    {
      name: "rope",
      operands,
      dims: { items: R * heads },
      floats: { eps },
      declarations: lanes.declarations + (norms ? headWeight(H) : ""),
      body,
      workgroup: lanes.workgroup,
      groups: Math.ceil((R * heads) / lanes.items),
    },
  ];
}

const headWeight = (H: number) => `
fn headWeight(h: u32, i: u32) -> f32 { if (h < ${H}u) { return qNorm(i); } return kNorm(i); }`;

const headNorm = ({ H, K, d, inverse }: OpOf<"rope">, lanes: number) => `
  var own = 0.0;
  for (var i = lane; i < ${d}u; i += ${lanes}u) { let a = qkv(at + i); own += a * a; }
  let inv = 1.0 / sqrt(laneSum(own, lid) / ${d}.0 + d.eps);
  ${inverse ? `if (live && turned && lane == 0u) { put_inverse(r * ${H + K}u + h, inv); }` : ""}`;

/** Where the row's key or value goes in the cache. */
const slot = ({ H, K, d, halves }: OpOf<"rope">, capacity: number) => `
  let cached = row(r);
  let kv = (max(h, ${H}u) - ${H}u) % ${K}u;
  let into = ((u32(max(cached, 0)) * ${K}u + kv) * ${capacity}u + u32(position(r))) * ${halves ? d / 2 : d}u;`;

const store = ({ H, d, halves }: OpOf<"rope">) => `
    if (cached >= 0 && h >= ${H}u) {
      ${halves ? `let pair = pack2x16float(clamp(vec2f(a, b), vec2f(-65504.0), vec2f(65504.0)));` : ""}
      if (turned) { ${put("keys", d, halves)} } else { ${put("values", d, halves)} }
    }`;

const put = (array: string, d: number, halves = false) =>
  halves
    ? `put_${array}(into + i, pair);`
    : `put_${array}(into + i, a); put_${array}(into + i + ${d / 2}u, b);`;

/** First the norms' partial sums, from the unmodified gradient; then that of the input, in place; then the biases'. */
export function ropeBackward(op: OpOf<"ropeBackward">, target: KernelTarget): Dispatch[] {
  return [
    ...(op.qPartials ? [normPartials(op, target)] : []),
    rotateBack(op, target),
    ...(op.biasPartials ? [biasPartials(op)] : []),
  ];
}

const tables = (op: OpOf<"ropeBackward">): Operand[] => [
  { name: "position", type: "i32", view: op.position },
  { name: "cosines", type: "f32", view: op.cosines },
  { name: "sines", type: "f32", view: op.sines },
];

/** Maximum threads that share a partial of q or k. */
const TEAM = 256;

/**
 * A workgroup per partial of q or k, whose threads take one head dimension each, and every n-th
 * row; a single thread takes all rows if the adapter is software or the head is too large to share.
 */
function normPartials(op: OpOf<"ropeBackward">, { software }: KernelTarget): Dispatch {
  const { R, H, K, d } = op;
  const partials = 2 * Math.ceil(R / PARTIAL_ROWS);
  const sharing = software ? 1 : Math.max(1, Math.floor(TEAM / d));
  const workgroup = sharing > 1 ? sharing * d : FLAT;
  const size = partials * d * sharing;
  const operands: Operand[] = [
    { name: "dQkv", type: "f32", view: op.dQkv },
    ...tables(op),
    { name: "qkv", type: "f32", view: op.qkv! },
    { name: "inverse", type: "f32", view: op.inverse! },
    { name: "qPartials", type: "f32", view: op.qPartials!, writes: true },
    { name: "kPartials", type: "f32", view: op.kPartials!, writes: true },
  ];
  const [guard, first, all] =
    sharing > 1
      ? [
          "",
          `p * ${PARTIAL_ROWS}u + lid / ${d}u`,
          `
  shares[lid] = sum;
  workgroupBarrier();
  if (lid >= ${d}u) { return; }
  for (var s = 1u; s < ${sharing}u; s++) { sum += shares[s * ${d}u + lid]; }`,
        ]
      : ["if (t >= d.size) { return; }", `p * ${PARTIAL_ROWS}u`, ""];
  const body = `
  let t = group * ${workgroup}u + lid;
  ${guard}
  let i = t % ${d}u;
  let part = t / ${d * sharing}u;
  let ofKeys = part % 2u == 1u;
  let p = part / 2u;
  let other = (i + ${d / 2}u) % ${d}u;
  let sign = select(-1.0, 1.0, i < ${d / 2}u);
  let h0 = select(0u, ${H}u, ofKeys);
  let h1 = select(${H}u, ${H + K}u, ofKeys);
  var sum = 0.0;
  for (var r = ${first}; r < min((p + 1u) * ${PARTIAL_ROWS}u, d.R); r += ${sharing}u) {
    let turn = u32(position(r)) * ${d / 2}u + i % ${d / 2}u;
    let c = cosines(turn);
    let s = sines(turn) * sign;
    for (var h = h0; h < h1; h++) {
      let at = r * ${(H + 2 * K) * d}u + h * ${d}u;
      let g = dQkv(at + i) * c + dQkv(at + other) * s;
      sum += g * qkv(at + i) * inverse(r * ${H + K}u + h);
    }
  }${all}
  if (ofKeys) { put_kPartials(p * ${d}u + i, sum); } else { put_qPartials(p * ${d}u + i, sum); }`;
  return {
    name: "ropeBackward norms",
    operands,
    dims: { ...(sharing === 1 && { size }), R },
    declarations: sharing > 1 ? `var<workgroup> shares: array<f32, ${workgroup}>;` : "",
    body,
    workgroup,
    groups: Math.ceil(size / workgroup),
  };
}

/** An item per row and head of q and k. */
function rotateBack(op: OpOf<"ropeBackward">, target: KernelTarget): Dispatch {
  const { R, H, K, d } = op;
  const norms = op.qkv !== undefined;
  const lanes = lanesFor(target, d / 2);
  const items = R * (H + K);
  const operands: Operand[] = [
    { name: "dQkv", type: "f32", view: op.dQkv, writes: true },
    ...tables(op),
    ...optional("qkv", op.qkv),
    ...optional("qNorm", op.qNorm),
    ...optional("kNorm", op.kNorm),
    ...optional("inverse", op.inverse),
  ];
  const body = `${itemOf(lanes)}
  let r = item / ${H + K}u;
  let h = item % ${H + K}u;
  let at = r * ${(H + 2 * K) * d}u + h * ${d}u;
  let turn = u32(position(r)) * ${d / 2}u;
  ${norms ? backMean(op, lanes.lanes) : ""}
  if (!live) { return; }
  for (var i = lane; i < ${d / 2}u; i += ${lanes.lanes}u) {
    ${turnBack(d)}
    put_dQkv(at + i, ${norms ? "inv * (a * headWeight(h, i) - qkv(at + i) * inv * mean)" : "a"});
    put_dQkv(at + j, ${norms ? "inv * (b * headWeight(h, j) - qkv(at + j) * inv * mean)" : "b"});
  }`;
  return {
    name: "ropeBackward",
    operands,
    dims: { items },
    declarations: lanes.declarations + (norms ? headWeight(H) : ""),
    body,
    workgroup: lanes.workgroup,
    groups: Math.ceil(items / lanes.items),
  };
}

/** a and b: the gradient of a pair before its rotation. */
const turnBack = (d: number) => `
    let j = i + ${d / 2}u;
    let c = cosines(turn + i);
    let s = sines(turn + i);
    let a = dQkv(at + i) * c + dQkv(at + j) * s;
    let b = dQkv(at + j) * c - dQkv(at + i) * s;`;

const backMean = ({ H, K, d }: OpOf<"ropeBackward">, lanes: number) => `
  let inv = inverse(r * ${H + K}u + h);
  var own = 0.0;
  for (var i = lane; i < ${d / 2}u; i += ${lanes}u) {
    ${turnBack(d)}
    own += a * headWeight(h, i) * qkv(at + i) + b * headWeight(h, j) * qkv(at + j);
  }
  let mean = laneSum(own, lid) * inv / ${d}.0;`;

/** A thread per partial and column of the row. */
function biasPartials({ dQkv, biasPartials: out, R, H, K, d }: OpOf<"ropeBackward">): Dispatch {
  const W = (H + 2 * K) * d;
  const size = Math.ceil(R / PARTIAL_ROWS) * W;
  const body = `
  let i = group * ${FLAT}u + lid;
  if (i >= d.size) { return; }
  let column = i % ${W}u;
  let p = i / ${W}u;
  var sum = 0.0;
  for (var r = p * ${PARTIAL_ROWS}u; r < min((p + 1u) * ${PARTIAL_ROWS}u, d.R); r++) {
    sum += dQkv(r * ${W}u + column);
  }
  put_out(i, sum);`;
  return {
    name: "ropeBackward biases",
    operands: [
      { name: "dQkv", type: "f32", view: dQkv },
      { name: "out", type: "f32", view: out!, writes: true },
    ],
    dims: { size, R },
    body,
    workgroup: FLAT,
    groups: Math.ceil(size / FLAT),
  };
}
