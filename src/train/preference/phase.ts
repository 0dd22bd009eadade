/**
 * One iteration of a method on preference pairs: rollouts and pairs if due, then epochs of
 * minibatches of pairs, and what is recorded of it.
 */
import { NO_TRACE } from "../../method/credit/trace.ts";
import type { Credit } from "../../algorithm/registry.ts";
import { exp } from "../../numeric/deterministic.ts";
import { permutation } from "../../numeric/rng.ts";
import { segmentMean, segmentSum, composeOffsets } from "../../numeric/segments.ts";
import { mean } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { IterationResult, IterationContext } from "../context.ts";
import { episodeRecords, type LastUse } from "../records.ts";
import { reduceMetrics } from "../reduceMetrics.ts";
import { responseEnds, rolloutMetrics, episodeReturn } from "../rolloutMetrics.ts";
import type { Collected } from "./collected.ts";
import type { PreferenceLearner } from "./learner.ts";
import { type RolloutPair, buildPairs, splitPairs } from "./pairs.ts";
import { judgePairs, updateOnPairs, type Judged } from "./update.ts";
import type { EngineModel } from "../../engine/engine.ts";
import { append } from "../../numeric/lists.ts";
import { rollout, type Episode, type Task } from "../../rollout/rollout.ts";
import { checkFinite, gather, maskAt } from "../columns.ts";
import { batchOfEpisodes, episodeRow, placeRows } from "../episodes.ts";
import { trainingSeeds } from "../iterate.ts";

/** @throws NotFiniteError if a number of the model is not finite. */
export async function iterateOnPairs(
  context: IterationContext,
  learner: PreferenceLearner,
  iteration: number,
): Promise<IterationResult> {
  const { spec, clock } = context;
  const begin = clock();
  const collected = await beginPhase(context, learner, iteration);
  const played = clock();
  context.phase?.("update");
  const use = unused(collected);
  const updates = await learnFromPairs(context, learner, iteration, (judged) =>
    note(use, collected, judged),
  );
  const metrics = {
    // Rollouts are recorded once, in the iteration that plays them.
    ...(playsIn(spec, iteration) ? playedMetrics(context, collected) : {}),
    ...pairCounts(collected),
    ...updates,
    ...(await heldOutMetrics(spec, learner, collected)),
  };
  return {
    metrics,
    episodes: episodeRecords(context, learner, { ...collected, credit: use.credit }, use.lastUse),
    time: { rollout: played - begin, update: clock() - played },
  };
}

/** Whether a phase, and so its rollouts, begins in this iteration. */
function playsIn({ preference }: ExperimentSpec, iteration: number): boolean {
  return preference!.rounds === "iterated" || iteration === 1;
}

/** The pairs to learn from. In a resumed offline run the reference replays them: the same ones. */
async function beginPhase(
  context: IterationContext,
  learner: PreferenceLearner,
  iteration: number,
): Promise<Collected> {
  const { rounds, reference, collect: count } = context.spec.preference!;
  if (rounds === "offline" && learner.collected) return learner.collected;
  context.phase?.("rollout");
  if (rounds === "iterated" && reference === "round")
    await learner.reference.writeWeights(await learner.actor.readWeights());
  const offline = Array.from({ length: count }, (_, i) => i + 1);
  const iterations = rounds === "iterated" ? [iteration] : offline;
  const player = rounds === "iterated" ? learner.actor : learner.reference;
  learner.collected = await collectPairs(context, learner, player, iterations);
  return learner.collected;
}

function playedMetrics({ spec, family }: IterationContext, { episodes }: Collected): Metrics {
  return rolloutMetrics(family.name, episodes, responseEnds(spec, family));
}

/** The amount of training data. */
function pairCounts({ episodes, train, heldOut }: Collected): Metrics {
  const tasks = new Set(episodes.map(({ task }) => task.name));
  const all = [...train, ...heldOut];
  const paired = new Set(all.map(({ task }) => task));
  return {
    "pairs/train": train.length,
    "pairs/held_out": heldOut.length,
    "pairs/task_share": paired.size / tasks.size,
    ...(all.length > 0 && { "pairs/return_gap": mean(all.map(({ gap }) => gap)) }),
  };
}

/** E epochs of minibatches; does nothing without pairs. */
async function learnFromPairs(
  { spec, gate }: IterationContext,
  learner: PreferenceLearner,
  iteration: number,
  note: (judged: Judged) => void,
): Promise<Metrics> {
  const collected = learner.collected!;
  const updates: Metrics[] = [];
  for (let epoch = 0; epoch < spec.preference!.epochs; epoch++) {
    for (const pairs of minibatches(spec, collected.train, iteration, epoch)) {
      await gate?.();
      const judged = await updateOnPairs(spec, learner, collected, pairs);
      updates.push(judged.metrics);
      note(judged);
    }
  }
  return reduceMetrics(updates);
}

/** Pairs of each minibatch of an epoch, shuffled; the same order for every method. */
function minibatches(
  spec: ExperimentSpec,
  pairs: RolloutPair[],
  iteration: number,
  epoch: number,
): RolloutPair[][] {
  const key = { seed: spec.seed, stream: "preference", iteration, trajectory: epoch, step: 0 };
  const order = Array.from(permutation(pairs.length, key), (i) => pairs[i]!);
  const size = spec.preference!.minibatch;
  const starts = Array.from({ length: Math.ceil(pairs.length / size) }, (_, i) => i * size);
  return starts.map((start) => order.slice(start, start + size));
}

/** The same metrics on pairs of held-out tasks, after the updates; TRL's prefix. */
async function heldOutMetrics(
  spec: ExperimentSpec,
  learner: PreferenceLearner,
  collected: Collected,
): Promise<Metrics> {
  if (collected.heldOut.length === 0) return {};
  const { metrics } = await judgePairs(spec, learner, collected, collected.heldOut);
  const kept = Object.entries(metrics).filter(([name]) => !name.startsWith("actor/"));
  return Object.fromEntries(kept.map(([name, value]) => [`eval_${name}`, value]));
}

/** What panels show of the rollouts. */
interface PhaseUse {
  lastUse: LastUse;
  credit: Credit;
}

/** Before any update: the reference itself, and no weight on any token. */
function unused({ batch }: Collected): PhaseUse {
  const [K, N] = [batch.turnReward.length, batch.refLogprob!.length];
  return {
    lastUse: {
      logprob: Float64Array.from(batch.refLogprob!), // [N]
      turnRatio: new Float64Array(K).fill(1), // [K]
      turnClipped: new Uint8Array(K), // [K]
    },
    credit: {
      turnAdvantage: new Float64Array(K), // [K]
      tokenAdvantage: new Float64Array(N), // [N]
      turnReturn: null,
      tokenReturn: null,
      delta: null,
      epsScale: null,
      kept: null,
      trace: NO_TRACE,
    },
  };
}

/** Log ratios are clamped here, as in the objectives. */
const MAX_LOG_RATIO = 20;

/**
 * Records the result of this update for its rollouts. A token's weight in the loss of its own pair
 * is recorded in place of an advantage: above 0 for chosen, below for rejected rollouts.
 */
function note({ lastUse, credit }: PhaseUse, { batch, tokens }: Collected, judged: Judged): void {
  const { members, logprob, result } = judged;
  const P = members.length / 2;
  let at = 0;
  for (const b of members) {
    for (let t = tokens[b]!; t < tokens[b + 1]!; t++, at++) {
      lastUse.logprob[t] = logprob[at]!;
      credit.tokenAdvantage[t] = -P * result.dLogprob[at]!;
    }
  }
  const logRatio = lastUse.logprob.map((x, t) => x - batch.refLogprob![t]!); // [N]
  lastUse.turnRatio = segmentSum(logRatio, batch.tokenStart).map((x) =>
    exp(Math.min(MAX_LOG_RATIO, Math.max(-MAX_LOG_RATIO, x))),
  ); // [K]
  credit.turnAdvantage = segmentMean(credit.tokenAdvantage, batch.tokenStart); // [K]
}

// The data of a phase: rollouts of the policy at its beginning, the pairs they form, and the reference's log-probs.

/**
 * Plays the tasks of the given iterations with a model and pairs the rollouts.
 * @throws NotFiniteError if a number of the model is not finite.
 */
async function collectPairs(
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
