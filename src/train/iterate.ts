/**
 * One iteration of one algorithm, in the order it happens: rollout, old log-probs and values,
 * credit, updates, and what is recorded of it.
 */
import {
  computeCredit,
  creditMetrics,
  entropyByTurn,
  inRewardUnits,
  selectTrajectories,
  type Credit,
  type Selection,
} from "../algorithm/registry.ts";
import { permutation } from "../numeric/rng.ts";
import type { Metrics } from "../record/runEvent.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { rollout, type Episode, type Task } from "../rollout/rollout.ts";
import { neededColumns } from "../spec/algorithms.ts";
import { readingOf, type ExperimentSpec } from "../spec/experiment.ts";
import { groupSizeOf, recordedEpisodes } from "../spec/groups.ts";
import { waitOf } from "../spec/schedule.ts";
import { checkFinite, gather, maskAt, prefixAt, valuesAt } from "./columns.ts";
import { alignment } from "./diagnostics/alignment.ts";
import { crossScores, crossScoringDue } from "./diagnostics/crossScoring.ts";
import { samplerMismatch } from "./diagnostics/samplerMismatch.ts";
import { criticValues, type CriticValues } from "./criticValues.ts";
import { batchOfEpisodes, episodeRow, placeRows } from "./episodes.ts";
import { steerKl, unscaledKl, withKlCoef } from "./klControl.ts";
import { criticOf, type Learner } from "./learner.ts";
import { makeTasks } from "./makeTasks.ts";
import { processPay } from "./process/processReward.ts";
import { episodeRecords, type LastUse } from "./records.ts";
import { inTurnsPlayed, segmented } from "./segmentation.ts";
import { reduceMetrics } from "./reduceMetrics.ts";
import { responseEnds, rolloutMetrics } from "./rolloutMetrics.ts";
import {
  processColumn,
  sampledLogprob,
  signalMetrics,
  signals,
  squaredProbabilities,
} from "./signals.ts";
import { UpdateLog } from "./updateRecords.ts";
import { updateOn, type KnownOutputs, type Learns, type UpdateResult } from "./update.ts";
import type { OnTask, TrainingSet } from "./world.ts";
import type { Experience, IterationContext, IterationResult } from "./context.ts";

/** @throws NotFiniteError if a number of the model is not finite. */
export async function iterate(
  context: IterationContext,
  learner: Learner,
  iteration: number,
): Promise<IterationResult> {
  const { spec, family, clock } = context;
  const begin = clock();
  context.phase?.("rollout");
  const episodes = await playIteration(context, learner, iteration);
  const played = clock();
  context.phase?.("update");
  const experience = await measure(context, learner, episodes, iteration);
  const cross = crossScoringDue(spec, iteration)
    ? await crossScores(spec, learner.actor, episodes)
    : {};
  const critics = await criticsOf(context, { ...experience, ...experience.played });
  const updates = await learn(context, learner, experience, iteration);
  const aligned =
    spec.evaluation.alignment && !isWarmup(spec, learner, iteration)
      ? await alignment(spec, learner, experience)
      : {};
  const { rewardScale } = spec.optimisation;
  const { batch, credit } = experience;
  const scaled = inRewardUnits(learner.algorithm, batch, credit, rewardScale);
  const turns = inTurnsPlayed(experience, scaled, updates.lastUse, rewardScale);
  const metrics = {
    ...creditMetrics(unscaledKl(learner, rewardScale), scaled.batch, scaled.credit),
    ...rolloutMetrics(family.name, episodes, responseEnds(spec, family)),
    ...samplerMismatch(experience.batch, sampledLogprob(episodes)),
    ...signalMetrics(context, experience.batch),
    ...entropyByTurn(experience.batch, experience.entropy),
    ...cross,
    ...experience.process?.metrics,
    ...steerKl(learner, experience.batch, rewardScale),
    ...updates.metrics,
    ...aligned,
  };
  return {
    metrics: finiteOrNull(metrics),
    episodes: episodeRecords(context, learner, { ...experience, ...turns, critics }, turns.lastUse),
    updates: spec.recordEpisodes > 0 ? updates.log.records() : [],
    time: { rollout: played - begin, update: clock() - played },
  };
}

export function isWarmup(spec: ExperimentSpec, { algorithm }: Learner, iteration: number): boolean {
  return iteration <= waitOf(spec, algorithm);
}

/**
 * For W iterations a fraction of the full rate: 1/(W+1), 2/(W+1), ..., counted from the actor's
 * first.
 */
function actorLrAt(spec: ExperimentSpec, { algorithm }: Learner, iteration: number): number {
  const { actorLr, actorLrWarmup } = spec.optimisation;
  return actorLr * Math.min(1, (iteration - waitOf(spec, algorithm)) / (actorLrWarmup + 1));
}

/** The iteration's tasks: every algorithm sees the same level seeds; one that plays groups plays the first of them G times. */
export async function tasksOf(
  context: IterationContext,
  learner: Learner,
  iteration: number,
): Promise<Task[]> {
  const { spec, family } = context;
  const { tasksPerIteration, groupSize } = spec.optimisation;
  const episodes = tasksPerIteration * groupSize;
  const group = groupSizeOf(spec, learner.algorithm);
  const set = { tasks: episodes / group, episodes, pool: spec.environment.trainLevels };
  const seeds = await trainingSeeds(context, iteration, set);
  const task = (seed: number, n: number) => ({ name: `${family.name}:${n}:${seed}`, seed });
  return seeds.flatMap((seed, n) => Array<Task>(group).fill(task(seed, n)));
}

/** The level seeds of an iteration: large boards are generated here. */
export function trainingSeeds(
  { spec, family, phase, gate }: IterationContext,
  iteration: number,
  set: TrainingSet,
): Promise<number[]> {
  const report = (made: number) => phase?.(`making levels ${made} / ${set.tasks}`);
  const { revision } = readingOf(spec);
  const job = (onTask: OnTask) =>
    family.levels.trainSliced(spec.seed, iteration, { ...set, revision }, onTask);
  return makeTasks(job, report, gate);
}

export async function playIteration(
  context: IterationContext,
  learner: Learner,
  iteration: number,
): Promise<Episode[]> {
  const { spec, family } = context;
  return rollout({
    model: learner.actor,
    world: family.world,
    tasks: await tasksOf(context, learner, iteration),
    context: spec.context,
    sampling: spec.sampling,
    // The same stream for every algorithm: equal policies play equal episodes.
    key: { seed: spec.seed, stream: "rollout", iteration },
    ...(context.gate && { gate: context.gate }),
  });
}

/** Old log-probs and values by a forward pass, so that the first ratios are 1, then credit. */
export async function measure(
  context: IterationContext,
  learner: Learner,
  episodes: Episode[],
  iteration: number,
): Promise<Experience> {
  const { spec } = context;
  const critic = criticOf(learner);
  const bootstrap = critic !== null && spec.optimisation.bootstrapOnTruncation;
  const rows = episodes.map((episode) => episodeRow(episode, spec.context, bootstrap));
  const placed = placeRows(rows);
  const valued = valuesAt(placed, learner.algorithm.critic); // [K] or [N]
  const mask = maskAt(placed.rows, placed.tokenAt, valued, placed.finalStateAt);
  const request = { rows: placed.rows, temperature: spec.sampling.temperature, mask };
  const shared = critic === learner.actor;
  const out = await learner.actor.forward({ ...request, entropy: true, value: shared });
  const values = shared ? out.value! : (await critic?.forward({ ...request, value: true }))?.value;
  const reference = await learner.reference?.forward(request);
  const batch = batchOfEpisodes(episodes, spec.optimisation.rewardScale);
  batch.oldLogprob = gather(out.logprob, placed.tokenAt); // [N]
  checkFinite("logprob", batch.oldLogprob);
  if (neededColumns(learner.algorithm).includes("sumPiSquared")) {
    const { tokenAt } = placed;
    const sums = await squaredProbabilities(learner.actor, request, tokenAt, batch.oldLogprob);
    Object.assign(batch, sums);
  }
  if (reference) batch.refLogprob = gather(reference.logprob, placed.tokenAt); // [N]
  if (values) {
    checkFinite("value", Float64Array.from(values));
    const column = learner.algorithm.critic === "turn" ? "turnValue" : "tokenValue";
    batch[column] = gather(values, valued);
    batch.bootstrapValue = Float64Array.from(placed.finalStateAt, (at) =>
      at < 0 ? 0 : values[at]!,
    ); // [B]
  }
  Object.assign(batch, await signals(context, learner, episodes, iteration));
  const played = { episodes, rows, batch, bootstrap };
  const process = await processPay(context, learner, played, iteration);
  const { rewardScale } = spec.optimisation;
  if (process)
    Object.assign(batch, process.columns, processColumn(learner, process.added, rewardScale));
  const entropy = gather(out.entropy!, placed.tokenAt); // [N]
  checkFinite("entropy", entropy);
  const prefix = values ? gather(values, prefixAt(placed.tokenAt)) : null; // [N]
  const cut = segmented(context, learner, { rows, batch, entropy, prefix });
  const credit = computeCredit(withKlCoef(learner), cut.batch);
  return { episodes, ...cut, credit, entropy, process };
}

/** Values by the run's critics for the episodes that will be recorded, before any update. */
export async function criticsOf(
  { spec, learners = [] }: IterationContext,
  { episodes, rows, batch }: Experience,
): Promise<CriticValues | undefined> {
  const recorded = Math.min(recordedEpisodes(spec), rows.length);
  if (recorded === 0) return undefined;
  const tokenStart = batch.tokenStart.slice(0, batch.turnStart[recorded]! + 1); // [K'+1]
  // Rows of a method without a critic lack the final state, which other methods' critics need here.
  const own = spec.optimisation.bootstrapOnTruncation
    ? episodes.slice(0, recorded).map((episode) => episodeRow(episode, spec.context, true))
    : rows.slice(0, recorded);
  return criticValues(spec, learners, own, tokenStart);
}

export interface Updates {
  metrics: Metrics;
  lastUse: LastUse;
  log: UpdateLog;
}

/**
 * E epochs of minibatches; the critic may train for more, and trains alone during warm-up. Further
 * rounds in an iteration, on other experience, continue the epoch count.
 */
export async function learn(
  context: IterationContext,
  learner: Learner,
  experience: Experience,
  iteration: number,
  { round = 0, log = new UpdateLog(learner.algorithm) }: { round?: number; log?: UpdateLog } = {},
): Promise<Updates> {
  const { spec } = context;
  const { rows, batch, credit } = experience;
  const hasCritic = criticOf(learner) !== null;
  const warmup = isWarmup(spec, learner, iteration);
  const epochs = Math.max(spec.optimisation.epochs, hasCritic ? spec.critic.epochs : 0);
  const taking = takingPart(credit, rows.length);
  const all: Metrics[] = [];
  const lastUse = unused(batch);
  const trained = { actor: false, critic: false };
  for (let epoch = 0; epoch < epochs; epoch++) {
    const learns: Learns = {
      actor: !warmup && epoch < spec.optimisation.epochs,
      critic: hasCritic && epoch < spec.critic.epochs,
      actorLr: actorLrAt(spec, learner, iteration),
    };
    if (!learns.actor && !learns.critic) continue;
    for (const [step, members] of minibatches(
      spec,
      taking,
      iteration,
      round * epochs + epoch,
    ).entries()) {
      await context.gate?.();
      const chosen = selectTrajectories(batch, credit, members);
      const known = measuredOutputs(learner, experience, chosen, trained);
      const minibatch = { rows: members.map((b) => rows[b]!), ...chosen, known };
      const result = await updateOn(spec, learner, minibatch, learns);
      trained.actor ||= learns.actor;
      trained.critic ||= learns.critic;
      all.push(ofLearners(result.metrics, { ...learns, actor: learns.actor || warmup }));
      if (!learns.actor) continue;
      noteUse(lastUse, chosen, result);
      log.note(round * epochs + epoch, step, chosen, result.objective);
    }
  }
  return { metrics: reduceMetrics(all), lastUse, log };
}

/** What `measure` found, for networks that have not been trained since: a forward pass would give the same bits. */
function measuredOutputs(
  learner: Learner,
  { entropy, played }: Experience,
  { batch, tokens }: Selection,
  trained: { actor: boolean; critic: boolean },
): KnownOutputs {
  if (!learner.actor.rowsApart || played) return {};
  const either = criticOf(learner) === learner.actor && (trained.actor || trained.critic);
  const values = learner.algorithm.critic === "turn" ? batch.turnValue : batch.tokenValue;
  return {
    ...(!(either || trained.actor) && {
      policy: {
        logprob: batch.oldLogprob!, // [N]
        entropy: Float64Array.from(tokens, (token) => entropy[token]!), // [N]
      },
    }),
    ...(!(either || trained.critic) && values && { values }),
  };
}

/** Prefixes of the metrics of actor or critic: verl's, and for the actor TRL's too. */
const OWN = {
  actor: ["actor/", "policy/", "clip_ratio/", "val/"],
  critic: ["critic/"],
} as const;

/** An update that trains only one of the two reports no metrics of the other (except for an actor that is never trained). */
function ofLearners(metrics: Metrics, learns: Learns): Metrics {
  const silent = (["actor", "critic"] as const).flatMap((part) => (learns[part] ? [] : OWN[part]));
  const kept = Object.entries(metrics).filter(
    ([name]) => !silent.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(kept);
}

/** Trajectories that the algorithm's filter keeps. [<= B] */
function takingPart({ kept }: Credit, count: number): number[] {
  const all = Array.from({ length: count }, (_, b) => b);
  return kept ? all.filter((b) => kept[b] === 1) : all;
}

/** Trajectory indices of each minibatch of an epoch, shuffled. */
function minibatches(
  spec: ExperimentSpec,
  trajectories: number[],
  iteration: number,
  epoch: number,
): number[][] {
  const key = { seed: spec.seed, stream: "minibatch", iteration, trajectory: epoch, step: 0 };
  const order = Array.from(permutation(trajectories.length, key), (i) => trajectories[i]!);
  const size = spec.optimisation.minibatch;
  const starts = Array.from({ length: Math.ceil(order.length / size) }, (_, i) => i * size);
  return starts.map((start) => order.slice(start, start + size));
}

/** Before any update: the old policy itself. */
function unused({ turnReward, oldLogprob }: TrajectoryBatch): LastUse {
  const K = turnReward.length;
  return {
    logprob: Float64Array.from(oldLogprob!), // [N]
    turnRatio: new Float64Array(K).fill(1), // [K]
    turnClipped: new Uint8Array(K), // [K]
  };
}

function noteUse(lastUse: LastUse, { turns, tokens }: Selection, result: UpdateResult): void {
  turns.forEach((turn, k) => {
    lastUse.turnRatio[turn] = result.objective.turnRatio[k]!;
    lastUse.turnClipped[turn] = result.objective.turnClipped[k]!;
  });
  tokens.forEach((token, t) => (lastUse.logprob[token] = result.logprob[t]!));
}

export function finiteOrNull(metrics: Metrics): Metrics {
  const entries = Object.entries(metrics);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Number.isFinite(value) ? value : null]),
  );
}
