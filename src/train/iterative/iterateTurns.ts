/**
 * One iteration of Iterative PPO (arXiv 2511.21638): log episodes with the policy pi_n, fit Q of
 * pi_n, then improve single turns from the logged states with Q as their reward, by an ordinary row
 * of the table. With the true Q every such step improves the policy of the whole game; the next
 * iteration logs with the improved policy.
 */
import { creditMetrics, entropyByTurn, inRewardUnits } from "../../algorithm/registry.ts";
import { mean, pearson } from "../../numeric/statistics.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { TokenRow } from "../../text/tokenRow.ts";
import { unscaledKl } from "../klControl.ts";
import type { CriticValues } from "../criticValues.ts";
import { samplerMismatch } from "../diagnostics/samplerMismatch.ts";
import { batchOfEpisodes, episodeRow } from "../episodes.ts";
import {
  criticsOf,
  finiteOrNull,
  learn,
  measure,
  playIteration,
  type Updates,
} from "../iterate.ts";
import { sampledLogprob } from "../signals.ts";
import type { Experience, IterationResult, IterationContext } from "../context.ts";
import { scoreTurns } from "../process/turnScorer.ts";
import { episodeRecords } from "../records.ts";
import { reduceMetrics } from "../reduceMetrics.ts";
import { responseEnds, rolloutMetrics } from "../rolloutMetrics.ts";
import { UpdateLog } from "../updateRecords.ts";
import { fitQ, type Fitted } from "./fitQ.ts";
import { innerLearner, type IterativeLearner } from "./learner.ts";
import { answerAgain, paidBy, singleTurns } from "./singleTurns.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { TaskFamily } from "../world.ts";

/** @throws NotFiniteError if a number of a model is not finite. */
export async function iterateTurns(
  context: IterationContext,
  learner: IterativeLearner,
  iteration: number,
): Promise<IterationResult> {
  const { spec, clock } = context;
  const begin = clock();
  context.phase?.("rollout");
  const episodes = await playIteration(context, learner, iteration);
  const played = clock();
  context.phase?.("fitting Q");
  const fitted = await fitQ(context, learner, episodes, iteration);
  const fit = clock();
  context.phase?.("update");
  const log = new UpdateLog(learner.algorithm);
  const logged = { episodes, fitted };
  const rounds = await improve(context, learner, logged, iteration, log);
  return {
    ...iterationReport(context, learner, logged, rounds),
    updates: spec.recordEpisodes > 0 ? log.records() : [],
    time: { rollout: played - begin, fit: fit - played, update: clock() - fit },
  };
}

/** One inner round: its experience, and the result of its updates. */
interface Round {
  /** Q of its single turns, in scaled rewards. [K] */
  q: Float64Array;
  experience: Experience;
  updates: Updates;
  /** Values by the run's critics for the recorded episodes; first round only. */
  critics: CriticValues | undefined;
}

interface Logged {
  episodes: Episode[];
  fitted: Fitted;
}

async function improve(
  context: IterationContext,
  learner: IterativeLearner,
  { episodes, fitted }: Logged,
  iteration: number,
  log: UpdateLog,
): Promise<Round[]> {
  const { spec } = context;
  const { rewardScale } = spec.optimisation;
  const inner = innerLearner(learner, spec);
  const innerContext = { ...context, spec: innerSpec(spec) };
  const logged = singleTurns(episodes, spec.context);
  const rounds: Round[] = [];
  for (let round = 0; round < spec.iterative!.rounds; round++) {
    const answered =
      round === 0 ? logged : await answerAgain(context, learner, logged, { iteration, round });
    const q = round === 0 ? fitted.q : await scoreTurns(learner.q, rowsOf(answered, spec)); // [K]
    const singles = paidBy(
      answered,
      q.map((value) => value / rewardScale),
    );
    const experience = await measure(innerContext, inner, singles, iteration);
    const critics =
      round === 0 ? await criticsOf(context, asEpisodes(experience, episodes, spec)) : undefined;
    const updates = await learn(innerContext, inner, experience, iteration, { round, log });
    rounds.push({ q, experience, updates, critics });
  }
  return rounds;
}

/** The reward of a single turn is Q alone, in minibatches of turns. */
function innerSpec({ processReward: _, ...spec }: ExperimentSpec): ExperimentSpec {
  const { minibatch } = spec.iterative!;
  return { ...spec, optimisation: { ...spec.optimisation, minibatch } };
}

const answersOf = ({ q, experience }: Round): Answers => ({ singles: experience.episodes, q });

const rowsOf = (episodes: Episode[], { context }: ExperimentSpec): TokenRow[] =>
  episodes.map((episode) => episodeRow(episode, context, false));

/** The first round's turns are the logged ones, in order: the same columns, split into the episodes again. */
function asEpisodes(experience: Experience, episodes: Episode[], spec: ExperimentSpec): Experience {
  const { task, terminated, bootstrapValue, turnStart } = batchOfEpisodes(episodes, 1);
  // Greedy scores are for single turns.
  const { greedyScore: _, ...columns } = experience.batch;
  const batch: TrajectoryBatch = {
    ...columns,
    task,
    terminated,
    bootstrapValue,
    turnStart,
  };
  return { ...experience, episodes, rows: rowsOf(episodes, spec), batch };
}

/** Metrics of the episodes, of Q, of the first round's credit and of all rounds' updates; records of the episodes. */
function iterationReport(
  context: IterationContext,
  learner: IterativeLearner,
  { episodes, fitted }: Logged,
  rounds: Round[],
): Pick<IterationResult, "metrics" | "episodes"> {
  const { spec, family } = context;
  const { rewardScale } = spec.optimisation;
  const [{ experience, updates, critics }] = rounds as [Round, ...Round[]];
  const whole = asEpisodes(experience, episodes, spec);
  const scaled = inRewardUnits(learner.algorithm, experience.batch, experience.credit, rewardScale);
  const paid = rounds.map((round) => mean(round.experience.batch.turnReward) / rewardScale);
  const metrics = {
    ...creditMetrics(unscaledKl(learner, rewardScale), scaled.batch, scaled.credit),
    ...rolloutMetrics(family.name, episodes, responseEnds(spec, family)),
    ...samplerMismatch(whole.batch, sampledLogprob(episodes)),
    ...entropyByTurn(whole.batch, whole.entropy),
    ...fitted.process?.metrics,
    ...fitted.metrics,
    ...(rounds[1] &&
      actionCorrelation(family, episodes, answersOf(rounds[0]!), answersOf(rounds[1]))),
    "q/mean": paid[0]!,
    // By the same Q: how much better the last round's policy answers the logged states than the
    // policy that logged them.
    "q/gain": paid.at(-1)! - paid[0]!,
    ...reduceMetrics(rounds.map((round) => round.updates.metrics)),
  };
  const unscaled = inRewardUnits(learner.algorithm, whole.batch, whole.credit, rewardScale);
  const records = { ...whole, ...unscaled, critics, process: fitted.process };
  return {
    metrics: finiteOrNull(metrics),
    episodes: episodeRecords(context, learner, records, updates.lastUse),
  };
}

// Whether Q distinguishes actions, or only states. Explained variance does not show it: a Q that
// returns V(s) for every response explains as much as V does and improves nothing. Two responses in
// one state do show it.

/** One response to each logged turn, and its Q. */
interface Answers {
  /** Single turns, in the order of the logged ones. [K] */
  singles: Episode[];
  /** [K] */
  q: Float64Array;
}

/**
 * Correlation of Q's difference between two responses in the same state with that of the exact
 * potential; absent if either is constant. 0 means that the policy improves only by chance.
 */
export function actionCorrelation(
  family: TaskFamily,
  episodes: Episode[],
  first: Answers,
  second: Answers,
): Metrics {
  const [before, after] = [first, second].map(({ singles }) =>
    potentialsAfter(family, episodes, singles),
  ) as [number[], number[]];
  const truth = after.map((phi, k) => phi - before[k]!); // [K]
  const difference = second.q.map((q, k) => q - first.q[k]!); // [K]
  const r = pearson(difference, truth);
  return {
    ...(Number.isFinite(r) && { "q/action_correlation": r }),
    // Above 0 if the second responses are truly better: the exact counterpart of q/gain.
    "q/true_gain": mean(truth),
  };
}

/** Phi of the state that each answer leads to from the logged state of its turn. [K] */
function potentialsAfter(
  { world, potential }: TaskFamily,
  episodes: Episode[],
  singles: Episode[],
): number[] {
  const answers = singles.map(({ turns }) => turns[0]!);
  let k = 0;
  return episodes.flatMap(({ task, turns }) => {
    const environment = world.create(task.seed);
    let { info } = environment.reset(task.seed);
    return turns.map(({ responseIds, chance }) => {
      const here = environment.snapshot();
      const said = answers[k++]!;
      environment.step(world.prompter.answer(said.responseIds, info), said.chance);
      const phi = potential(environment);
      environment.restore(here);
      ({ info } = environment.step(world.prompter.answer(responseIds, info), chance));
      return phi;
    });
  });
}
