/**
 * The clipping-bias correction of S-PPO and ST-PPO in an update: how large the gradient is that the
 * clip cut, and the policy's gradient divided accordingly. A backward pass is linear in what goes into
 * it, so that dividing dL/dlogprob divides the gradient of the parameters.
 */
import type { Objective } from "../algorithm/registry.ts";
import { composeOffsets } from "../numeric/segments.ts";
import { max, mean } from "../numeric/statistics.ts";
import {
  clipBiasDenominator,
  divideTrajectories,
  norm,
  trajectoryClipFractions,
  trajectoryCut,
} from "../objective/clipBias.ts";
import type { Metrics } from "../record/runEvent.ts";
import type { TrajectoryBatch } from "../record/trajectoryBatch.ts";
import type { TokenRow } from "../text/tokenRow.ts";
import { scatter } from "./columns.ts";
import { placeRows } from "./episodes.ts";
import type { Learner } from "./learner.ts";

interface Corrected {
  objective: Objective;
  metrics: Metrics;
}

/**
 * The objective with the gradients of log-probs and entropies divided by the denominator that the
 * algorithm's clipBias and clipBiasScope name; as it is where they name none. Leaves no gradient in
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
  const { norms, fractions } = await cutSizes(learner, objective, start, rows, temperature);
  const denominators = norms.map((C, i) => clipBiasDenominator(algorithm, C, fractions[i]!));
  const perTrajectory = Float64Array.from(
    { length: start.length - 1 },
    (_, b) => denominators[b] ?? denominators[0]!,
  ); // [B]
  const divide = (gradient: Float64Array) => divideTrajectories(gradient, start, perTrajectory);
  return {
    objective: {
      ...objective,
      dLogprob: divide(objective.dLogprob),
      dEntropy: objective.dEntropy && divide(objective.dEntropy),
    },
    metrics: {
      "actor/clip_bias_norm/mean": mean(norms),
      "actor/clip_bias_norm/max": max(norms),
      "actor/clip_bias_denominator/mean": mean(denominators),
    },
  };
}

interface CutSizes {
  /** |C|, of the minibatch [1] or of each trajectory [B]. */
  norms: number[];
  /** Share of tokens clipped in each. */
  fractions: number[];
}

async function cutSizes(
  { algorithm, actor }: Learner,
  { dLogprobCut, tokenClipped }: Objective,
  start: Int32Array,
  all: TokenRow[],
  temperature: number,
): Promise<CutSizes> {
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
  const whole = [mean(tokenClipped)];
  switch (algorithm.clipBiasScope) {
    case "logprobs":
      return { norms: [norm(dLogprobCut)], fractions: whole };
    case "minibatch":
      return { norms: [await parameterNorm(dLogprobCut)], fractions: whole };
    case "trajectory": {
      const norms: number[] = [];
      for (let b = 0; b + 1 < start.length; b++)
        norms.push(await parameterNorm(ownCut(b), [all[b]!]));
      return { norms, fractions: Array.from(trajectoryClipFractions(tokenClipped, start)) };
    }
  }
}
