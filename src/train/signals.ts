/** Signals that some algorithms need in addition to rewards and values. */
import { spread } from "../algorithm/registry.ts";
import type { EngineModel, ForwardRequest } from "../engine/engine.ts";
import { exp } from "../numeric/deterministic.ts";
import { joinNames } from "../method/credit/groups.ts";
import { mean } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";
import { rollout, type Episode, type Task } from "../rollout/rollout.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { neededColumns } from "../spec/algorithms.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { checkFinite, gather } from "./columns.ts";
import { turnGains } from "./gains.ts";
import type { IterationContext } from "./context.ts";
import type { Learner } from "./learner.ts";
import { episodeReturn } from "./rolloutMetrics.ts";

type Signals = Pick<
  TrajectoryBatch,
  | "anchor"
  | "action"
  | "finalAnchor"
  | "success"
  | "greedyScore"
  | "turnGain"
  | "turnFormat"
  | "rolloutLogprob"
>;

/** The columns that the learner's algorithm needs; empty if it needs none. */
export async function signals(
  context: IterationContext,
  learner: Learner,
  episodes: Episode[],
  iteration: number,
): Promise<Signals> {
  const needs = neededColumns(learner.algorithm);
  return {
    ...(needs.includes("anchor") && { anchor: anchors(episodes) }),
    ...(needs.includes("action") && {
      action: actionNames(episodes), // [K]
      finalAnchor: episodes.map(({ finalObservation }) => finalObservation), // [B]
    }),
    ...(needs.includes("success") && {
      success: Float64Array.from(episodes, ({ success }) => Number(success)), // [B]
    }),
    ...(needs.includes("greedyScore") && {
      greedyScore: await greedyScores(context, learner, episodes, iteration),
    }),
    ...(needs.includes("turnGain") && { turnGain: await turnGains(context, learner, episodes) }),
    ...(needs.includes("rolloutLogprob") && { rolloutLogprob: sampledLogprob(episodes) }),
    ...(needs.includes("turnFormat") && { turnFormat: formatPay(context.spec, episodes) }),
  };
}

/** The scaled part of each turn's reward that is a penalty for its form. [K] */
function formatPay({ optimisation }: ExperimentSpec, episodes: Episode[]): Float64Array {
  const turns = episodes.flatMap((episode) => episode.turns);
  return Float64Array.from(turns, (turn) => turn.formatPenalty * optimisation.rewardScale);
}

/** The scaled process pay of each turn, for a learner that tells kinds of reward apart. [K] */
export function processColumn(
  { algorithm }: Pick<Learner, "algorithm">,
  added: Float64Array,
  rewardScale: number,
): Pick<TrajectoryBatch, "turnProcess"> {
  if (!neededColumns(algorithm).includes("turnFormat")) return {};
  return { turnProcess: added.map((pay) => pay * rewardScale) };
}

/**
 * Sum of the squared probabilities of the distribution that each token was sampled from, by a
 * forward pass at half the temperature, where it is the ratio of two softmaxes:
 *
 *   sum pi^2 = exp(2 log pi_T(y) - log pi_{T/2}(y))  for any token y
 *
 * request: of the forward pass that gave oldLogprob [N]. -> [N]
 */
export async function squaredProbabilities(
  model: Pick<EngineModel, "forward">,
  request: ForwardRequest,
  tokenAt: Int32Array,
  oldLogprob: Float64Array,
): Promise<Required<Pick<TrajectoryBatch, "sumPiSquared">>> {
  const half = await model.forward({ ...request, temperature: request.temperature / 2 });
  const sharp = gather(half.logprob, tokenAt); // [N]
  const sums = oldLogprob.map((logprob, t) => exp(2 * logprob - sharp[t]!)); // [N]
  checkFinite("sum of squared probabilities", sums);
  return { sumPiSquared: sums };
}

/** The sampler's own log-prob of each token. [N] */
export function sampledLogprob(episodes: Episode[]): Float64Array {
  const turns = episodes.flatMap((episode) => episode.turns);
  return Float64Array.from(turns.flatMap((turn) => turn.sampledLogprob));
}

/** Whether advantages are computed from each turn's gain. */
export function needsGains(algorithm: Learner["algorithm"]) {
  return neededColumns(algorithm).includes("turnGain");
}

/** Metrics of those columns; a substitute for information gain has its own name. */
export function signalMetrics(
  { spec, family }: IterationContext,
  { greedyScore, turnGain }: Signals,
): Metrics {
  const { rewardScale } = spec.optimisation;
  return {
    ...(greedyScore && { "rollout/greedy_score/mean": mean(greedyScore) / rewardScale }),
    ...(turnGain && spread(`${family.name}/${family.gain.kind}_gain`, turnGain)),
  };
}

/**
 * A state is identified by what the environment showed, as in verl-agent's gigpo/core_gigpo.py. [K]
 */
function anchors(episodes: Episode[]): string[] {
  return episodes.flatMap(({ turns }) => turns.map(({ observation }) => observation));
}

/** What was executed: words that changed nothing count as no action. [K] */
function actionNames(episodes: Episode[]): string[] {
  return episodes.flatMap(({ turns }) => turns.map(({ actions }) => joinNames(...actions)));
}

/** The scaled score of one greedy rollout per task, on each of the task's trajectories. [B] */
async function greedyScores(
  { spec, family, gate }: IterationContext,
  learner: Learner,
  episodes: Episode[],
  iteration: number,
): Promise<Float64Array> {
  const tasks = new Map<string, Task>(episodes.map(({ task }) => [task.name, task]));
  const greedy = await rollout({
    model: learner.actor,
    world: family.world,
    tasks: [...tasks.values()],
    context: spec.context,
    sampling: { ...spec.sampling, temperature: 0 },
    key: { seed: spec.seed, stream: "greedy", iteration },
    ...(gate && { gate }),
  });
  const scores = new Map(greedy.map((episode) => [episode.task.name, episodeReturn(episode)]));
  const { rewardScale } = spec.optimisation;
  return Float64Array.from(episodes, ({ task }) => scores.get(task.name)! * rewardScale); // [B]
}
