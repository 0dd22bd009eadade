/** The data of a phase: rollouts of the policy at its beginning, the pairs they form, and the reference's log-probs. */
import type { EngineModel } from "../../engine/engine.ts";
import { append } from "../../numeric/lists.ts";
import { composeOffsets } from "../../numeric/segments.ts";
import { rollout, type Episode, type Task } from "../../rollout/rollout.ts";
import { checkFinite, gather, maskAt } from "../columns.ts";
import { batchOfEpisodes, episodeRow, placeRows } from "../episodes.ts";
import { trainingSeeds } from "../iterate.ts";
import { type IterationContext } from "../context.ts";
import { episodeReturn } from "../rolloutMetrics.ts";
import type { PreferenceLearner } from "./learner.ts";
import { buildPairs, splitPairs } from "./pairs.ts";
import type { Collected } from "./collected.ts";

/**
 * Plays the tasks of the given iterations with a model and pairs the rollouts.
 * @throws NotFiniteError if a number of the model is not finite.
 */
export async function collectPairs(
  context: IterationContext,
  { reference }: PreferenceLearner,
  player: EngineModel,
  iterations: number[],
): Promise<Collected> {
  const { spec } = context;
  const played: Episode[] = [];
  for (const n of iterations) append(played, await playPairs(context, player, n));
  const episodes = played.map((episode, trajectory) => ({ ...episode, trajectory }));
  const rows = episodes.map((episode) => episodeRow(episode, spec.context, false));
  const placed = placeRows(rows);
  const { temperature } = spec.sampling;
  const mask = maskAt(placed.rows, placed.tokenAt);
  const out = await reference.forward({ rows: placed.rows, mask, temperature, entropy: true });
  const batch = batchOfEpisodes(episodes, spec.optimisation.rewardScale);
  batch.oldLogprob = batch.refLogprob = gather(out.logprob, placed.tokenAt); // [N]
  checkFinite("logprob", batch.refLogprob);
  const { pairsPerTask, minGap, heldOut } = spec.preference!;
  const scored = episodes.map((episode) => ({
    task: episode.task.name,
    reward: episodeReturn(episode),
  }));
  const pairs = buildPairs(scored, pairsPerTask, minGap);
  const tokens = composeOffsets(batch.turnStart, batch.tokenStart); // [B+1]
  const entropy = gather(out.entropy!, placed.tokenAt); // [N]
  const split = splitPairs(pairs, heldOut, spec.seed, iterations[0]!);
  return { episodes, rows, batch, tokens, entropy, ...split };
}

/** The tasks of one iteration, each played G times, as for a group algorithm. */
async function playPairs(
  context: IterationContext,
  model: EngineModel,
  iteration: number,
): Promise<Episode[]> {
  const { spec, family, gate } = context;
  const { tasksPerIteration, groupSize } = spec.optimisation;
  const set = {
    tasks: tasksPerIteration,
    episodes: tasksPerIteration * groupSize,
    pool: spec.environment.trainLevels,
  };
  const seeds = await trainingSeeds(context, iteration, set);
  const task = (seed: number, n: number) => ({ name: `${family.name}:${n}:${seed}`, seed });
  return rollout({
    model,
    world: family.world,
    tasks: seeds.flatMap((seed, n) => Array<Task>(groupSize).fill(task(seed, n))),
    context: spec.context,
    sampling: spec.sampling,
    // The same stream for every learner: equal policies play equal episodes.
    key: { seed: spec.seed, stream: "rollout", iteration },
    ...(gate && { gate }),
  });
}
