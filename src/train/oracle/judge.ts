/**
 * Judges every algorithm's credit on the same episodes: the truth of each turn from branches, each algorithm's
 * advantages from the batch that its own training would see, and the errors of these.
 */
import { unnormalised, type Refused } from "../../algorithm/compare.ts";
import { computeCredit } from "../../algorithm/registry.ts";
import type { TrajectoryBatch } from "../../record/trajectoryBatch.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { InputError } from "../../spec/inputError.ts";
import { measure, type IterationContext } from "../iterate.ts";
import type { Learner } from "../learner.ts";
import type { BranchOptions } from "./branches.ts";
import {
  creditErrors,
  summarise,
  type CreditError,
  type CreditEstimate,
  type CreditTruth,
  type TruthSummary,
} from "./creditErrors.ts";
import { trueValues, type TrueValues } from "./trueValues.ts";

export interface JudgeRequest {
  context: IterationContext;
  /** The policy is the first one's actor; all have the same. Their critics give the values that rows need. */
  learners: readonly Learner[];
  /** Played by that policy. */
  episodes: Episode[];
  /** Keys greedy rollouts and branches. */
  iteration: number;
  rows: readonly AlgorithmConfig[];
  branches: number;
  gamma: number;
  chunk?: number;
  /** Branches done, and in all. */
  progress?: (done: number, total: number) => void;
}

export interface Judgement {
  truth: TrueValues;
  summary: TruthSummary;
  /** What each row that could be computed says. */
  estimates: CreditEstimate[];
  errors: CreditError[];
  refused: Refused[];
}

/** @throws InputError naming an option that is out of range. */
export async function judge(request: JudgeRequest): Promise<Judgement> {
  const { context, learners, episodes, iteration } = request;
  const { spec, family, gate } = context;
  const player = {
    model: learners[0]!.actor,
    world: family.world,
    context: spec.context,
    sampling: spec.sampling,
  };
  const { branches, gamma, chunk, progress } = request;
  const truth = await trueValues(player, episodes, {
    ...{ branches, gamma, key: { seed: spec.seed, iteration } },
    ...(chunk !== undefined && { chunk }),
    ...(progress && { progress }),
    ...(gate && { gate }),
  } satisfies BranchOptions);
  const tried: (CreditEstimate | Refused)[] = [];
  for (const config of request.rows) {
    await gate?.();
    tried.push(await estimateOf(request, config));
  }
  const estimates = tried.filter((row): row is CreditEstimate => "raw" in row);
  const against = againstWhat(truth, episodes);
  return {
    truth,
    summary: summarise(against),
    estimates,
    errors: creditErrors(estimates, against),
    refused: tried.filter((row): row is Refused => "reason" in row),
  };
}

function againstWhat({ advantage, stateOf }: TrueValues, episodes: Episode[]): CreditTruth {
  const turns = episodes.flatMap(({ task, turns }) => turns.map((turn) => ({ task, turn })));
  return {
    advantage,
    task: turns.map(({ task }) => task.name),
    visit: turns.map(({ turn }, k) => `${stateOf[k]!}:${turn.responseIds.join()}`),
  };
}

/** The row's credit on the batch that its training would see, with rewards as the environment pays them. */
async function estimateOf(
  { context, learners, episodes, iteration }: JudgeRequest,
  config: AlgorithmConfig,
): Promise<CreditEstimate | Refused> {
  try {
    const learner = { ...learnerFor(config, learners), algorithm: config };
    const { batch: scaled } = await measure(context, learner, episodes, iteration);
    const batch = inUnits(scaled, 1 / context.spec.optimisation.rewardScale);
    const plain = unnormalised(config);
    const raw = computeCredit(plain, batch).turnAdvantage; // [K]
    const doubled = computeCredit(plain, inUnits(batch, 2)).turnAdvantage; // [K]
    const near = (x: number, y: number) => Math.abs(x - y) <= 1e-9 * (1 + Math.abs(x));
    return {
      config,
      raw,
      advantage: computeCredit(config, batch).turnAdvantage,
      inRewardUnits: raw.every((A, k) => near(doubled[k]!, 2 * A)),
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { config, reason: error.message };
  }
}

/** @throws InputError where a critic is needed that none of the learners has. */
function learnerFor({ critic, name }: AlgorithmConfig, learners: readonly Learner[]): Learner {
  const able = learners.find(({ algorithm }) => critic === "none" || algorithm.critic === critic);
  if (able) return able;
  throw new InputError(
    `${name} needs a critic that gives a value to each ${critic}; there is none`,
  );
}

/** All that is counted in rewards, times a factor. */
function inUnits(batch: TrajectoryBatch, factor: number): TrajectoryBatch {
  const times = (x: Float64Array) => x.map((y) => y * factor);
  const { turnReward, bootstrapValue, tokenReward, turnValue, tokenValue, greedyScore } = batch;
  return {
    ...batch,
    turnReward: times(turnReward), // [K]
    bootstrapValue: times(bootstrapValue), // [B]
    ...(tokenReward && { tokenReward: times(tokenReward) }), // [N]
    ...(turnValue && { turnValue: times(turnValue) }), // [K]
    ...(tokenValue && { tokenValue: times(tokenValue) }), // [N]
    ...(greedyScore && { greedyScore: times(greedyScore) }), // [B]
  };
}
