/**
 * One block of episodes: each row's gradient on every batch that the block can be cut into. Scores
 * are computed once; a row's gradient is then a weighted sum of them: in the count sketch for norms
 * and products between rows' own gradients, and in all P dimensions for products with the true
 * gradient.
 */
import type { CountSketch } from "../../numeric/countSketch.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import { dot, takeGradient, type Differentiable } from "./flat.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { packRows, tokenRow, type Context } from "../../text/tokenRow.ts";

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

// Scores: gradients of log-probs. An engine accumulates gradients, so each score is one backward
// pass over the shortest row that contains the token: its own turn's in turn context, everything up
// to its turn in full context. A pass is linear in its input, so a turn needs as many passes as its
// rows' token weights have dimensions: one if all rows weight its tokens proportionally, two if
// some also follow one critic's token values.

/** A direction over the tokens of one turn; the directions of a turn are orthonormal. */
interface GradientUnit {
  /** The turn's first token in the batch. */
  start: number;
  /** [n_k] */
  direction: Float64Array;
}

const BUCKET = 16;
/** A remainder this small relative to the original vector is rounding. */
const NOTHING = 1e-9;

/** A basis of the rows' weights for each turn. weights [*][N], tokenStart [K+1] -> [K][*] */
export function unitsOf(
  weights: readonly Float64Array[],
  tokenStart: Int32Array,
): GradientUnit[][] {
  return Array.from(tokenStart.subarray(1), (end, k) => {
    const start = tokenStart[k]!;
    const basis: Float64Array[] = [];
    for (const weight of weights) extend(basis, weight.subarray(start, end));
    return basis.map((direction) => ({ start, direction }));
  });
}

/** Gram-Schmidt, applied twice against rounding. */
function extend(basis: Float64Array[], x: Float64Array): void {
  const norm = Math.sqrt(dot(x, x));
  let left = x.slice(); // [n_k]
  for (let pass = 0; pass < 2; pass++)
    for (const e of basis) {
      const along = dot(left, e);
      left = left.map((y, i) => y - along * e[i]!);
    }
  const rest = Math.sqrt(dot(left, left));
  if (rest > NOTHING * norm) basis.push(left.map((y) => y / rest));
}

/** Component of a row's weights along the unit. weight [N] */
export function along({ start, direction }: GradientUnit, weight: Float64Array): number {
  return dot(direction, weight.subarray(start, start + direction.length));
}

interface ScoreRequest {
  model: Differentiable;
  context: Context;
  temperature: number;
  episodes: readonly Pick<Episode, "turns">[];
  /** Per turn. [K][*] */
  units: readonly GradientUnit[][];
  gate?: () => Promise<void>;
}

/** Receives the score along each unit, in the batch's order. score [P] */
export async function eachScore(
  { model, context, temperature, episodes, units, gate }: ScoreRequest,
  hear: (unit: GradientUnit, score: Float32Array) => void,
): Promise<void> {
  let k = 0;
  for (const { turns } of episodes) {
    await gate?.();
    for (let h = 0; h < turns.length; h++, k++) {
      const row = tokenRow(context === "turn" ? [turns[h]!] : turns.slice(0, h + 1), context);
      const rows = packRows([row], BUCKET); // [1, L]
      const own = row.tokenIndices.slice(-turns[h]!.responseIds.length); // [n_k]
      for (const unit of units[k]!) {
        const dLogprob = new Float32Array(rows.L); // [1, L]
        own.forEach((at, i) => (dLogprob[at] = unit.direction[i]!));
        await model.backward({ rows, temperature, dLogprob });
        hear(unit, await takeGradient(model));
      }
    }
  }
}
