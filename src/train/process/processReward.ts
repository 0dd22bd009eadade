/**
 * Process rewards: each turn's score, weighted by eta, is added to its reward before any estimator
 * sees it (GUI-Shepherd, arXiv 2509.23738, uses a learned judge of steps this way; shaping as in
 * credit/shaping.ts). Reported scores and evaluation remain the environment's own.
 */
import { discountOf } from "../../method/credit/discount.ts";
import {
  tokenShaping,
  turnShaping,
  type ShapingInput,
  potentialAfter,
} from "../../method/credit/shaping.ts";
import { segmentSum, offsets } from "../../numeric/segments.ts";
import { normal, uniform, streamHash } from "../../numeric/rng.ts";
import { mean, pearson } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { ProcessRewardSpec } from "../../spec/process.ts";
import type { IterationContext } from "../context.ts";
import type { Learner } from "../learner.ts";
import type { PlayedEpisodes, ProcessPay } from "./played.ts";
import { sigmoid } from "../../numeric/deterministic.ts";
import { splitByTask } from "./split.ts";
import { fitTurns, scoreTurns } from "./turnScorer.ts";
import type { Environment } from "../../env/environment.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { TaskFamily } from "../world.ts";

/** The extra rewards of the turns; null if the spec has none. */
export async function processPay(
  context: IterationContext,
  learner: Learner,
  played: PlayedEpisodes,
  iteration: number,
): Promise<ProcessPay | null> {
  const { processReward: process } = context.spec;
  if (!process || process.provider === "none") return null;
  const truth = truthOf(context.family, played.episodes);
  const judged =
    process.shaping === "potential"
      ? shapedTurns(context.spec.seed, process, learner.algorithm, truth, played)
      : await labelledTurns(context, process, learner, truth, played, iteration);
  return payOf(context.spec, process, judged, played.batch);
}

/** A provider's scores for every turn, and those of the exact provider without noise. */
interface JudgedTurns {
  /** [K] */
  score: Float64Array;
  /** [K] */
  exact: Float64Array;
  /** Scores if the discount is per token; a turn's score is then their sum. [N] */
  tokenScore?: Float64Array;
  metrics: Metrics;
}

function payOf(
  { optimisation: { rewardScale } }: ExperimentSpec,
  { eta }: ProcessRewardSpec,
  { score, exact, tokenScore, metrics }: JudgedTurns,
  batch: TrajectoryBatch,
): ProcessPay {
  const plus = (base: Float64Array | undefined, x: Float64Array) =>
    x.map((s, i) => (base?.[i] ?? 0) + eta * s * rewardScale);
  const added = score.map((s) => eta * s); // [K]
  const agreement = pearson(score, exact);
  return {
    columns: tokenScore
      ? { turnReward: batch.turnReward, tokenReward: plus(batch.tokenReward, tokenScore) } // [N]
      : { turnReward: plus(batch.turnReward, score) }, // [K]
    added,
    metrics: {
      "process/mean": mean(added),
      // Constant scores have no correlation: omit the number rather than report a wrong one.
      ...(Number.isFinite(agreement) && { "process/correlation": agreement }),
      ...metrics,
    },
  };
}

/** gamma Phi(s') - Phi(s); noise gives another Phi, which is equally harmless. */
function shapedTurns(
  seed: number,
  { noise: { sigma } }: ProcessRewardSpec,
  algorithm: AlgorithmConfig,
  truth: Truth,
  { batch, bootstrap }: PlayedEpisodes,
): JudgedTurns {
  const { steps, gamma } = discountOf(algorithm);
  const exact = shapingInput(truth, bootstrap, gamma, 0, seed);
  const noisy = shapingInput(truth, bootstrap, gamma, sigma, seed);
  if (steps === "turn")
    return { score: turnShaping(noisy), exact: turnShaping(exact), metrics: {} };
  const ofTokens = (input: ShapingInput) => tokenShaping(input, batch.tokenStart); // [N]
  const tokenScore = ofTokens(noisy);
  return {
    tokenScore,
    score: segmentSum(tokenScore, batch.tokenStart), // [K]
    exact: segmentSum(ofTokens(exact), batch.tokenStart), // [K]
    metrics: {},
  };
}

function shapingInput(
  { potential, finalPotential, state, finalState, turnStart, terminated }: Truth,
  bootstrap: boolean,
  gamma: number,
  sigma: number,
  seed: number,
): ShapingInput {
  // Drawn from the state alone: the same state always has the same potential.
  const moved = (phi: number, number: number) =>
    sigma === 0 ? phi : phi + sigma * normal(noiseKey(seed, number, 0, 0));
  return {
    potential: potential.map((phi, k) => moved(phi, state[k]!)), // [K]
    finalPotential: finalPotential.map((phi, b) =>
      terminated[b] || !bootstrap ? 0 : moved(phi, finalState[b]!),
    ), // [B]
    turnStart,
    gamma,
  };
}

/** 1 or 0 by the exact provider's label, or the learned provider's probability of 1; then noise. */
async function labelledTurns(
  context: IterationContext,
  process: ProcessRewardSpec,
  learner: Learner,
  truth: Truth,
  played: PlayedEpisodes,
  iteration: number,
): Promise<JudgedTurns> {
  const exact = goodTurns(truth);
  const { flip, sigma } = process.noise;
  const { seed } = context.spec;
  const key = (k: number, step: number) => noiseKey(seed, iteration, k, step);
  const label = exact.map((y, k) => (flip > 0 && uniform(key(k, 0)) < flip ? 1 - y : y)); // [K]
  const judged =
    process.provider === "learned"
      ? await judgeTurns(context, learner, played, { label, exact }, iteration)
      : { score: label, metrics: {} };
  const noisy = judged.score.map((s, k) => (sigma === 0 ? s : s + sigma * normal(key(k, 1)))); // [K]
  return { score: noisy, exact, metrics: judged.metrics };
}

function noiseKey(seed: number, iteration: number, trajectory: number, step: number) {
  return { seed, stream: "process-noise", iteration, trajectory, step };
}

// The learned provider (GUI-Shepherd, arXiv 2509.23738): a network that starts as the first policy
// and learns to classify turns as good or bad; its score is the probability of "good". In each
// iteration it is trained on the labels of a share of the tasks and tested on the turns of the
// others before it scores all of them.

interface Labels {
  /** The training labels, including wrong ones. [K] */
  label: Float64Array;
  /** The true labels. [K] */
  exact: Float64Array;
}

/** Trains on this iteration's labelled turns, unless the context is read-only, then scores every turn. [K] */
async function judgeTurns(
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

// The exact truth of each turn: how near the goal the states before and after it are.

interface Truth {
  /** Phi of the state before each turn. [K] */
  potential: Float64Array;
  /** Phi of the state after each episode's last turn, however the episode ended. [B] */
  finalPotential: Float64Array;
  /** An id for each of these states, equal for equal states. [K], [B] */
  state: Uint32Array;
  finalState: Uint32Array;
  /** [B+1] */
  turnStart: Int32Array;
  /** Whether the episode terminated with its last turn. [B] */
  terminated: boolean[];
}

/** Replays each episode in its environment and measures every state. */
export function truthOf(family: TaskFamily, episodes: Episode[]): Truth {
  const measured = episodes.map((episode) => measureStates(family, episode)); // [B][K_b + 1]
  const before = measured.flatMap((states) => states.slice(0, -1));
  const last = measured.map((states) => states.at(-1)!);
  return {
    potential: Float64Array.from(before, ({ potential }) => potential),
    finalPotential: Float64Array.from(last, ({ potential }) => potential),
    state: Uint32Array.from(before, ({ state }) => state),
    finalState: Uint32Array.from(last, ({ state }) => state),
    turnStart: offsets(episodes.map(({ turns }) => turns.length)),
    terminated: episodes.map(({ terminated }) => terminated),
  };
}

interface MeasuredState {
  potential: number;
  state: number;
}

function measureStates(
  { world, potential }: TaskFamily,
  { task, turns }: Episode,
): MeasuredState[] {
  const environment = world.create(task.seed);
  let { info } = environment.reset(task.seed);
  const now = () => ({ potential: potential(environment), state: stateNumber(environment) });
  const states = [now()];
  for (const { responseIds, chance } of turns) {
    ({ info } = environment.step(world.prompter.answer(responseIds, info), chance));
    states.push(now());
  }
  return states;
}

/** Names of random streams must be ASCII. */
function stateNumber(environment: Environment): number {
  return streamHash(encodeURIComponent(JSON.stringify(environment.snapshot())));
}

/**
 * 1 for a good turn, 0 for a bad one: a turn is good if it brings the state nearer to the goal, or
 * finishes the task without losing anything. [K]
 */
function goodTurns(truth: Truth): Float64Array {
  const { potential, turnStart, terminated } = truth;
  const after = potentialAfter(truth);
  const good = after.map((phi, k) => Number(phi > potential[k]!)); // [K]
  terminated.forEach((finished, b) => {
    const last = turnStart[b + 1]! - 1;
    if (finished) good[last] = Number(after[last]! >= potential[last]!);
  });
  return good;
}
