/** Step 2 of Iterative PPO: Q(s, a) by regression on the logged episodes' returns from each turn on. */
import { returnsToGo } from "../../method/credit/returnsToGo.ts";
import { explainedVariance } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { TURN_RETURNS } from "../../method/estimators.ts";
import { batchOfEpisodes, episodeRow } from "../episodes.ts";
import type { IterationContext } from "../context.ts";
import type { ProcessPay } from "../process/played.ts";
import { processPay } from "../process/processReward.ts";
import { splitByTask } from "../process/split.ts";
import { fitTurns, scoreTurns } from "../process/turnScorer.ts";
import type { IterativeLearner } from "./learner.ts";

export interface Fitted {
  /** Q of every logged turn after the fit, in scaled rewards. [K] */
  q: Float64Array;
  process: ProcessPay | null;
  metrics: Metrics;
}

/**
 * Fits Q to G_h = r_h + gamma G_{h+1} with squared loss, on most of the tasks; the other tasks, and
 * all tasks before the fit, show how much of the returns' variance it explains. An episode
 * truncated by the turn limit earns nothing after it.
 * @throws NotFiniteError if a score or a gradient is not finite.
 */
export async function fitQ(
  context: IterationContext,
  learner: IterativeLearner,
  episodes: Episode[],
  iteration: number,
): Promise<Fitted> {
  const { spec, gate } = context;
  const { gamma, q: settings } = spec.iterative!;
  const rows = episodes.map((episode) => episodeRow(episode, spec.context, false));
  const batch = batchOfEpisodes(episodes, spec.optimisation.rewardScale);
  const process = await processPay(
    context,
    // The targets are returns of turns, whatever the inner row does with them.
    { ...learner, algorithm: { ...learner.algorithm, estimator: TURN_RETURNS, gamma } },
    { episodes, rows, batch, bootstrap: false },
    iteration,
  );
  const { turnReward } = { ...batch, ...process?.columns };
  const G = returnsToGo(turnReward, batch.turnStart, gamma); // [K]
  const ofTurns = (x: Float64Array, b: number) =>
    x.subarray(batch.turnStart[b]!, batch.turnStart[b + 1]!); // [K_b], a view
  const key = { seed: spec.seed, stream: "iterative-q", iteration };
  const [fitted, heldOut] = splitByTask(episodes, 1 - settings.heldOut, key);
  const before = await scoreTurns(learner.q, rows); // [K]
  const loss = await fitTurns(
    learner.q,
    fitted.map((b) => rows[b]!),
    fitted.map((b) => ofTurns(G, b)),
    { ...settings, loss: "squared", maxGradNorm: spec.optimisation.maxGradNorm, key, gate },
  );
  const q = await scoreTurns(learner.q, rows); // [K]
  const explained = (name: string, members: number[], score: Float64Array): Metrics => {
    const pick = (x: Float64Array) => members.flatMap((b) => Array.from(ofTurns(x, b)));
    // A single turn has no variance to explain.
    if (pick(G).length < 2) return {};
    return { [`q/explained_var/${name}`]: explainedVariance(pick(G), pick(score)) };
  };
  const all = episodes.map((_, b) => b);
  return {
    q,
    process,
    metrics: {
      "q/loss": loss,
      ...explained("before_fit", all, before),
      ...explained("fitted", fitted, q),
      ...explained("held_out", heldOut, q),
    },
  };
}
