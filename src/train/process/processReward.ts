/**
 * Process rewards: each turn's score, weighted by eta, is added to its reward before any estimator
 * sees it (GUI-Shepherd, arXiv 2509.23738, uses a learned judge of steps this way; shaping as in
 * credit/shaping.ts). Reported scores and evaluation remain the environment's own.
 */
import { discountOf } from "../../method/credit/discount.ts";
import { tokenShaping, turnShaping, type ShapingInput } from "../../method/credit/shaping.ts";
import { segmentSum } from "../../numeric/segments.ts";
import { normal, uniform } from "../../numeric/rng.ts";
import { mean, pearson } from "../../numeric/statistics.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import type { ProcessRewardSpec } from "../../spec/process.ts";
import type { IterationContext } from "../context.ts";
import type { Learner } from "../learner.ts";
import { judgeTurns } from "./judge.ts";
import { goodTurns, truthOf, type Truth } from "./truth.ts";
import type { PlayedEpisodes, ProcessPay } from "./played.ts";

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
