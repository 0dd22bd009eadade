/**
 * Sums and maxima over the lanes that share an item (a row, a head, a chunk). On a GPU an item has as many lanes as make its
 * loads coalesce, and they meet at workgroup barriers in a fixed order; a software adapter, where a barrier costs more than the
 * work, gives an item one lane and has no barriers.
 */

/** What kernels need to know of the device. */
export interface KernelTarget {
  software: boolean;
}

interface Lanes {
  /** Lanes per item. */
  lanes: number;
  /** Items per workgroup. */
  items: number;
  /** Threads per workgroup. */
  workgroup: number;
  /** Reductions, as WGSL functions of (x, lid): laneSum, laneMax; the result is the same in all lanes of an item. */
  declarations: string;
}

const WORKGROUP = 64;

/** Lanes for items of so many elements. Barriers stand in uniform control flow only, so idle items compute along. */
export function lanesFor({ software }: KernelTarget, elements: number): Lanes {
  const lanes = software ? 1 : elements > 32 ? 64 : elements > 8 ? 16 : 4;
  return {
    lanes,
    items: WORKGROUP / lanes,
    workgroup: WORKGROUP,
    declarations: lanes === 1 ? ALONE : together(lanes),
  };
}

const ALONE = `
fn laneSum(x: f32, lid: u32) -> f32 { return x; }
fn laneMax(x: f32, lid: u32) -> f32 { return x; }`;

function together(lanes: number): string {
  const reduce = (name: string, combine: string) => `
fn ${name}(x: f32, lid: u32) -> f32 {
  let lane = lid % ${lanes}u;
  lanesOf[lid] = x;
  workgroupBarrier();
  for (var s = ${lanes / 2}u; s > 0u; s /= 2u) {
    if (lane < s) { let a = lanesOf[lid]; let b = lanesOf[lid + s]; lanesOf[lid] = ${combine}; }
    workgroupBarrier();
  }
  let all = lanesOf[lid - lane];
  workgroupBarrier();
  return all;
}`;
  const sum = reduce("laneSum", "a + b");
  return `var<workgroup> lanesOf: array<f32, ${WORKGROUP}>;${sum}${reduce("laneMax", "max(a, b)")}`;
}

/** Opens a kernel over d.items items: `item` (clamped), `live` and `lane`. */
export const itemOf = ({ lanes, items }: Lanes): string => `
  let asked = group * ${items}u + lid / ${lanes}u;
  let live = asked < d.items;
  let item = min(asked, d.items - 1u);
  let lane = lid % ${lanes}u;`;

/** Threads of an elementwise kernel. */
export const FLAT = 64;

/** Opens an elementwise kernel: `i` below d.size. */
export const flat = (): string => `let i = group * ${FLAT}u + lid; if (i >= d.size) { return; }`;

/** Text n times, joined by newlines. */
export const repeat = (n: number, f: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => f(i)).join("\n");
