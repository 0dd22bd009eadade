/**
 * One block of episodes: each row's gradient on every batch that the block can be cut into. Scores
 * are computed once; a row's gradient is then a weighted sum of them: in the count sketch for norms
 * and products between rows' own gradients, and in all P dimensions for products with the true
 * gradient.
 */
import type { CountSketch } from "../../numeric/countSketch.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import { dot } from "./flat.ts";
import { along, eachScore, unitsOf, type ScoreRequest } from "./tokenScores.ts";

/** A row's weight on each token, in a batch of some trajectories. [N], 0 elsewhere */
type Weigh = (members: readonly number[]) => Float64Array;

interface BlockRequest extends Omit<ScoreRequest, "units"> {
  batch: TrajectoryBatch;
  rows: readonly { name: string; weigh: Weigh }[];
  /** Batch sizes; each divides the block's size. */
  sizes: readonly number[];
  /** The true gradient's blocks. [R][P] */
  reference: readonly Float32Array[];
  sketch: CountSketch;
}

/** Results of a row on the batches of one size from one block. */
export interface BlockRow {
  row: string;
  size: number;
  batches: number;
  /** Batches with a gradient of exactly 0. */
  silent: number;
  /** Mean of |g|^2 over the batches. */
  squared: number;
  /** Mean of <g, G_r>. [R] */
  dots: number[];
  /** Mean of <g, G_r> / |g|, 0 for a silent batch. [R] */
  unitDots: number[];
  /** Mean of g, sketched; stored in single precision. [d] */
  mean: Float32Array;
}

/** The running sum of a batch's gradient. */
interface BlockSum {
  weight: Float64Array;
  sketched: Float64Array;
  dots: Float64Array;
}

/** One entry per row and size, rows first. */
export async function blockRows(request: BlockRequest): Promise<BlockRow[]> {
  const { rows, sizes, batch, reference, sketch } = request;
  const cuts = rows.flatMap(({ name, weigh }) =>
    sizes.map((size) => ({
      name,
      size,
      sums: cut(batch, size).map((members) => begin(weigh(members))),
    })),
  );
  const sums = cuts.flatMap((one) => one.sums);
  const units = unitsOf(
    sums.map(({ weight }) => weight),
    batch.tokenStart,
  );
  await eachScore({ ...request, units }, (unit, score) => {
    const dots = Float64Array.from(reference, (G) => dot(G, score)); // [R]
    const sketched = new Float64Array(sketch.size); // [d]
    sketch.add(score, sketched);
    for (const sum of sums) addScaled(sum, along(unit, sum.weight), sketched, dots);
  });
  return cuts.map(({ name, size, sums }) => summed(name, size, sums));

  function begin(weight: Float64Array): BlockSum {
    const [sketched, dots] = [sketch.size, reference.length].map((n) => new Float64Array(n));
    return { weight, sketched: sketched!, dots: dots! };
  }
}

/**
 * Consecutive episodes in batches of one size. @throws RangeError unless the block is a multiple of
 * it.
 */
function cut({ task }: TrajectoryBatch, size: number): number[][] {
  if (task.length % size !== 0)
    throw new RangeError(`a block of ${task.length} episodes has no batches of ${size}`);
  return Array.from({ length: task.length / size }, (_, i) =>
    Array.from({ length: size }, (_, j) => i * size + j),
  );
}

function addScaled(
  sum: BlockSum,
  weight: number,
  sketched: Float64Array,
  dots: Float64Array,
): void {
  if (weight === 0) return;
  for (let i = 0; i < sketched.length; i++) sum.sketched[i]! += weight * sketched[i]!;
  for (let r = 0; r < dots.length; r++) sum.dots[r]! += weight * dots[r]!;
}

function summed(row: string, size: number, sums: readonly BlockSum[]): BlockRow {
  const n = sums.length;
  const norms = sums.map(({ sketched }) => Math.sqrt(dot(sketched, sketched)));
  const mean = (of: (sum: BlockSum, i: number) => number) =>
    sums.reduce((total, sum, i) => total + of(sum, i), 0) / n;
  const R = Array.from(sums[0]!.dots.keys());
  return {
    row,
    size,
    batches: n,
    silent: norms.filter((norm) => norm === 0).length,
    squared: mean((_, i) => norms[i]! * norms[i]!),
    dots: R.map((r) => mean(({ dots }) => dots[r]!)),
    unitDots: R.map((r) => mean(({ dots }, i) => (norms[i]! > 0 ? dots[r]! / norms[i]! : 0))),
    mean: Float32Array.from(sums[0]!.sketched, (_, i) => mean(({ sketched }) => sketched[i]!)),
  };
}
