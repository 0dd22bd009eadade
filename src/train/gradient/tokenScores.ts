/**
 * Scores: gradients of log-probs. An engine accumulates gradients, so each score is one backward
 * pass over the shortest row that contains the token: its own turn's in turn context, everything up
 * to its turn in full context. A pass is linear in its input, so a turn needs as many passes as its
 * rows' token weights have dimensions: one if all rows weight its tokens proportionally, two if
 * some also follow one critic's token values.
 */
import type { Episode } from "../../rollout/rollout.ts";
import { packRows, tokenRow, type Context } from "../../text/tokenRow.ts";
import { dot, takeGradient, type Differentiable } from "./flat.ts";

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

export interface ScoreRequest {
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
