/**
 * From blocks to the figure: for each row and batch size, the cosine to the true gradient and the
 * signal-to-noise ratio.
 *
 *   cosine  E[<g, G> / |g|] / |G|              of one batch's gradient g; G = grad J
 *   signal  |E g|^2,  noise  E|g|^2 - |E g|^2  the trace of g's covariance
 *   SNR     signal / noise
 *   limit   <E g, G> / (|E g| |G|)             the cosine without noise: below 1 the row is
 *   biased
 *
 * G and E g are themselves estimates, and the square of a noisy vector is too large by its noise.
 * So |G|^2 and |E g|^2 are means over pairs of different blocks, which are unbiased. Intervals are
 * 95 % percentile bootstrap intervals: blocks of episodes and blocks of the true gradient are
 * resampled, and a block is never multiplied with its own copy.
 */
import { uniforms } from "../../numeric/rng.ts";
import { quantile, type Interval, type Numbers } from "../../numeric/statistics.ts";
import type { BlockRow } from "./block.ts";
import { gram } from "./reference.ts";

interface EstimatedValue extends Interval {
  /** NaN if undefined, for example if a squared norm is estimated at 0 or less. */
  value: number;
}

interface RowSummary {
  row: string;
  size: number;
  /** Number of batches, and of those without any gradient. */
  batches: number;
  silent: number;
  cosine: EstimatedValue;
  snr: EstimatedValue;
  limit: EstimatedValue;
  /** Its cosine minus that of the reference row, on the same blocks: more precise than either. */
  against: { row: string; cosine: EstimatedValue } | null;
}

interface ReferenceSummary {
  blocks: number;
  /** |G|^2, and the noise of all blocks together as a share of it. */
  squared: EstimatedValue;
  noiseShare: EstimatedValue;
}

const RESAMPLES = 1000;

/** The precision of the true gradient itself. products [R][R] */
export function summariseReference(products: number[][], resamples = RESAMPLES): ReferenceSummary {
  const n = products.length;
  const around = (of: (v: Numbers) => number) => estimatedValue((_, v) => of(v), 0, n, resamples);
  const noise = (v: Numbers) => (own(products, v) / crossed(products, v) - 1) / n;
  return {
    blocks: n,
    squared: around((v) => crossed(products, v)),
    noiseShare: around(noise),
  };
}

/**
 * One entry per row and size, in the order of the first block; compared with the row `against`, or
 * the first row if that is missing. blocks [Bk][*], products [R][R]
 */
export function summariseRows(
  blocks: readonly (readonly BlockRow[])[],
  products: number[][],
  { resamples = RESAMPLES, against }: { resamples?: number; against?: string } = {},
): RowSummary[] {
  const rows = (blocks[0] ?? []).map((_, i) => blocks.map((block) => block[i]!)); // [*][Bk]
  const base = rows.some(([first]) => first!.row === against) ? against : rows[0]?.[0]!.row;
  return rows.map((parts) => {
    const { row, size } = parts[0]!;
    const other = rows.find(([first]) => first!.row === base && first!.size === size)!;
    const pair = row === base ? null : other;
    return summariseRow(parts, pair, products, resamples);
  });
}

function summariseRow(
  parts: readonly BlockRow[],
  other: readonly BlockRow[] | null,
  products: number[][],
  resamples: number,
): RowSummary {
  const own = gram(parts.map(({ mean }) => mean)); // [Bk][Bk]
  const signal = (u: Numbers) => crossed(own, u);
  const norm = (v: Numbers) => root(crossed(products, v));
  const cosine = (of: readonly BlockRow[]) => (u: Numbers, v: Numbers) =>
    meanDot(of, "unitDots", u, v) / norm(v);
  const measure = (of: (u: Numbers, v: Numbers) => number) =>
    estimatedValue(of, parts.length, products.length, resamples);
  const total = (of: (part: BlockRow) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  const [ownCosine, otherCosine] = [cosine(parts), other && cosine(other)];
  const { row, size } = parts[0]!;
  return {
    row,
    size,
    batches: total(({ batches }) => batches),
    silent: total(({ silent }) => silent),
    cosine: measure(ownCosine),
    snr: measure((u) => {
      const mean = signal(u);
      return mean / (weighted(squares(parts), u) - mean);
    }),
    limit: measure((u, v) => meanDot(parts, "dots", u, v) / (root(signal(u)) * norm(v))),
    against: otherCosine && {
      row: other![0]!.row,
      cosine: measure((u, v) => ownCosine(u, v) - otherCosine(u, v)),
    },
  };
}

function squares(parts: readonly BlockRow[]): number[] {
  return parts.map(({ squared }) => squared);
}

function meanDot(
  parts: readonly BlockRow[],
  of: "dots" | "unitDots",
  u: Numbers,
  v: Numbers,
): number {
  return weighted(
    parts.map((part) => weighted(part[of], v)),
    u,
  );
}

/** NaN below 0, which has no root. */
function root(x: number): number {
  return x > 0 ? Math.sqrt(x) : NaN;
}

/** Mean of x, weighted by how often each was drawn. */
function weighted(x: ArrayLike<number>, counts: Numbers): number {
  let [sum, n] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    sum += counts[i]! * x[i]!;
    n += counts[i]!;
  }
  return sum / n;
}

/** Mean product of two different blocks. */
function crossed(products: number[][], counts: Numbers): number {
  let [sum, n] = [0, 0];
  for (let i = 0; i < products.length; i++) {
    for (let j = 0; j < products.length; j++) {
      if (i === j) continue;
      sum += counts[i]! * counts[j]! * products[i]![j]!;
      n += counts[i]! * counts[j]!;
    }
  }
  return sum / n;
}

/** Mean square of a block. */
function own(products: number[][], counts: Numbers): number {
  return weighted(
    products.map((row, i) => row[i]!),
    counts,
  );
}

/**
 * A statistic of the blocks' resampling counts, computed once with each block drawn once, with its
 * interval.
 */
function estimatedValue(
  of: (u: Numbers, v: Numbers) => number,
  blocks: number,
  references: number,
  resamples: number,
): EstimatedValue {
  const once = (n: number) => new Float64Array(n).fill(1);
  const draws = Float64Array.from({ length: resamples }, (_, r) =>
    of(redraw(blocks, "blocks", r), redraw(references, "references", r)),
  ); // [resamples]
  const defined = draws.filter((x) => x === x);
  return {
    value: of(once(blocks), once(references)),
    low: quantile(defined, 0.025),
    high: quantile(defined, 0.975),
  };
}

/** n draws from n with replacement. [n] */
function redraw(n: number, stream: string, r: number): Float64Array {
  const counts = new Float64Array(n); // [n]
  const key = { seed: 0, stream: `gradient ${stream}`, iteration: r, trajectory: 0, step: 0 };
  for (const u of uniforms(key, n)) counts[Math.floor(u * n)]! += 1;
  return counts;
}
