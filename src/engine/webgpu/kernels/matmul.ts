/**
 * Matrix products in three layouts, with their prologues and epilogues, in tiles staged in
 * workgroup memory as vectors; if there are too few tiles, threads or workgroups share the depth of
 * one tile and add up in a fixed order. A software adapter has its own kernel, see
 * matmulRegisters.ts.
 */
import type { Dispatch } from "../shader.ts";
import { repeat, type KernelTarget } from "./lanes.ts";
import type { Matmul } from "../../plan/ops/layers.ts";
import { common, loaders, matmulName } from "./matmulParts.ts";
import { registerTiles } from "./matmulRegisters.ts";
import { productTile, sliceDepth, teamOf, type ProductTile } from "./matmulTile.ts";
import { reducePartials } from "./rows.ts";

export function matmul(op: Matmul, target: KernelTarget): Dispatch[] {
  if (target.software) return [registerTiles(op)];
  const tile = productTile(op);
  return tile.slices > 1 ? slicedTiles(op, tile) : [stagedTiles(op, tile)];
}

/** A weight's gradient: sums over slices of the depth, [slices, M, N], then these added to the weight's sum, one after the other. */
function slicedTiles(op: Matmul, tile: ProductTile): Dispatch[] {
  const { M, N, out } = op;
  const depth = sliceDepth(op, tile);
  const P = Math.ceil(op.K / depth);
  const partials = { store: "scratch", offset: 0, size: P * M * N };
  const { add: _, ...product } = op;
  const sums = stagedTiles({ ...product, out: partials }, { ...tile, slices: P });
  const sizes = { J: 1, P, n: M * N, stride: P * M * N, outStride: M * N };
  const [onto] = reducePartials({ op: "reducePartials", partials, out, ...sizes });
  return [
    { ...sums, share: 1 },
    { ...onto!, share: 0 },
  ];
}

/** Stride in vectors from one depth to the next: one more than there are, so that writes to several depths avoid bank conflicts. */
const strideOf = (width: number) => width / 4 + 1;

function stagedTiles(op: Matmul, tile: ProductTile): Dispatch {
  const { m, n, k, rows, split, slices } = tile;
  const team = teamOf(tile);
  const across = Math.ceil(op.N / n);
  const tiles = across * Math.ceil(op.M / m);
  const sliced = slices > 1;
  const body = `
  ${sliced ? placeOfSlice(tile) : placeOfTile(tile)}
  let s = lid / ${team}u;
  let l = lid % ${team}u;
  let x = l % ${n / 4}u;
  let y = l / ${n / 4}u;
  ${op.prologue === "norm" ? rowNorms(m, team * split) : ""}
  ${repeat(rows, (i) => `var c${i} = vec4f();`)}
  for (var stage = from_; stage < to; stage += ${k * split}u) {
    let k0 = stage + s * ${k}u;
    ${stageA(op, tile, team)}
    ${stageB(op, tile, team)}
    workgroupBarrier();
    ${multiply(tile)}
    workgroupBarrier();
  }
  ${split > 1 ? gather(split, team) : ""}
  ${split > 1 ? "if (s > 0u) { return; }" : ""}
  ${repeat(rows, (i) => `store(m0 + y * ${rows}u + ${i}u, n0 + x * 4u, c${i});`)}`;
  const base = common(op);
  const dims = { ...base.dims, across, ...(sliced && { tiles, depth: sliceDepth(op, tile) }) };
  const declarations = [...shared(op, tile), loaders(op, sliced)].join("\n");
  return {
    ...base,
    name: matmulName(op),
    dims,
    declarations,
    body,
    workgroup: team * split,
    groups: tiles * slices,
  };
}

function shared({ prologue }: Matmul, tile: ProductTile): string[] {
  const { m, n, k, split } = tile;
  const threads = teamOf(tile) * split;
  const vectors = (name: string, count: number) =>
    `var<workgroup> ${name}: array<vec4f, ${count}>;`;
  return [
    vectors("sa", split * k * strideOf(m)),
    vectors("sb", split * k * strideOf(n)),
    prologue === "norm"
      ? `var<workgroup> inverse: array<f32, ${m}>; var<workgroup> squares: array<f32, ${threads}>;`
      : "",
  ];
}

const placeOfTile = ({ m, n }: ProductTile) => `
  let m0 = group / d.across * ${m}u;
  let n0 = group % d.across * ${n}u;
  if (m0 >= d.M) { return; }
  let from_ = 0u;
  let to = d.K;`;

/** Loads past K are zeros, so that the last slice may be as deep as the others. */
const placeOfSlice = ({ m, n }: ProductTile) => `
  let slice = group / d.tiles;
  let m0 = group % d.tiles / d.across * ${m}u;
  let n0 = group % d.tiles % d.across * ${n}u;
  let from_ = slice * d.depth;
  let to = from_ + d.depth;
  row0 = slice * d.M;`;

/** Unrolled depths. */
const UNROLLED = 4;

/** Each depth's numbers of A times its vector of B. */
function multiply({ m, n, k, rows }: ProductTile): string {
  const [sa, sb] = [strideOf(m), strideOf(n)];
  const along = (q: number) => `{
        let b = sb[pb + ${q * sb}u];
        ${repeat(rows / 4, (v) => `let a${v} = sa[pa + ${q * sa + v}u];`)}
        ${repeat(rows, (i) => `c${i} += a${Math.floor(i / 4)}[${i % 4}] * b;`)}
      }`;
  return `
    var pa = s * ${k * sa}u + y * ${rows / 4}u;
    var pb = s * ${k * sb}u + x;
    for (var k = 0u; k < ${k}u; k += ${UNROLLED}u) {
      ${repeat(UNROLLED, along)}
      pa += ${UNROLLED * sa}u;
      pb += ${UNROLLED * sb}u;
    }`;
}

/** Zeros past K. */
function stageA(op: Matmul, { m, k }: ProductTile, team: number): string {
  const part = { to: "sa", width: m, k, team };
  if (op.layout === "TN") return stageVectors(part, (q, r) => `load_a(${q}, m0 + ${r})`);
  if (op.prologue !== "norm") return stageTurned(part, (q, r) => `load_a(m0 + ${r}, ${q})`);
  const load = (q: string, r: string) => `load_a(m0 + ${r}, ${q}) * inverse[${r}] * w`;
  return stageTurned(part, load, "let w = rows_w(0u, k0 + q, 1u, d.K);");
}

function stageB({ layout }: Matmul, { n, k }: ProductTile, team: number): string {
  const part = { to: "sb", width: n, k, team, last: true };
  if (layout !== "NT") return stageVectors(part, (q, r) => `load_b(${q}, n0 + ${r})`);
  return stageTurned(part, (q, r) => `load_b(n0 + ${r}, ${q})`);
}

/** A tile of A or B in workgroup memory, depth outermost. */
interface Staged {
  /** Its name. */
  to: string;
  /** Rows of A, columns of B. */
  width: number;
  k: number;
  team: number;
  /** Whether the team's last threads stage it, if not all are needed. */
  last?: boolean;
}

/** A vector's WGSL, given its depth and its first row or column. */
type Load = (q: string, r: string) => string;

/** Vectors whose layout in memory is the staged one. */
const stageVectors = ({ to, width, k, team }: Staged, load: Load) => `
    for (var e = l; e < ${(k * width) / 4}u; e += ${team}u) {
      let q = e / ${width / 4}u;
      let r = e % ${width / 4}u;
      ${to}[(s * ${k}u + q) * ${strideOf(width)}u + r] = ${load("k0 + q", "r * 4u")};
    }`;

/**
 * Vectors along the depth, four rows of them at a time, transposed in registers: a component of a
 * vector in workgroup memory may be written by one thread only. Pairs of threads read along a row.
 */
function stageTurned({ to, width, k, team, last }: Staged, load: Load, before = ""): string {
  const [blocks, stride] = [(k * width) / 16, strideOf(width)];
  const turned = (c: number) => [0, 1, 2, 3].map((i) => `v${i}[${c}]`).join(", ");
  return `
    for (var e = ${last && blocks < team ? `(l + ${team - blocks}u) % ${team}u` : "l"}; e < ${blocks}u; e += ${team}u) {
      let q = (e % 2u + e / ${width / 2}u * 2u) * 4u;
      let r = e / 2u % ${width / 4}u;
      ${before}
      ${repeat(4, (i) => `let v${i} = ${load("k0 + q", `r * 4u + ${i}u`)};`)}
      let at = (s * ${k}u + q) * ${stride}u + r;
      ${repeat(4, (c) => `${to}[at + ${c * stride}u] = vec4f(${turned(c)});`)}
    }`;
}

/** The teams' sums, added to the first team's one after the other, in the memory of A's tile. */
const gather = (split: number, team: number) =>
  repeat(
    split - 1,
    (i) => `
  if (s == ${i + 1}u) { sa[l] = c0; sa[l + ${team}u] = c1; sa[l + ${2 * team}u] = c2; sa[l + ${3 * team}u] = c3; }
  workgroupBarrier();
  if (s == 0u) { c0 += sa[l]; c1 += sa[l + ${team}u]; c2 += sa[l + ${2 * team}u]; c3 += sa[l + ${3 * team}u]; }
  ${i + 2 < split ? "workgroupBarrier();" : ""}`,
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
