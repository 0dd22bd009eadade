/**
 * The learned provider (GUI-Shepherd, arXiv 2509.23738): a network that starts as the first policy
 * and learns to classify turns as good or bad; its score is the probability of "good". In each
 * iteration it is trained on the labels of a share of the tasks and tested on the turns of the
 * others before it scores all of them.
 */
import { sigmoid } from "../../numeric/deterministic.ts";
import { mean } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { IterationContext } from "../context.ts";
import type { Learner } from "../learner.ts";
import type { PlayedEpisodes } from "./played.ts";
import { splitByTask } from "./split.ts";
import { fitTurns, scoreTurns } from "./turnScorer.ts";

interface Labels {
  /** The training labels, including wrong ones. [K] */
  label: Float64Array;
  /** The true labels. [K] */
  exact: Float64Array;
}

/** Trains on this iteration's labelled turns, unless the context is read-only, then scores every turn. [K] */
export async function judgeTurns(
  { spec, gate, looks = false }: IterationContext,
  { judge }: Learner,
  { episodes, rows, batch }: PlayedEpisodes,
  { label, exact }: Labels,
  iteration: number,
): Promise<{ score: Float64Array; metrics: Metrics }> {
  if (!judge) throw new Error("the learner has no judge of turns");
  const { labelled, ...fit } = spec.processReward!.learned;
  const key = { seed: spec.seed, stream: "process-judge", iteration };
  const [taught, tested] = splitByTask(episodes, labelled, key);
  const ofTurns = (b: number, x: Float64Array) =>
    x.subarray(batch.turnStart[b]!, batch.turnStart[b + 1]!); // [K_b], a view
  const loss = looks
    ? null
    : await fitTurns(
        judge,
        taught.map((b) => rows[b]!),
        taught.map((b) => ofTurns(b, label)),
        { ...fit, loss: "logistic", maxGradNorm: spec.optimisation.maxGradNorm, key, gate },
      );
  const score = (await scoreTurns(judge, rows)).map(sigmoid); // [K]
  const right = score.map((p, k) => Number(p > 0.5 === (exact[k] === 1))); // [K]
  const unseen = (x: Float64Array) => tested.flatMap((b) => Array.from(ofTurns(b, x)));
  return {
    score,
    metrics: {
      ...(loss !== null && { "process/judge_loss": loss }),
      ...(tested.length > 0 && {
        "process/accuracy": mean(unseen(right)),
        // Accuracy of always answering the same.
        "process/majority": Math.max(mean(unseen(exact)), 1 - mean(unseen(exact))),
      }),
    },
  };
}
