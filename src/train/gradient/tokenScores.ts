/**
 * Scores: gradients of log-probs. An engine adds gradients up, so each score is one backward pass over the shortest row
 * that holds the token: its own turn's in turn context, everything up to its turn in full context. A pass is linear in
 * what it is given, so a turn needs as many as its rows' pushes on its tokens have dimensions: one where they all push
 * each of its tokens alike, two where some also follow one critic's values of tokens.
 */
import type { Episode } from "../../rollout/rollout.ts";
import { packRows, tokenRow, type Context } from "../../text/tokenRow.ts";
import { dot, takeGradient, type Differentiable } from "./flat.ts";

/** A direction over the tokens of one turn; those of a turn are orthonormal. */
interface GradientUnit {
  /** The turn's first token in the batch. */
  start: number;
  /** [n_k] */
  direction: Float64Array;
}

const BUCKET = 16;
/** What is this small beside the vector it is left of is rounding. */
const NOTHING = 1e-9;

/** For each turn a basis of what the rows push. weights [*][N], tokenStart [K+1] -> [K][*] */
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

/** Gram and Schmidt, twice over against rounding. */
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

/** How much of the unit a row's push holds. weight [N] */
export function along({ start, direction }: GradientUnit, weight: Float64Array): number {
  return dot(direction, weight.subarray(start, start + direction.length));
}

export interface ScoreRequest {
  model: Differentiable;
  context: Context;
  temperature: number;
  episodes: readonly Pick<Episode, "turns">[];
  /** Of each turn. [K][*] */
  units: readonly GradientUnit[][];
  gate?: () => Promise<void>;
}

/** Hears the score along each unit, in the batch's order. score [P] */
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
