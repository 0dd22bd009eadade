/**
 * Sums and maxima over the lanes that share an item (a row, a head, a chunk). On a GPU an item has
 * enough lanes for coalesced loads, combined in a fixed order, at workgroup barriers or within
 * subgroups; a software adapter, where a barrier costs more than the work, gives an item one lane
 * and has no barriers.
 */

/** Properties of the device that kernels depend on. */
export interface KernelTarget {
  software: boolean;
  /** Threads that can exchange numbers without workgroup memory, a power of two; absent or 0: none. */
  subgroup?: number;
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

/** Lanes for items of this many elements. Barriers must be in uniform control flow, so idle items compute along. */
export function lanesFor({ software, subgroup = 0 }: KernelTarget, elements: number): Lanes {
  const lanes = software ? 1 : elements > 32 ? 64 : elements > 8 ? 16 : 4;
  return {
    lanes,
    items: WORKGROUP / lanes,
    workgroup: WORKGROUP,
    declarations: lanes === 1 ? ALONE : subgroup > 0 ? shuffled(lanes, subgroup) : together(lanes),
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

/**
 * Bit-identical sums and maxima, since both pair the same lanes in the same rounds: through
 * workgroup memory if they are farther apart than a subgroup is wide, otherwise without memory and
 * barriers.
 */
function shuffled(lanes: number, subgroup: number): string {
  const rounds = [32, 16, 8, 4, 2, 1].filter((apart) => apart < lanes);
  const round = (apart: number, combine: string) =>
    apart < subgroup
      ? `b = subgroupShuffleXor(a, ${apart}u);
  a = ${combine};`
      : `lanesOf[lid] = a;
  workgroupBarrier();
  b = lanesOf[lid ^ ${apart}u];
  workgroupBarrier();
  a = ${combine};`;
  const reduce = (name: string, combine: string) => `
fn ${name}(x: f32, lid: u32) -> f32 {
  var a = x;
  var b = 0.0;
  ${rounds.map((apart) => round(apart, combine)).join("\n  ")}
  return a;
}`;
  const memory = lanes > subgroup ? `var<workgroup> lanesOf: array<f32, ${WORKGROUP}>;` : "";
  return `${memory}${reduce("laneSum", "a + b")}${reduce("laneMax", "max(a, b)")}`;
}

/** Header of a kernel over d.items items: `item` (clamped), `live` and `lane`. */
export const itemOf = ({ lanes, items }: Lanes): string => `
  let asked = group * ${items}u + lid / ${lanes}u;
  let live = asked < d.items;
  let item = min(asked, d.items - 1u);
  let lane = lid % ${lanes}u;`;

/**
 * Below every number that occurs, as the initial value of a maximum. Its differences with other
 * numbers, times the logarithm that exp() may multiply by, stay in range: a shader may assume that
 * nothing is infinite.
 */
export const LOWEST = "-1e38";

/**
 * Whether a word is a finite number, and whether the product of two is certain to be. Tests raw
 * words in memory: for numbers that it computed or loaded, a shader's compiler may assume
 * finiteness and remove the test (Metal's fast maths does).
 */
export const FINITE = `
fn finite(bits: u32) -> bool { return (bits & 0x7f800000u) != 0x7f800000u; }
fn finiteProduct(a: u32, b: u32) -> bool {
  let exponents = ((a >> 23u) & 0xffu) + ((b >> 23u) & 0xffu); // 127 too many each
  return finite(a) && finite(b) && exponents <= 380u;
}`;

export const NAN_BITS = "0x7fc00000u";

/** Threads of an elementwise kernel. */
export const FLAT = 64;

/** Header of an elementwise kernel: `i` below d.size. */
export const flat = (): string => `let i = group * ${FLAT}u + lid; if (i >= d.size) { return; }`;

/** Text n times, joined by newlines. */
export const repeat = (n: number, f: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => f(i)).join("\n");
