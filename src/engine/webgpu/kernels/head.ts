/** The policy head's statistics and gradient, chunk by chunk over the vocabulary; the value head. */
import type { OpOf } from "../../plan/ops.ts";
import { HEAD_STATE } from "../../plan/ops/heads.ts";
import type { Dispatch, Operand } from "../shader.ts";
import {
  FINITE,
  FLAT,
  flat,
  itemOf,
  lanesFor,
  LOWEST,
  NAN_BITS,
  type KernelTarget,
} from "./lanes.ts";

function headOperands(op: OpOf<"headStats"> | OpOf<"headGrad">): Operand[] {
  const grad = op.op === "headGrad";
  return [
    { name: "z", type: "f32", view: op.z, writes: grad, bits: !grad },
    ...(op.zr ? [{ name: "zr", type: "f32", view: op.zr } as const] : []),
    { name: "label", type: "i32", view: op.label },
    { name: "inverseTemperature", type: "f32", view: op.inverseTemperature, bits: !grad },
    { name: "state", type: "f32", view: op.state, writes: !grad },
  ];
}

/** An item per row; lane 0 merges the chunk with the row's running state. */
export function headStats(op: OpOf<"headStats">, target: KernelTarget): Dispatch[] {
  const { M, n, v0, first, last } = op;
  const lanes = lanesFor(target, n);
  const operands = headOperands(op);
  if (last) operands.push({ name: "out", type: "u32", view: op.out!, writes: true });
  const body = `${itemOf(lanes)}
  let row = item * d.n;
  let t = inverseTemperature(0u);
  var top = ${LOWEST};
  var bad = 0.0;
  for (var v = lane; v < d.n; v += ${lanes.lanes}u) {
    let y = z(row + v) * t;
    if (!finiteProduct(bits_z(row + v), bits_inverseTemperature(0u))) { bad = 1.0; }
    top = max(top, y);
  }
  let m = laneMax(top, lid);
  let broken = laneMax(bad, lid) > 0.0;
  var own = 0.0;
  var weighted = 0.0;
  for (var v = lane; v < d.n; v += ${lanes.lanes}u) {
    let y = z(row + v) * t - m;
    let e = exp(y);
    own += e;
    weighted += e * y;
  }
  let s = laneSum(own, lid);
  let c = laneSum(weighted, lid);
  ${op.zr ? referenceStats(lanes.lanes) : ""}
  if (!live || lane > 0u) { return; }
  let at = item * ${HEAD_STATE}u;
  ${first ? "" : `let oldM = state(at); let oldS = state(at + 1u); let oldC = state(at + 2u);`}
  ${mergeChunk(first)}
  let picked = label(item) - i32(d.v0);
  var y = ${first ? "0.0" : "state(at + 3u)"};
  if (picked >= 0 && picked < i32(d.n)) { y = z(row + u32(picked)) * t; }
  ${op.zr ? mergeReference(first) : ""}
  var poisoned = ${first ? "broken" : "broken || state(at + 7u) != 0.0"};
  put_state(at, newM); put_state(at + 1u, newS); put_state(at + 2u, newC); put_state(at + 3u, y);
  put_state(at + 7u, select(0.0, 1.0, poisoned));
  ${last ? results(op.zr !== undefined) : ""}`;
  return [
    {
      name: "headStats",
      operands,
      dims: { items: M, n, v0 },
      declarations: lanes.declarations + FINITE,
      body,
      workgroup: lanes.workgroup,
      groups: Math.ceil(M / lanes.items),
    },
  ];
}

const referenceStats = (lanes: number) => `
  var topR = ${LOWEST};
  for (var v = lane; v < d.n; v += ${lanes}u) { topR = max(topR, zr(row + v) * t); }
  let mr = laneMax(topR, lid);
  var ownR = 0.0;
  var apart = 0.0;
  for (var v = lane; v < d.n; v += ${lanes}u) {
    let yr = zr(row + v) * t;
    let e = exp(yr - mr);
    ownR += e;
    apart += e * (yr - z(row + v) * t);
  }
  let sr = laneSum(ownR, lid);
  let x = laneSum(apart, lid);`;

const mergeChunk = (first: boolean) =>
  first
    ? `let newM = m; let newS = s; let newC = c;`
    : `
  let newM = max(oldM, m);
  let before = exp(oldM - newM);
  let now = exp(m - newM);
  let newS = oldS * before + s * now;
  let newC = (oldC + oldS * (oldM - newM)) * before + (c + s * (m - newM)) * now;`;

const mergeReference = (first: boolean) =>
  first
    ? `let newMr = mr; let newSr = sr; let newX = x;
  put_state(at + 4u, newMr); put_state(at + 5u, newSr); put_state(at + 6u, newX);`
    : `
  let newMr = max(state(at + 4u), mr);
  let beforeR = exp(state(at + 4u) - newMr);
  let nowR = exp(mr - newMr);
  let newSr = state(at + 5u) * beforeR + sr * nowR;
  let newX = state(at + 6u) * beforeR + x * nowR;
  put_state(at + 4u, newMr); put_state(at + 5u, newSr); put_state(at + 6u, newX);`;

const results = (reference: boolean) => `
  let lse = newM + log(newS);
  let logprob = bitcast<u32>(y - lse);
  let entropy = bitcast<u32>(log(newS) - newC / newS);
  let kl = bitcast<u32>(${reference ? "newX / newSr - newMr - log(newSr) + lse" : "0.0"});
  put_out(item, select(logprob, ${NAN_BITS}, poisoned));
  put_out(d.items + item, select(entropy, ${NAN_BITS}, poisoned));
  put_out(2u * d.items + item, select(kl, ${NAN_BITS}, poisoned));`;

/** A thread per logit. */
export function headGrad(op: OpOf<"headGrad">): Dispatch[] {
  const { M, n, v0 } = op;
  const size = M * n;
  const operands = headOperands(op);
  operands.push({ name: "coefficients", type: "f32", view: op.coefficients });
  const body = `${flat()}
  let row = i / d.n;
  let a = coefficients(row);
  let b = coefficients(d.M + row);
  let c = coefficients(2u * d.M + row);
  if (a == 0.0 && b == 0.0 && c == 0.0) { put_z(i, 0.0); return; }
  let at = row * ${HEAD_STATE}u;
  let t = inverseTemperature(0u);
  let logS = log(state(at + 1u));
  let logp = z(i) * t - state(at) - logS;
  let p = exp(logp);
  let entropy = logS - state(at + 2u) / state(at + 1u);
  let hot = select(0.0, 1.0, label(row) == i32(d.v0 + i % d.n));
  var dy = a * (hot - p) - b * p * (logp + entropy);
  ${op.zr ? "dy += c * (p - exp(zr(i) * t - state(at + 4u) - log(state(at + 5u))));" : ""}
  put_z(i, t * dy);`;
  return [
    {
      name: "headGrad",
      operands,
      dims: { size, M, n, v0 },
      body,
      workgroup: FLAT,
      groups: Math.ceil(size / FLAT),
    },
  ];
}

export function value(
  { h, weight, bias, out, R, D }: OpOf<"value">,
  target: KernelTarget,
): Dispatch[] {
  const lanes = lanesFor(target, D);
  const body = `${itemOf(lanes)}
  var own = 0.0;
  for (var i = lane; i < ${D}u; i += ${lanes.lanes}u) { own += h(item * ${D}u + i) * weight(i); }
  let sum = laneSum(own, lid);
  if (live && lane == 0u) { put_out(item, sum + bias(0u)); }`;
  return [
    {
      name: "value",
      operands: [
        { name: "h", type: "f32", view: h },
        { name: "weight", type: "f32", view: weight },
        { name: "bias", type: "f32", view: bias },
        { name: "out", type: "f32", view: out, writes: true },
      ],
      dims: { items: R },
      declarations: lanes.declarations,
      body,
      workgroup: lanes.workgroup,
      groups: Math.ceil(R / lanes.items),
    },
  ];
}

/** The first workgroups sum columns, an item each and the bias last; the others compute dh, a thread per number. */
export function valueBackwardKernel(op: OpOf<"valueBackward">, target: KernelTarget): Dispatch[] {
  const { R, D, dh, accumulate } = op;
  const lanes = lanesFor(target, R);
  const columnGroups = Math.ceil((D + 1) / lanes.items);
  const size = dh ? R * D : 0;
  const operands: Operand[] = [
    { name: "h", type: "f32", view: op.h },
    { name: "dValue", type: "f32", view: op.dValue },
    { name: "weight", type: "f32", view: op.weight },
    { name: "dWeight", type: "f32", view: op.dWeight, writes: true },
    { name: "dBias", type: "f32", view: op.dBias, writes: true },
    ...(dh ? [{ name: "dh", type: "f32", view: dh, writes: true } as const] : []),
  ];
  const body = `
  if (group >= d.columnGroups) {
    ${dh ? `spread((group - d.columnGroups) * ${lanes.workgroup}u + lid);` : ""}
    return;
  }${itemOf(lanes)}
  var own = 0.0;
  for (var r = lane; r < d.R; r += ${lanes.lanes}u) {
    if (item < ${D}u) { own += dValue(r) * h(r * ${D}u + item); } else { own += dValue(r); }
  }
  let sum = laneSum(own, lid);
  if (!live || lane > 0u) { return; }
  if (item < ${D}u) { put_dWeight(item, dWeight(item) + sum); } else { put_dBias(0u, dBias(0u) + sum); }`;
  const declarations = dh
    ? `fn spread(i: u32) {
  if (i >= d.size) { return; }
  let g = dValue(i / ${D}u) * weight(i % ${D}u);
  put_dh(i, ${accumulate ? "dh(i) + g" : "g"});
}`
    : "";
  return [
    {
      name: "valueBackward",
      operands,
      dims: { items: D + 1, columnGroups, R, size },
      declarations: lanes.declarations + declarations,
      body,
      workgroup: lanes.workgroup,
      groups: columnGroups + Math.ceil(size / lanes.workgroup),
    },
  ];
}
