/** RMSNorm and its backward. */
import type { OpOf } from "../../plan/ops.ts";
import { PARTIAL_ROWS } from "../../plan/ops/layers.ts";
import type { Dispatch, Operand } from "../shader.ts";
import { itemOf, lanesFor, type KernelTarget } from "./lanes.ts";

export function normKernel(op: OpOf<"norm">, target: KernelTarget): Dispatch[] {
  const { R, D, eps, inverse } = op;
  const lanes = lanesFor(target, D);
  const kept: Operand[] = inverse
    ? [{ name: "inverse", type: "f32", view: inverse, writes: true }]
    : [];
  const operands: Operand[] = [
    { name: "x", type: "f32", view: op.x },
    { name: "weight", type: "f32", view: op.weight },
    { name: "out", type: "f32", view: op.out, writes: true },
    ...kept,
  ];
  const body = `${itemOf(lanes)}
  let row = item * ${D}u;
  var own = 0.0;
  for (var i = lane; i < ${D}u; i += ${lanes.lanes}u) { let a = x(row + i); own += a * a; }
  let inv = 1.0 / sqrt(laneSum(own, lid) / ${D}.0 + d.eps);
  if (!live) { return; }
  for (var i = lane; i < ${D}u; i += ${lanes.lanes}u) { put_out(row + i, x(row + i) * inv * weight(i)); }
  ${inverse ? "if (lane == 0u) { put_inverse(item, inv); }" : ""}`;
  return [
    {
      name: "norm",
      operands,
      dims: { items: R },
      floats: { eps },
      declarations: lanes.declarations,
      body,
      workgroup: lanes.workgroup,
      groups: Math.ceil(R / lanes.items),
    },
  ];
}

/** The first workgroups compute dx, an item per row; the others the weight's partial sums, a thread per column. */
export function normBackward(op: OpOf<"normBackward">, target: KernelTarget): Dispatch[] {
  const { R, D, accumulate, bounds } = op;
  const lanes = lanesFor(target, D);
  const rowGroups = Math.ceil(R / lanes.items);
  const columns = (bounds ? bounds.size - 1 : Math.ceil(R / PARTIAL_ROWS)) * D;
  const own: Operand[] = bounds ? [{ name: "bounds", type: "i32", view: bounds }] : [];
  const operands: Operand[] = [
    { name: "x", type: "f32", view: op.x },
    { name: "inverse", type: "f32", view: op.inverse },
    { name: "weight", type: "f32", view: op.weight },
    { name: "dOut", type: "f32", view: op.dOut },
    { name: "dx", type: "f32", view: op.dx, writes: true },
    { name: "partials", type: "f32", view: op.partials, writes: true },
    ...own,
  ];
  const rows = bounds
    ? ["u32(bounds(part))", "u32(bounds(part + 1u))"]
    : [`part * ${PARTIAL_ROWS}u`, `min((part + 1u) * ${PARTIAL_ROWS}u, d.items)`];
  const body = `
  if (group >= d.rowGroups) {
    partial((group - d.rowGroups) * ${lanes.workgroup}u + lid);
    return;
  }${itemOf(lanes)}
  let row = item * ${D}u;
  let inv = inverse(item);
  var own = 0.0;
  for (var i = lane; i < ${D}u; i += ${lanes.lanes}u) { own += dOut(row + i) * weight(i) * x(row + i); }
  let mean = laneSum(own, lid) * inv / ${D}.0;
  if (!live) { return; }
  for (var i = lane; i < ${D}u; i += ${lanes.lanes}u) {
    let g = inv * (dOut(row + i) * weight(i) - x(row + i) * inv * mean);
    put_dx(row + i, ${accumulate ? "dx(row + i) + g" : "g"});
  }`;
  const declarations = `${lanes.declarations}
fn partial(i: u32) {
  if (i >= d.columns) { return; }
  let column = i % ${D}u;
  let part = i / ${D}u;
  var sum = 0.0;
  for (var r = ${rows[0]}; r < ${rows[1]}; r++) {
    sum += dOut(r * ${D}u + column) * x(r * ${D}u + column) * inverse(r);
  }
  put_partials(i, sum);
}`;
  return [
    {
      name: "normBackward",
      operands,
      dims: { items: R, rowGroups, columns },
      declarations,
      body,
      workgroup: lanes.workgroup,
      groups: rowGroups + Math.ceil(columns / lanes.workgroup),
    },
  ];
}
