/**
 * Whether an iteration's updates moved turns in the direction of their advantages: the correlation,
 * over the turns that took part, of the advantage used in the loss with the turn's log-ratio after
 * the last update, and the spread of the log-ratios. A small correlation with a wide spread means
 * that most of the change is noise.
 *
 * It takes one forward pass over the iteration's rows after the updates, compared with the one
 * before them and two epochs of forward and backward: about a tenth of an iteration
 * (test/bench/RESULTS.md). So it is optional.
 */
import { segmentSum } from "../../numeric/segments.ts";
import { pearson, std } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { Credit } from "../../algorithm/registry.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { checkFinite, gather, maskAt } from "../columns.ts";
import { placeRows } from "../episodes.ts";
import type { Learner } from "../learner.ts";
import type { Minibatch } from "../update.ts";

/** Under the policy after the updates. @throws NotFiniteError */
export async function alignment(
  { sampling }: ExperimentSpec,
  { actor }: Learner,
  { rows, batch, credit }: Minibatch,
): Promise<Metrics> {
  const placed = placeRows(rows);
  const mask = maskAt(placed.rows, placed.tokenAt);
  const out = await actor.forward({ rows: placed.rows, mask, temperature: sampling.temperature });
  const now = gather(out.logprob, placed.tokenAt); // [N]
  checkFinite("logprob", now);
  return alignmentOf(batch, credit, now);
}

/** logprob: under the policy after the updates. [N] */
export function alignmentOf(
  batch: TrajectoryBatch,
  credit: Credit,
  logprob: Float64Array,
): Metrics {
  const change = logprob.map((x, t) => x - batch.oldLogprob![t]!); // [N]
  const logRatio = segmentSum(change, batch.tokenStart); // [K]
  const turns = takingPart(batch, credit);
  const [A, moved] = [credit.turnAdvantage, logRatio].map((x) =>
    Float64Array.from(turns, (k) => x[k]!),
  ); // [K']
  const found = { "actor/alignment": pearson(A!, moved!), "actor/turn_logratio_std": std(moved!) };
  // Constant advantages have no correlation, and no turns have no spread: omit the number rather
  // than report NaN.
  return Object.fromEntries(Object.entries(found).filter(([, x]) => Number.isFinite(x)));
}

/** Turns of the trajectories that the row's filter keeps. [<= K] */
function takingPart({ turnStart }: TrajectoryBatch, { kept }: Credit): number[] {
  const turns: number[] = [];
  for (let b = 0; b + 1 < turnStart.length; b++)
    if (kept?.[b] !== 0) for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++) turns.push(k);
  return turns;
}
