/**
 * What the kernels of a graphics card make of a training step, counted from their own descriptions (matmulTile.ts, attentionTile.ts)
 * and beside those that they replaced: no card is needed, and none says how fast it is.
 */
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import { layoutOf } from "../../src/engine/plan/layout.ts";
import type { Op, OpOf } from "../../src/engine/plan/ops.ts";
import type { Matmul } from "../../src/engine/plan/ops/layers.ts";
import { UNLIMITED } from "../../src/engine/plan/planner.ts";
import { backwardPlan, gradNormPlan, updatePlan } from "../../src/engine/plan/plans.ts";
import {
  attentionTile,
  vectorsOf,
  type AttentionTile,
  type RowWork,
} from "../../src/engine/webgpu/kernels/attentionTile.ts";
import { dispatchesOf } from "../../src/engine/webgpu/kernels/index.ts";
import { lanesFor } from "../../src/engine/webgpu/kernels/lanes.ts";
import {
  productTile,
  sliceDepth,
  type ProductTile,
} from "../../src/engine/webgpu/kernels/matmulTile.ts";
import { sharedBytes } from "../engine/webgpu/variants.ts";
import { line, number } from "./numbers.ts";
import { config as bench, large } from "./workload.ts";

export const TOKENS = 2048;
const card = { software: false };

/** As products were shared out before: numbers one by one in workgroup memory, four rows of a thread, no slices. */
function tileBefore(op: Matmul): ProductTile {
  const { M, N, K } = op;
  const tiles = (m: number, n: number) => Math.ceil(M / m) * Math.ceil(N / n);
  const common = { k: 16, rows: 4, split: 1, slices: 1 } as const;
  if (tiles(64, 64) >= 96) return { ...common, m: 64, n: 64 };
  if (tiles(32, 32) >= 96 || K < 64) return { ...common, m: 32, n: 32 };
  return { ...common, m: 32, n: 32, k: 8, split: 4 };
}

interface ProductCounts {
  /** FLOPs for each byte that is read or written in the card's memory. */
  perByte: number;
  workgroups: number;
  threads: number;
  /** Numbers that a thread sums up. */
  sums: number;
  /** Reads of workgroup memory for each multiplication and addition. */
  reads: number;
  /** Of workgroup memory. */
  bytes: number;
  /** Stages of the depth, one after the other. */
  stages: number;
  dispatches: number;
}

/** Bytes of the card's memory: tiles of A and B as often as they are loaded, the result, and what slices leave and add up. */
function movedBytes({ M, N, K, add }: Matmul, { m, n }: ProductTile, slices: number): number {
  const loaded = K * M * Math.ceil(N / n) + K * N * Math.ceil(M / m);
  const result = M * N * (add ? 2 : 1);
  return 4 * (loaded + result + (slices > 1 ? 2 * slices * M * N : 0));
}

/** `vectors`: how many numbers one read of workgroup memory brings. */
function countsOf(op: Matmul, tile: ProductTile, vectors: 1 | 4, bytes: number): ProductCounts {
  const { M, N, K } = op;
  const { m, n, k, rows, split } = tile;
  const slices = tile.slices > 1 ? Math.ceil(K / sliceDepth(op, tile)) : 1;
  const depth = slices > 1 ? sliceDepth(op, tile) : K;
  return {
    perByte: (2 * M * N * K) / movedBytes(op, tile, slices),
    workgroups: Math.ceil(M / m) * Math.ceil(N / n) * slices,
    threads: (m / rows) * (n / 4) * split,
    sums: rows * 4,
    reads: (rows + 4) / vectors / (rows * 4),
    bytes,
    stages: Math.ceil(depth / (k * split)),
    dispatches: slices > 1 ? 2 : 1,
  };
}

function countsBefore(op: Matmul): ProductCounts {
  const tile = tileBefore(op);
  const { m, n, k, split } = tile;
  const team = (m / 4) * (n / 4);
  const bytes = 4 * split * k * (m + n) + (split > 1 ? 64 * team : 0);
  return countsOf(op, tile, 1, bytes);
}

function countsNow(op: Matmul): ProductCounts {
  const [kernel, ...others] = dispatchesOf(op, card);
  const counts = countsOf(op, productTile(op), 4, sharedBytes(kernel!));
  const { workgroups, threads, dispatches } = counts;
  if (kernel!.groups !== workgroups || kernel!.workgroup !== threads)
    throw new Error(`${kernel!.name}: ${kernel!.groups} of ${kernel!.workgroup}, not as described`);
  if (1 + others.length !== dispatches) throw new Error(`${kernel!.name}: other dispatches`);
  return counts;
}

const COLUMNS: Record<keyof ProductCounts, string> = {
  perByte: "FLOPs a byte",
  workgroups: "workgroups",
  threads: "threads in one",
  sums: "sums of a thread",
  reads: "reads a sum and depth",
  bytes: "workgroup memory",
  stages: "stages",
  dispatches: "dispatches",
};

const change = (before: number, now: number) =>
  before === now ? number(now) : `${number(before)} → ${number(now)}`;

function stepOps(config: ModelConfig): Op[] {
  const layout = layoutOf(config, "none");
  const model = { config, layout, params: "params", positions: 1024 };
  const shape = { R: TOKENS, M: TOKENS, value: false };
  const plans = [
    backwardPlan(model, shape, "none", undefined, UNLIMITED),
    gradNormPlan(layout),
    updatePlan(layout, ["trunk"]),
  ];
  return plans.flatMap(({ ops }) => ops);
}

const isProduct = (op: Op): op is Matmul => op.op === "matmul";

/** Of a training step. */
export const productsOf = (config: ModelConfig): Matmul[] => stepOps(config).filter(isProduct);

function productTable(name: string, config: ModelConfig): string {
  const ops = stepOps(config);
  const products = ops.filter(isProduct);
  const words = ({ layout, M, N, K }: Matmul) => `${layout} ${M} x ${N} x ${K}`;
  const kinds = new Map(products.map((op) => [words(op), op]));
  const keys = Object.keys(COLUMNS) as (keyof ProductCounts)[];
  const rows = [...kinds].map(([kind, op]) => {
    const [before, now] = [countsBefore(op), countsNow(op)];
    const times = products.filter((one) => words(one) === kind).length;
    return line([kind, String(times), ...keys.map((key) => change(before[key], now[key]))]);
  });
  const dispatches = ops.flatMap((op) => dispatchesOf(op, card)).length;
  const added = products.reduce((sum, op) => sum + countsNow(op).dispatches - 1, 0);
  return [
    `**${name}, products of a step of ${TOKENS} tokens**`,
    "",
    line(["product", "times", ...Object.values(COLUMNS)]),
    line(["---", "---", ...keys.map(() => "---")]),
    ...rows,
    "",
    `All products: ${change(stepPerByte(products, countsBefore), stepPerByte(products, countsNow))} FLOPs a byte. ` +
      `The step: ${change(dispatches - added, dispatches)} dispatches.`,
  ].join("\n");
}

function stepPerByte(products: Matmul[], countsOfOne: (op: Matmul) => ProductCounts): number {
  const flops = ({ M, N, K }: Matmul) => 2 * M * N * K;
  const all = products.reduce((sum, op) => sum + flops(op), 0);
  return all / products.reduce((sum, op) => sum + flops(op) / countsOfOne(op).perByte, 0);
}

/** Attention's kernels: heads that a row keeps, and dot products and sums with each row that it meets. */
const ATTENTION: Record<string, RowWork & { sums: number; over: "H" | "K" }> = {
  forward: { kept: 2, dots: 1, sums: 1, over: "H" },
  "backward, queries": { kept: 3, dots: 2, sums: 1, over: "H" },
  "backward, keys": { kept: 4, dots: 2, sums: 2, over: "K" },
};

/** One query or key of a thread, whole. */
function attentionBefore(d: number): AttentionTile {
  const { n } = vectorsOf(d);
  return { own: 1, threads: 64, parts: 1, staged: n <= 16 ? 32 : n <= 32 ? 16 : 8 };
}

interface AttentionCounts {
  kept: number;
  rows: number;
  threads: number;
  workgroups: number;
  staged: number;
  bytes: number;
  perByte: number;
}

function attentionCounts(
  heads: { H: number; K: number; d: number },
  { kept, dots, sums, over }: (typeof ATTENTION)[string],
  { own, threads, parts, staged }: AttentionTile,
): AttentionCounts {
  const { d } = heads;
  const rows = (own * threads) / parts;
  return {
    kept: (own * kept * d) / parts,
    rows,
    threads,
    workgroups: heads[over] * Math.ceil(TOKENS / rows),
    staged,
    bytes: 4 * staged * (2 * d + (parts > 1 ? dots * threads : 0)),
    // Two heads are loaded of each row that a workgroup meets.
    perByte: (rows * 2 * d * (dots + sums)) / (4 * 2 * d),
  };
}

const HEADS: [string, { H: number; K: number; d: number }][] = [
  ["32 (bench)", { H: 4, K: 4, d: 32 }],
  ["64 (Qwen2.5 0.5B)", { H: 14, K: 2, d: 64 }],
  ["128 (Qwen3 0.6B)", { H: 16, K: 8, d: 128 }],
];

const ATTENTION_COLUMNS: Record<keyof AttentionCounts, string> = {
  kept: "numbers that a thread keeps",
  rows: "rows of a workgroup",
  threads: "threads in one",
  workgroups: "workgroups",
  staged: "rows staged",
  bytes: "workgroup memory",
  perByte: "FLOPs a byte loaded",
};

/** Bytes of workgroup memory and workgroups of the three kernels, as dispatched. */
function attentionDispatches(heads: { H: number; K: number; d: number }) {
  const view = { store: "arena", offset: 0, size: 1 };
  const of = { qkv: view, first: view, end: view, out: view, lse: view };
  const shape = { ...of, R: TOKENS, ...heads, scale: 1 };
  const forward: OpOf<"attention"> = { op: "attention", ...shape };
  const gradient = { dOut: view, delta: view, dQkv: view };
  const backward: OpOf<"attentionBackward"> = { op: "attentionBackward", ...gradient, ...shape };
  return [forward, backward].flatMap((op) => dispatchesOf(op, card));
}

function attentionTable(): string {
  const keys = Object.keys(ATTENTION_COLUMNS) as (keyof AttentionCounts)[];
  const rows = HEADS.flatMap(([name, heads]) => {
    const dispatched = attentionDispatches(heads);
    return Object.entries(ATTENTION).map(([kernel, work], i) => {
      const { groups, workgroup } = dispatched[i]!;
      const before = attentionCounts(heads, work, attentionBefore(heads.d));
      const now = attentionCounts(heads, work, attentionTile(card, vectorsOf(heads.d), work));
      const found = [groups, workgroup, sharedBytes(dispatched[i]!)];
      if (`${found}` !== `${[now.workgroups, now.threads, now.bytes]}`)
        throw new Error(`${kernel} of ${name}: ${found.join(", ")}, not as described`);
      return line([name, kernel, ...keys.map((key) => change(before[key], now[key]))]);
    });
  });
  return [
    `**Attention over ${TOKENS} tokens**`,
    "",
    line(["head size", "kernel", ...Object.values(ATTENTION_COLUMNS)]),
    line(["---", "---", ...keys.map(() => "---")]),
    ...rows,
  ].join("\n");
}

/** Barriers of one sum over lanes: without subgroups, and with subgroups of that many threads. */
function laneTable(): string {
  const barriers = (elements: number, subgroup: number) => {
    const { declarations } = lanesFor({ software: false, subgroup }, elements);
    const [sum] = declarations.split("fn laneMax");
    const [before, ...rounds] = sum!.split("for (");
    const count = (text: string) => text.split("workgroupBarrier()").length - 1;
    if (rounds.length === 0) return count(before!);
    // The loop has a round for each halving of the lanes.
    const { lanes } = lanesFor({ software: false }, elements);
    const [loop, after] = rounds.join("").split("let all");
    return count(before!) + count(loop!) * Math.log2(lanes) + count(after!);
  };
  const sizes = [0, 8, 16, 32, 64];
  const rows = [64, 16, 4].map((lanes) =>
    line([String(lanes), ...sizes.map((subgroup) => String(barriers(lanes, subgroup)))]),
  );
  return [
    "**Barriers of a sum over lanes**",
    "",
    line(["lanes", "no subgroups", ...sizes.slice(1).map((size) => `of ${size} threads`)]),
    line(["---", ...sizes.map(() => "---")]),
    ...rows,
  ].join("\n");
}

/** @returns Markdown. */
export function main(): string {
  const tables = [
    productTable("0.9M parameters", bench),
    productTable("24M parameters", large),
    attentionTable(),
    laneTable(),
  ];
  return tables.join("\n\n");
}
