/**
 * Evaluates every algorithm's credit on the same episodes: the truth of each turn from branches,
 * each algorithm's advantages from the batch that its own training would see, and their errors.
 */
import { unnormalised, type RefusedRow } from "../../algorithm/compare.ts";
import { computeCredit, scaleRewards, type Credit } from "../../algorithm/registry.ts";
import { segmentMean, offsets } from "../../numeric/segments.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { type AlgorithmConfig, resolveAlgorithm } from "../../spec/algorithms.ts";
import { InputError } from "../../numeric/inputError.ts";
import { measure } from "../iterate.ts";
import type { IterationContext } from "../context.ts";
import { criticOf, type Learner } from "../learner.ts";
import { type BranchOptions, branchReturns, type Player } from "./branches.ts";
import {
  creditErrors,
  summariseTruth,
  type CreditError,
  type CreditEstimate,
  type CreditTruth,
  type TruthSummary,
} from "./creditErrors.ts";
import { trueValues, type TrueValues } from "./trueValues.ts";
import { gae } from "../../method/credit/gae.ts";
import { mean } from "../../numeric/statistics.ts";

interface JudgeRequest {
  context: IterationContext;
  /**
   * The policy is the first learner's actor. A row gets its values from that learner's critic; if
   * that has a different kind or none, from the row's own learner, else from the first other
   * learner that has one: a critic of another policy, if actors differ.
   */
  learners: readonly Learner[];
  /** Played by that policy: a whole iteration's, as rows compare and whiten over all of them. */
  episodes: Episode[];
  /** How many of the episodes, from the first, are compared with the truth; default: all. */
  judged?: number;
  /** Keys the draws of greedy rollouts and branches. */
  iteration: number;
  rows: readonly AlgorithmConfig[];
  branches: number;
  gamma: number;
  /** Adds rows that know true values: doubles the number of branches. */
  ceilings?: boolean;
  /** Name of the reference row; default: the first. */
  against?: string | undefined;
  chunk?: number;
  /** Branches done, and in total. */
  progress?: (done: number, total: number) => void;
}

export interface Judgement {
  truth: TrueValues;
  summary: TruthSummary;
  /** The estimates of each row that could be computed. */
  estimates: CreditEstimate[];
  errors: CreditError[];
  refused: RefusedRow[];
}

/** @throws InputError naming an option that is out of range. */
export async function judgeCredit(request: JudgeRequest): Promise<Judgement> {
  const { context, learners, iteration } = request;
  const episodes = request.episodes.slice(0, request.judged);
  const { spec, family, gate } = context;
  const player = {
    model: learners[0]!.actor,
    world: family.world,
    context: spec.context,
    sampling: spec.sampling,
  };
  const { branches, gamma, chunk, progress } = request;
  const options = {
    branches,
    gamma,
    key: { seed: spec.seed, iteration },
    ...(chunk !== undefined && { chunk }),
    ...(progress && { progress }),
    ...(gate && { gate }),
  } satisfies BranchOptions;
  const truth = await trueValues(player, episodes, options);
  const ceilings = request.ceilings
    ? await ceilingsOf(player, episodes, truth, request, options)
    : [];
  const tried: (CreditEstimate | RefusedRow)[] = [];
  for (const config of request.rows) {
    await gate?.();
    tried.push(await judgedEstimate(request, config));
  }
  const against = againstWhat(truth, episodes);
  const turns = against.task.length;
  const computed = tried.filter((row) => "raw" in row).map((row) => firstTurns(row, turns));
  const estimates = [...computed, ...ceilings];
  return {
    truth,
    summary: summariseTruth(against),
    estimates,
    errors: creditErrors(estimates, against, { against: request.against }),
    refused: tried.filter((row): row is RefusedRow => "reason" in row),
  };
}

/** The estimate for the first K turns. */
function firstTurns(estimate: CreditEstimate, K: number): CreditEstimate {
  const { advantage, raw } = estimate;
  return { ...estimate, advantage: advantage.slice(0, K), raw: raw.slice(0, K) };
}

export function againstWhat({ advantage, stateOf }: TrueValues, episodes: Episode[]): CreditTruth {
  const turns = episodes.flatMap(({ task, turns }) => turns.map((turn) => ({ task, turn })));
  return {
    advantage,
    task: turns.map(({ task }) => task.name),
    turn: episodes.flatMap(({ turns }) => turns.map((_, h) => h + 1)),
    visit: turns.map(({ turn }, k) => `${stateOf[k]!}:${turn.responseIds.join()}`),
  };
}

/** The row's credit on the batch that its training would see, with rewards as the environment pays them. */
async function judgedEstimate(
  { context, learners, episodes, iteration }: JudgeRequest,
  row: AlgorithmConfig,
): Promise<CreditEstimate | RefusedRow> {
  const { rewardScale } = context.spec.optimisation;
  const config = withKlAsItStood(row, learners, rewardScale);
  try {
    const { learner, critic } = learnerFor(config, learners, rewardScale);
    const { batch: scaled, played } = await measure(
      { ...context, looks: true },
      learner,
      episodes,
      iteration,
    );
    const batch = scaleRewards(scaled, 1 / rewardScale);
    const plain = unnormalised(config);
    const creditOf = (one: AlgorithmConfig, on: TrajectoryBatch) =>
      perTurnPlayed(computeCredit(one, on), played?.batch); // [K]
    const raw = creditOf(plain, batch); // [K]
    // KL in the reward is a reward too, so it doubles as well.
    const doubly = { ...plain, betaKlReward: 2 * plain.betaKlReward };
    const doubled = creditOf(doubly, scaleRewards(batch, 2)); // [K]
    const near = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * (1 + Math.abs(x));
    return {
      config,
      raw,
      advantage: creditOf(config, batch),
      inRewardUnits: raw.every((A, k) => near(doubled[k]!, 2 * A)),
      critic,
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { config, reason: error.message };
  }
}

/** Advantages of the environment's turns; if a segmentation replaced them, means over their tokens. [K] */
function perTurnPlayed(
  { turnAdvantage, tokenAdvantage }: Credit,
  played: TrajectoryBatch | undefined,
): Float64Array {
  return played ? segmentMean(tokenAdvantage, played.tokenStart) : turnAdvantage;
}

/** In reward units: for a row that the run trains with an adaptive KL weight, the weight at that time. */
function withKlAsItStood(
  config: AlgorithmConfig,
  learners: readonly Learner[],
  rewardScale: number,
): AlgorithmConfig {
  const own = learners.find(({ algorithm }) => algorithm.name === config.name);
  if (!own || config.klTarget === null) return config;
  return { ...config, betaKlReward: own.klCoef / rewardScale };
}

/**
 * The policy with the row, and the name of the learner whose critic gives it values; null if the
 * row uses none.
 * @throws InputError if a critic is needed that none of the learners has.
 */
export function learnerFor(
  config: AlgorithmConfig,
  learners: readonly Learner[],
  rewardScale: number,
): { learner: Learner; critic: string | null } {
  const [policy] = learners as [Learner];
  const reference = learners.find(({ reference }) => reference)?.reference ?? null;
  const klCoef = config.betaKlReward * rewardScale;
  const learner = { ...policy, algorithm: config, reference, klCoef };
  const { critic, name } = config;
  if (critic === "none") return { learner, critic: null };
  const able = learners.filter(({ algorithm }) => algorithm.critic === critic);
  const own = able.find(({ algorithm }) => algorithm.name === name);
  const asked = able.includes(policy) ? policy : (own ?? able[0]);
  if (asked) {
    const separateCritic = asked === policy ? policy.separateCritic : criticOf(asked);
    return { learner: { ...learner, separateCritic }, critic: asked.algorithm.name };
  }
  throw new InputError(`${name} needs a critic with a value for each ${critic}; there is none`);
}

// Upper bounds of credit: advantages computed with the true V of each state instead of a critic's,
// by GAE at lambda 1 (the return minus V) and at a row's own lambda. The remaining difference to
// the truth is randomness in the rest of the episode, which no critic removes. Their V comes from
// separate branches: those of the truth share its noise, which would add correlation.

/** Iteration numbers beyond any run: separate draws from those of the truth. */
const APART = 2 ** 31;

/** One row per lambda among the given rows, 1 first. Discounted by the options' gamma. */
export async function ceilingsOf(
  player: Player,
  episodes: readonly Episode[],
  { states, stateOf }: Pick<TrueValues, "states" | "stateOf">,
  { rows }: { rows: readonly AlgorithmConfig[] },
  options: BranchOptions,
): Promise<CreditEstimate[]> {
  const key = { ...options.key, iteration: options.key.iteration + APART };
  const returns = await branchReturns(player, states, { ...options, key });
  const V = returns.map(mean); // [S]
  const value = Float64Array.from(stateOf, (s) => V[s]!); // [K]
  return lambdas(rows).map((lambda) => {
    const raw = advantages(episodes, value, options.gamma, lambda);
    return { config: ceiling(lambda), raw, advantage: raw, inRewardUnits: true, critic: null };
  });
}

/** The lambdas of the rows that use GAE, and 1. */
function lambdas(rows: readonly AlgorithmConfig[]): number[] {
  const own = rows.filter(({ critic }) => critic === "turn").map(({ lambda }) => lambda);
  return [...new Set([1, ...own])].sort((a, b) => b - a);
}

function ceiling(lambda: number): AlgorithmConfig {
  const title = lambda === 1 ? "Return minus true V" : `GAE with true V, λ ${lambda}`;
  return { ...resolveAlgorithm("turn-ppo", { lambda }), name: `true-v-${lambda}`, title };
}

/** GAE over turns, nothing after the last one. [K] */
function advantages(
  episodes: readonly Episode[],
  value: Float64Array,
  gamma: number,
  lambda: number,
): Float64Array {
  const reward = Float64Array.from(
    episodes.flatMap(({ turns }) => turns.map((turn) => turn.reward)),
  );
  const start = offsets(episodes.map(({ turns }) => turns.length)); // [B+1]
  const bootstrap = new Float64Array(episodes.length); // [B]
  return gae({ reward, value, start, bootstrap, gamma, lambda }).adv;
}
