/** Values by every critic of a run for the same episodes, so that all algorithms can credit one episode. */
import { segmentLengths } from "../numeric/segments.ts";
import { significant } from "../numeric/significant.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { TokenRow } from "../text/tokenRow.ts";
import { gather, maskAt, valuesAt } from "./columns.ts";
import { placeRows } from "./episodes.ts";
import { criticOf, type Learner } from "./learner.ts";

/** Critics' values for some episodes, by algorithm and in reward units. */
export interface CriticValues {
  /**
   * Per turn: [V(s_h)] of a turn critic, V of each token's prefix of a token critic. [K][1 or n_k]
   */
  turns: Record<string, number[][]>;
  /** V of the state after the last turn; null if the row does not contain it. [B] */
  end: Record<string, (number | null)[]>;
}

/**
 * Values of the turns and ends of some rows under each learner's critic. tokenStart: their tokens
 * [K+1]. Learners without a critic, and crashed ones, are left out.
 */
export async function criticValues(
  { sampling, optimisation }: ExperimentSpec,
  learners: readonly Learner[],
  rows: TokenRow[],
  tokenStart: Int32Array,
): Promise<CriticValues> {
  const placed = placeRows(rows);
  const perTurn = Array.from(segmentLengths(tokenStart)); // [K]
  const all: CriticValues = { turns: {}, end: {} };
  for (const learner of learners) {
    const critic = criticOf(learner);
    if (!critic || learner.crashed) continue;
    const ofTurns = learner.algorithm.critic === "turn";
    const at = valuesAt(placed, learner.algorithm.critic); // [K] or [N]
    const mask = maskAt(placed.rows, at, placed.finalStateAt);
    const request = { rows: placed.rows, mask, temperature: sampling.temperature, value: true };
    const plane = (await critic.forward(request)).value!; // [B, L]
    const unscaled = (V: number) => significant(V / optimisation.rewardScale, 7);
    const { name } = learner.algorithm;
    all.turns[name] = cut(
      gather(plane, at).map(unscaled),
      ofTurns ? perTurn.map(() => 1) : perTurn,
    );
    all.end[name] = Array.from(placed.finalStateAt, (end) =>
      end < 0 ? null : unscaled(plane[end]!),
    );
  }
  return all;
}

function cut(x: Float64Array, lengths: number[]): number[][] {
  let from = 0;
  return lengths.map((n) => Array.from(x.subarray(from, (from += n))));
}
