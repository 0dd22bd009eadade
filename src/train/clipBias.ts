/**
 * The clipping-bias correction of S-PPO and ST-PPO in an update: measures the norm of the gradient
 * that the clip removed, and divides the policy's gradient accordingly. A backward pass is linear
 * in its input, so dividing dL/dlogprob divides the gradient of the parameters.
 */
import {
  cutOfLogprobs,
  divideByCut,
  type Corrected,
  type CutSizes,
  type Objective,
} from "../algorithm/registry.ts";
import { composeOffsets } from "../numeric/segments.ts";
import { mean } from "../numeric/statistics.ts";
import { trajectoryClipFractions, trajectoryCut } from "../method/objective/clipBias.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { TokenRow } from "../text/tokenRow.ts";
import { scatter } from "./columns.ts";
import { placeRows } from "./episodes.ts";
import type { Learner } from "./learner.ts";

/**
 * The objective with the gradients of log-probs and entropies divided by the denominator that the
 * algorithm's clipBias and clipBiasScope name; unchanged if they name none. Leaves no gradient in
 * the actor.
 */
export async function correctClipBias(
  learner: Learner,
  objective: Objective,
  batch: TrajectoryBatch,
  rows: TokenRow[],
  temperature: number,
): Promise<Corrected> {
  const { algorithm } = learner;
  if (algorithm.clipBias === "none") return { objective, metrics: {} };
  const start = composeOffsets(batch.turnStart, batch.tokenStart); // [B+1]
  const sizes = await cutSizes(learner, objective, start, rows, temperature);
  return divideByCut(algorithm, batch, objective, sizes);
}

async function cutSizes(
  { algorithm, actor }: Learner,
  objective: Objective,
  start: Int32Array,
  all: TokenRow[],
  temperature: number,
): Promise<CutSizes> {
  const { dLogprobCut, tokenClipped } = objective;
  const parameterNorm = async (cut: Float64Array, of = all) => {
    if (cut.every((g) => g === 0)) return 0;
    const { rows, tokenAt } = placeRows(of);
    await actor.backward({ rows, temperature, dLogprob: scatter(cut, tokenAt, rows) }); // [B, L]
    const size = await actor.gradNorm(["trunk"]);
    actor.zeroGrads();
    return size;
  };
  const ownCut = (b: number) =>
    trajectoryCut(dLogprobCut, start, b).subarray(start[b], start[b + 1]);
  switch (algorithm.clipBiasScope) {
    case "logprobs":
      return cutOfLogprobs(objective);
    case "minibatch":
      return { norms: [await parameterNorm(dLogprobCut)], fractions: [mean(tokenClipped)] };
    case "trajectory": {
      const norms: number[] = [];
      for (let b = 0; b + 1 < start.length; b++)
        norms.push(await parameterNorm(ownCut(b), [all[b]!]));
      return { norms, fractions: Array.from(trajectoryClipFractions(tokenClipped, start)) };
    }
  }
}
