/**
 * How a product's work is shared on a graphics card: tiles of the result, registers of a thread,
 * and who shares the depth. Selected by shape: enough workgroups to fill a card have priority, then
 * tiles that load less.
 */
import { inPlace, isAligned } from "./matmulParts.ts";
import type { Matmul } from "../../plan/ops/layers.ts";

export interface ProductTile {
  /** Rows and columns of a workgroup's part of the result. */
  m: number;
  n: number;
  /** Depth staged at a time. */
  k: number;
  /** Rows per thread, 4 or 8, each of 4 columns. */
  rows: 4 | 8;
  /** Teams of threads in a workgroup that share the depth. */
  split: number;
  /**
   * Workgroups that share the depth: they write their sums to memory, and a second dispatch adds
   * them up.
   */
  slices: number;
}

/**
 * Minimum workgroups for the largest tiles, and for small ones; with fewer, smaller tiles are
 * faster.
 */
const MANY_LARGEST = 256;
const MANY = 96;
const MANY_SMALL = 192;

/** Target number of workgroups with sliced depth: two for each core of the largest cards; and the minimum depth of a slice. */
const WANTED = 256;
const SHALLOWEST = 64;

/** Loads three quarters of LARGE's bytes; the shape that two other projects found fastest on an A100 and an RTX 5080. */
const LARGEST = { m: 128, n: 64, k: 16, rows: 8, split: 1, slices: 1 } as const;
const LARGE = { m: 64, n: 64, k: 16, rows: 8, split: 1, slices: 1 } as const;
const SMALL = { m: 32, n: 32, k: 16, rows: 4, split: 2, slices: 1 } as const;
/** Its teams use nearly all the workgroup memory that every device has. */
const FEW = { m: 16, n: 32, k: 16, rows: 4, split: 4, slices: 1 } as const;

/** Measured on a card with 132 cores: test/bench/RESULTS.md, "On a card"; LARGEST is not yet. */
export function productTile(op: Matmul): ProductTile {
  const { M, N, K } = op;
  const tiles = (m: number, n: number) => Math.ceil(M / m) * Math.ceil(N / n);
  const thin = { k: 16, rows: 4, slices: 1 } as const;
  if (M <= 8) return { ...thin, m: 8, n: 32, split: K >= 64 ? 4 : 1 };
  // A row's norm needs at least one thread.
  if (N <= 8) return { ...thin, m: 32, n: 8, split: K >= 64 ? 4 : op.prologue === "norm" ? 2 : 1 };
  if (M > 64 && !op.prologue && tiles(128, 64) >= MANY_LARGEST) return LARGEST;
  if (tiles(64, 64) >= MANY) return LARGE;
  const slices = slicesOf(op, tiles(64, 64));
  if (slices > 1) return { ...LARGE, slices };
  return tiles(32, 32) >= MANY_SMALL || K < 64 ? SMALL : FEW;
}

/** For a weight's gradient, which has few tiles and the depth of a pass's tokens. */
function slicesOf(op: Matmul, tiles: number): number {
  if (op.layout !== "TN" || op.bias || !inPlace(op) || !isAligned(op)) return 1;
  return Math.min(Math.ceil(WANTED / tiles), Math.floor(op.K / SHALLOWEST));
}

/** Depth of a slice in whole stages; the maximum for the last one. */
export const sliceDepth = ({ K }: Matmul, { k, slices }: ProductTile): number =>
  Math.ceil(K / slices / k) * k;

/** Threads that compute a whole tile together. */
export const teamOf = ({ m, n, rows }: ProductTile): number => (m / rows) * (n / 4);
