/**
 * Scores: the gradients of single tokens' log-probs. An engine adds gradients up, so each score is one backward pass over
 * the shortest row that holds the token: its own turn's in turn context, everything up to its turn in full context.
 * Tokens of a turn that every row pushes alike are taken together, which is one pass for them all.
 */
import { segmentLengths } from "../../numeric/segments.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { packRows, tokenRow, type Context } from "../../text/tokenRow.ts";
import { takeGradient, type Differentiable } from "./flat.ts";

/** Tokens of one turn that share their weight in every row, by their places in the batch. */
export type Unit = Int32Array;

const BUCKET = 16;

/** One unit a turn where in every row all its tokens weigh the same, else one a token. tokenStart [K+1] */
export function unitsOf(weights: readonly Float64Array[], tokenStart: Int32Array): Unit[][] {
  return Array.from(segmentLengths(tokenStart), (n, k) => {
    const tokens = Int32Array.from({ length: n }, (_, i) => tokenStart[k]! + i);
    const alike = weights.every((w) => tokens.every((t) => w[t] === w[tokens[0]!]));
    return alike ? [tokens] : Array.from(tokens, (t) => Int32Array.of(t));
  });
}

export interface ScoreRequest {
  model: Differentiable;
  context: Context;
  temperature: number;
  episodes: readonly Pick<Episode, "turns">[];
  /** Of each turn. [K][*] */
  units: readonly Unit[][];
  gate?: () => Promise<void>;
}

/** Hears the sum of the scores of each unit's tokens, in the batch's order. score [P] */
export async function eachScore(
  { model, context, temperature, episodes, units, gate }: ScoreRequest,
  hear: (unit: Unit, score: Float32Array) => void,
): Promise<void> {
  let [k, token] = [0, 0];
  for (const { turns } of episodes) {
    await gate?.();
    for (let h = 0; h < turns.length; h++, k++) {
      const row = tokenRow(context === "turn" ? [turns[h]!] : turns.slice(0, h + 1), context);
      const rows = packRows([row], BUCKET); // [1, L]
      const first = row.tokenIndices.length - turns[h]!.responseIds.length;
      for (const unit of units[k]!) {
        const dLogprob = new Float32Array(rows.L); // [1, L]
        for (const t of unit) dLogprob[row.tokenIndices[first + t - token]!] = 1;
        await model.backward({ rows, temperature, dLogprob });
        hear(unit, await takeGradient(model));
      }
      token += turns[h]!.responseIds.length;
    }
  }
}
