/**
 * How a product's work is shared on a graphics card: tiles of the result, registers of a thread, and who shares the depth. Chosen by
 * shape: workgroups enough to fill a card come first, then tiles that load less.
 */
import { inPlace, isAligned } from "./matmulParts.ts";
import type { Matmul } from "../../plan/ops/layers.ts";

export interface ProductTile {
  /** Rows and columns of a workgroup's part of the result. */
  m: number;
  n: number;
  /** Depth staged at a time. */
  k: number;
  /** Rows of a thread, 4 or 8, each of 4 columns. */
  rows: 4 | 8;
  /** Teams of threads in a workgroup that share the depth. */
  split: number;
  /** Workgroups that share the depth: their sums go to memory, and a second dispatch adds them up. */
  slices: number;
}

/** Workgroups of the largest tiles, and of small ones, below which smaller ones do better. */
const MANY = 96;
const MANY_SMALL = 192;

/** Workgroups that slices of the depth come to: two for each core of the largest cards; and the least depth of a slice. */
const WANTED = 256;
const SHALLOWEST = 64;

const LARGE = { m: 64, n: 64, k: 16, rows: 8, split: 1, slices: 1 } as const;
const SMALL = { m: 32, n: 32, k: 16, rows: 4, split: 2, slices: 1 } as const;
/** Its teams nearly fill what every device has of workgroup memory. */
const FEW = { m: 16, n: 32, k: 16, rows: 4, split: 4, slices: 1 } as const;

/** Measured on a card of 132 cores: test/bench/RESULTS.md, "On a card". */
export function productTile(op: Matmul): ProductTile {
  const { M, N, K } = op;
  const tiles = (m: number, n: number) => Math.ceil(M / m) * Math.ceil(N / n);
  const thin = { k: 16, rows: 4, slices: 1 } as const;
  if (M <= 8) return { ...thin, m: 8, n: 32, split: K >= 64 ? 4 : 1 };
  // A row's norm needs a thread at least.
  if (N <= 8) return { ...thin, m: 32, n: 8, split: K >= 64 ? 4 : op.prologue === "norm" ? 2 : 1 };
  if (tiles(64, 64) >= MANY) return LARGE;
  const slices = slicesOf(op, tiles(64, 64));
  if (slices > 1) return { ...LARGE, slices };
  return tiles(32, 32) >= MANY_SMALL || K < 64 ? SMALL : FEW;
}

/** Of a weight's gradient, which is few tiles and as deep as a pass has tokens. */
function slicesOf(op: Matmul, tiles: number): number {
  if (op.layout !== "TN" || op.bias || !inPlace(op) || !isAligned(op)) return 1;
  return Math.min(Math.ceil(WANTED / tiles), Math.floor(op.K / SHALLOWEST));
}

/** Depth of a slice, whole stages; of the last one, at most. */
export const sliceDepth = ({ K }: Matmul, { k, slices }: ProductTile): number =>
  Math.ceil(K / slices / k) * k;

/** Threads that have a whole tile between them. */
export const teamOf = ({ m, n, rows }: ProductTile): number => (m / rows) * (n / 4);
