/**
 * Matrix products in three layouts, with their prologues and epilogues, in tiles staged in workgroup memory; what the grid lacks
 * in tiles, threads make up by sharing the depth of one tile and adding up in a fixed order. A software adapter has its own
 * kernel, see matmulRegisters.ts.
 */
import type { Dispatch } from "../shader.ts";
import { repeat, type KernelTarget } from "./lanes.ts";
import type { Matmul } from "../../plan/ops/layers.ts";
import { common, loaders, matmulName } from "./matmulParts.ts";
import { registerTiles } from "./matmulRegisters.ts";

export function matmul(op: Matmul, target: KernelTarget): Dispatch[] {
  return [target.software ? registerTiles(op) : stagedTiles(op)];
}

interface SplitTile {
  /** Rows and columns. */
  m: number;
  n: number;
  /** Depth staged at a time. */
  k: number;
  /** Groups of threads that share the depth. */
  split: number;
}

/** Enough workgroups to fill a GPU before large tiles; then large tiles, which load less. */
function tileOf({ M, N, K }: Matmul): SplitTile {
  const tiles = (m: number, n: number) => Math.ceil(M / m) * Math.ceil(N / n);
  if (M <= 8) return { m: 8, n: 32, k: 16, split: K >= 64 ? 4 : 1 };
  if (N <= 8) return { m: 32, n: 8, k: 16, split: K >= 64 ? 4 : 1 };
  if (tiles(64, 64) >= 96) return { m: 64, n: 64, k: 16, split: 1 };
  if (tiles(32, 32) >= 96 || K < 64) return { m: 32, n: 32, k: 16, split: 1 };
  return { m: 32, n: 32, k: 8, split: 4 };
}

function stagedTiles(op: Matmul): Dispatch {
  const tile = tileOf(op);
  const { m, n, k, split } = tile;
  const team = (m / 4) * (n / 4);
  const across = Math.ceil(op.N / n);
  const body = `
  let m0 = group / d.across * ${m}u;
  let n0 = group % d.across * ${n}u;
  if (m0 >= d.M) { return; }
  let s = lid / ${team}u;
  let l = lid % ${team}u;
  let x = l % ${n / 4}u * 4u;
  let y = l / ${n / 4}u * 4u;
  ${op.prologue === "norm" ? rowNorms(m, team * split) : ""}
  var c0 = vec4f(); var c1 = vec4f(); var c2 = vec4f(); var c3 = vec4f();
  for (var stage = 0u; stage < d.K; stage += ${k * split}u) {
    let k0 = stage + s * ${k}u;
    ${stageA(op, tile, team)}
    ${stageB(op, tile, team)}
    workgroupBarrier();
    for (var k = 0u; k < ${k}u; k++) {
      let pa = s * ${k * m}u + k * ${m}u + y;
      let pb = s * ${k * n}u + k * ${n}u + x;
      let bv = vec4f(sb[pb], sb[pb + 1u], sb[pb + 2u], sb[pb + 3u]);
      c0 += sa[pa] * bv;
      c1 += sa[pa + 1u] * bv;
      c2 += sa[pa + 2u] * bv;
      c3 += sa[pa + 3u] * bv;
    }
    workgroupBarrier();
  }
  ${split > 1 ? gather(split, team) : ""}
  if (s > 0u) { return; }
  store(m0 + y, n0 + x, c0);
  store(m0 + y + 1u, n0 + x, c1);
  store(m0 + y + 2u, n0 + x, c2);
  store(m0 + y + 3u, n0 + x, c3);`;
  const shared = [
    `var<workgroup> sa: array<f32, ${split * k * m}>;`,
    `var<workgroup> sb: array<f32, ${split * k * n}>;`,
    split > 1 ? `var<workgroup> sc: array<vec4f, ${team * 4}>;` : "",
    op.prologue === "norm"
      ? `var<workgroup> inverse: array<f32, ${m}>; var<workgroup> squares: array<f32, ${team * split}>;`
      : "",
  ];
  const base = common(op);
  return {
    ...base,
    name: matmulName(op),
    dims: { ...base.dims, across },
    declarations: [...shared, loaders(op)].join("\n"),
    body,
    workgroup: team * split,
    groups: across * Math.ceil(op.M / m),
  };
}

/** A's tile, k outermost; what lies past K is zeros. */
function stageA(op: Matmul, { m, k }: SplitTile, team: number): string {
  const scale = op.prologue === "norm" ? `* inverse[r] * rows_w(0u, k0 + q, 1u, d.K)` : "";
  const along =
    op.layout === "TN"
      ? `let q = e / ${m / 4}u; let r = e % ${m / 4}u * 4u;
      let v = load_a(k0 + q, m0 + r);
      let at = s * ${k * m}u + q * ${m}u + r;
      sa[at] = v.x; sa[at + 1u] = v.y; sa[at + 2u] = v.z; sa[at + 3u] = v.w;`
      : `let q = e % ${k / 4}u * 4u; let r = e / ${k / 4}u;
      let v = load_a(m0 + r, k0 + q) ${scale};
      let at = s * ${k * m}u + q * ${m}u + r;
      sa[at] = v.x; sa[at + ${m}u] = v.y; sa[at + ${2 * m}u] = v.z; sa[at + ${3 * m}u] = v.w;`;
  return `for (var e = l; e < ${(k * m) / 4}u; e += ${team}u) { ${along} }`;
}

function stageB({ layout }: Matmul, { n, k }: SplitTile, team: number): string {
  const along =
    layout === "NT"
      ? `let q = e % ${k / 4}u * 4u; let r = e / ${k / 4}u;
      let v = load_b(n0 + r, k0 + q);
      let at = s * ${k * n}u + q * ${n}u + r;
      sb[at] = v.x; sb[at + ${n}u] = v.y; sb[at + ${2 * n}u] = v.z; sb[at + ${3 * n}u] = v.w;`
      : `let q = e / ${n / 4}u; let r = e % ${n / 4}u * 4u;
      let v = load_b(k0 + q, n0 + r);
      let at = s * ${k * n}u + q * ${n}u + r;
      sb[at] = v.x; sb[at + 1u] = v.y; sb[at + 2u] = v.z; sb[at + 3u] = v.w;`;
  return `for (var e = l; e < ${(k * n) / 4}u; e += ${team}u) { ${along} }`;
}

/** The teams' sums, added to the first team's one after the other. */
const gather = (split: number, team: number) =>
  repeat(
    split - 1,
    (i) => `
  if (s == ${i + 1}u) { sc[l] = c0; sc[l + ${team}u] = c1; sc[l + ${2 * team}u] = c2; sc[l + ${3 * team}u] = c3; }
  workgroupBarrier();
  if (s == 0u) { c0 += sc[l]; c1 += sc[l + ${team}u]; c2 += sc[l + ${2 * team}u]; c3 += sc[l + ${3 * team}u]; }
  workgroupBarrier();`,
  );

/** 1 / rms of the tile's rows: several threads per row, then one adds up. */
function rowNorms(m: number, threads: number): string {
  const lanes = threads / m;
  return `
  let normRow = lid / ${lanes}u;
  var square = 0.0;
  for (var k = lid % ${lanes}u * 4u; k < d.K; k += ${4 * lanes}u) {
    let v = load_a(m0 + normRow, k);
    square += dot(v, v);
  }
  squares[lid] = square;
  workgroupBarrier();
  if (lid < ${m}u) {
    var sum = 0.0;
    for (var i = 0u; i < ${lanes}u; i++) { sum += squares[lid * ${lanes}u + i]; }
    inverse[lid] = 1.0 / sqrt(sum / f32(d.K) + d.eps);
  }
  workgroupBarrier();`;
}
