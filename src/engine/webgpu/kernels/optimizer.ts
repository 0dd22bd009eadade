/** Over flat ranges: sums of squares, scaling, AdamW. */
import type { OpOf } from "../../plan/ops.ts";
import { SQUARES_CHUNK } from "../../plan/ops/update.ts";
import type { Dispatch } from "../shader.ts";
import { FINITE, FLAT, flat, itemOf, lanesFor, NAN_BITS, type KernelTarget } from "./lanes.ts";

export function sumSquares(
  { x, partials, size }: OpOf<"sumSquares">,
  target: KernelTarget,
): Dispatch[] {
  const lanes = lanesFor(target, SQUARES_CHUNK);
  const items = Math.ceil(size / SQUARES_CHUNK);
  const body = `${itemOf(lanes)}
  var own = 0.0;
  var bad = 0.0;
  for (var i = item * ${SQUARES_CHUNK}u + lane; i < min((item + 1u) * ${SQUARES_CHUNK}u, d.size); i += ${lanes.lanes}u) {
    let a = x(i);
    own += a * a;
    if (!finite(bits_x(i))) { bad = 1.0; }
  }
  let sum = laneSum(own, lid);
  let broken = laneMax(bad, lid) > 0.0;
  if (live && lane == 0u) { put_partials(item, select(bitcast<u32>(sum), ${NAN_BITS}, broken)); }`;
  return [
    {
      name: "sumSquares",
      operands: [
        { name: "x", type: "f32", view: x, bits: true },
        { name: "partials", type: "u32", view: partials, writes: true },
      ],
      dims: { items, size },
      declarations: lanes.declarations + FINITE,
      body,
      workgroup: lanes.workgroup,
      groups: Math.ceil(items / lanes.items),
    },
  ];
}

export function scale({ x, factor, size }: OpOf<"scale">): Dispatch[] {
  const body = `${flat()}
  let f = factor(0u);
  var y = 0.0; // whatever x is
  if (f != 0.0) { y = x(i) * f; }
  put_x(i, y);`;
  return [
    {
      name: "scale",
      operands: [
        { name: "x", type: "f32", view: x, writes: true },
        { name: "factor", type: "f32", view: factor },
      ],
      dims: { size },
      body,
      workgroup: FLAT,
      groups: Math.ceil(size / FLAT),
    },
  ];
}

export function adamw({ p, g, m, v, scalars, size }: OpOf<"adamw">): Dispatch[] {
  const body = `${flat()}
  let grad = g(i) * scalars(8u);
  let mean = scalars(3u) * m(i) + scalars(4u) * grad;
  let square = scalars(5u) * v(i) + scalars(6u) * grad * grad;
  put_m(i, mean);
  put_v(i, square);
  put_p(i, p(i) * scalars(2u) - scalars(0u) * mean / (sqrt(square) * scalars(1u) + scalars(7u)));
  put_g(i, 0.0);`;
  return [
    {
      name: "adamw",
      operands: [
        { name: "p", type: "f32", view: p, writes: true },
        { name: "g", type: "f32", view: g, writes: true },
        { name: "m", type: "f32", view: m, writes: true },
        { name: "v", type: "f32", view: v, writes: true },
        { name: "scalars", type: "f32", view: scalars },
      ],
      dims: { size },
      body,
      workgroup: FLAT,
      groups: Math.ceil(size / FLAT),
    },
  ];
}
