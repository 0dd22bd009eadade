/** How attention's work is shared: rows and numbers of a thread, and what a workgroup stages. */
import type { KernelTarget } from "./lanes.ts";

/** A head as vectors of 4, 2 or 1 numbers. */
export interface Vectors {
  type: "vec4f" | "vec2f" | "f32";
  array: "array<vec4f>" | "array<vec2f>" | "array<f32>";
  width: number;
  /** Vectors per head. */
  n: number;
}

export function vectorsOf(d: number): Vectors {
  if (d % 4 === 0) return { type: "vec4f", array: "array<vec4f>", width: 4, n: d / 4 };
  if (d % 2 === 0) return { type: "vec2f", array: "array<vec2f>", width: 2, n: d / 2 };
  return { type: "f32", array: "array<f32>", width: 1, n: d };
}

/** What an attention kernel does with each of its rows. */
export interface RowWork {
  /** Head data that a row keeps during the walk: its query and its sums. */
  kept: number;
  /** Dot products with each row of the walk. */
  dots: number;
}

export interface AttentionTile {
  /** Rows per thread. */
  own: number;
  /** Rows per workgroup. */
  threads: number;
  /** Threads that share a row's heads, each with every parts-th vector. */
  parts: number;
  /** Rows that a workgroup stages at a time; 0: each thread loads for itself. */
  staged: number;
}

/** Head values that a thread keeps: cards that spill early have 128 registers, and a loop needs about as many again. */
const KEPT = 64;
/** Heads up to this size are not split. */
const WHOLE = 32;
/** Bytes of workgroup memory that every device has. */
const SHARED = 16384;

export function attentionTile(
  { software }: KernelTarget,
  v: Vectors,
  work: RowWork,
): AttentionTile {
  if (software) return { own: v.n <= 16 ? 4 : 1, threads: 16, parts: 1, staged: 0 };
  const parts = partsOf(v, work.kept);
  if (parts > 1) return parted(v, work, parts);
  return { own: 1, threads: 64, parts, staged: v.n <= 16 ? 32 : v.n <= 32 ? 16 : 8 };
}

/**
 * The smallest number of parts for which each keeps few enough values; all have the same number of
 * vectors.
 */
function partsOf({ n, width }: Vectors, kept: number): number {
  if (n * width <= WHOLE) return 1;
  const even = [1, 2, 4, 8, 16].filter((parts) => n % parts === 0);
  return even.find((parts) => (kept * n * width) / parts <= KEPT) ?? even.at(-1)!;
}

function parted(v: Vectors, { dots }: RowWork, parts: number): AttentionTile {
  const threads = 128;
  const bytes = 4 * (2 * v.n * v.width + dots * threads);
  const staged = [32, 16, 8, 4, 2].find((rows) => rows * bytes <= SHARED) ?? 1;
  return { own: 1, threads, parts, staged };
}
