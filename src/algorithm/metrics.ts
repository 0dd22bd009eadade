/**
 * Metrics under verl's names (verl/trainer/ppo/metric_utils.py), with turn-level additions that
 * have no standard name. Pure numbers; one that is undefined, such as the variance of a single
 * unit, is left out.
 */
import { exp, log } from "../numeric/deterministic.ts";
import { segmentLengths, segmentSum } from "../numeric/segments.ts";
import {
  explainedVariance,
  max,
  mean,
  min,
  populationVariance,
  std,
} from "../numeric/statistics.ts";
import { filterMetrics } from "./groupRewards.ts";
import { filterFacts } from "../method/credit/groupFilter.ts";
import { withKlReward } from "../method/credit/klReward.ts";
import { trajectoryScores } from "../method/credit/rewards.ts";
import type { PolicyLoss } from "../method/objective/policyTypes.ts";
import { acceptedBySampler } from "../method/objective/sampler.ts";
import { LOG_RATIO_LIMIT, offsetsOf } from "../method/objective/ratio.ts";
import type { ValueLoss } from "../method/objective/valueLoss.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import type { Credit } from "../method/estimator/estimator.ts";
import type { TurnUse } from "./turnUse.ts";
import type { KnownMetrics } from "../record/runEvent.ts";

/** Of one minibatch's policy loss. logRatio [N] */
export function actorMetrics(
  actor: PolicyLoss,
  use: TurnUse,
  logRatio: Float64Array,
  batch: TrajectoryBatch,
): KnownMetrics {
  return {
    "actor/pg_loss": actor.loss,
    ...clipMetrics(actor),
    ...ratioMetrics(logRatio),
    "actor/turn_clipfrac": mean(use.turnClipped),
    ...spread("actor/turn_ratio", use.turnRatio),
    "actor/turn_ratio/std": use.turnRatio.length > 1 ? std(use.turnRatio) : 0,
    "actor/turn_logratio_abs_max": max(use.turnRatio.map((w) => Math.abs(log(w)))),
    "actor/turn_ratio_ess": effectiveShare(use.turnRatio),
    ...byTurn(batch, 1, (h, turns) => ({
      [`actor/turn_clipfrac/${h}`]: mean(turns.map((k) => use.turnClipped[k]!)),
    })),
  };
}

/**
 * Shares of tokens whose unit a clip decides: verl's pg_clipfrac, and TRL's split of it by the side of the range
 * (TRL grpo_trainer.py: low is ratio < 1 - eps with A < 0, high is ratio > 1 + eps with A > 0). And the share of the
 * gradient that they cut, which has no standard name.
 */
function clipMetrics({ shares }: PolicyLoss): KnownMetrics {
  const { clipped, clippedLower, low, high, cut } = shares;
  return {
    "actor/pg_clipfrac": clipped,
    "actor/pg_clipfrac_lower": clippedLower,
    "actor/clip_cut_share": cut,
    "clip_ratio/region_mean": low + high,
    // Over an iteration's minibatches the extremes differ from the means.
    "clip_ratio/low_mean": low,
    "clip_ratio/low_min": low,
    "clip_ratio/high_mean": high,
    "clip_ratio/high_max": high,
  };
}

/**
 * How far the policy has moved from the one that sampled, d_t = log pi - log pi_old: k1 as verl's ppo_kl, k2 as
 * TRL's approxkl, k3 as Schulman prefers; and the token ratios themselves (TRL PPO: val/ratio_var, population).
 * [N]
 */
function ratioMetrics(logRatio: Float64Array): KnownMetrics {
  const d = logRatio.map((x) => Math.min(LOG_RATIO_LIMIT, Math.max(-LOG_RATIO_LIMIT, x))); // [N]
  const ratio = d.map(exp); // [N]
  return {
    "actor/ppo_kl": -mean(logRatio),
    "policy/approxkl_avg": mean(d.map((x) => (x * x) / 2)),
    "actor/ppo_kl_k3": mean(d.map((x, t) => ratio[t]! - 1 - x)),
    ...spread("actor/ratio", ratio),
    "val/ratio_var": populationVariance(ratio),
  };
}

/**
 * Effective sample size as a share of the sample: (sum w)^2 / (n sum w^2); 1 when all weights are
 * equal.
 */
function effectiveShare(w: Float64Array): number {
  const squares = mean(w.map((x) => x * x));
  return (mean(w) * mean(w)) / squares;
}

/** Of one minibatch's value loss. */
export function criticMetrics(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  critic: ValueLoss,
): KnownMetrics {
  return {
    "critic/vf_loss": critic.loss,
    "critic/vf_clipfrac": mean(critic.clipped),
    "critic/vpred_mean": mean(
      (config.critic === "turn" ? batch.turnNewValue : batch.tokenNewValue)!,
    ),
  };
}

/** Of a whole batch's credit, before any update. */
export function creditMetrics(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  credit: Credit,
): KnownMetrics {
  const score = trajectoryScores(batch); // [B]
  const values = config.critic === "turn" ? batch.turnValue : batch.tokenValue; // [K] or [N]
  const returns = credit.turnReturn ?? credit.tokenReturn; // [K] or [N]
  return {
    ...spread("critic/score", score),
    // The rewards that are finally used, the KL's included.
    ...spread("critic/rewards", trajectoryScores(withKlReward(batch, config.betaKlReward))),
    ...spread("critic/advantages", credit.tokenAdvantage),
    ...spread("num_turns", segmentLengths(batch.turnStart)),
    "turn_len/mean": mean(segmentLengths(batch.tokenStart)),
    ...(credit.kept && isFiltered(config) && filterMetrics(score, batch.task, credit.kept)),
    ...rejectionMetrics(config, batch),
    ...byTurn(batch, 2, (h, turns) => ({
      [`critic/turn_adv_std/${h}`]: std(turns.map((k) => credit.turnAdvantage[k]!)),
    })),
    ...(values && returns ? valueMetrics(config, batch, values, returns) : {}),
    ...(config.critic === "turn" && credit.delta
      ? { "critic/turn_td_error/abs_mean": mean(credit.delta.map(Math.abs)) }
      : {}),
  };
}

function isFiltered({ filter, own }: AlgorithmConfig): boolean {
  return own?.filter !== undefined || filterFacts(filter) !== null;
}

/** Shares of the rollouts and tokens that are, or have tokens that are, too far from the sampler's log-probs (verl). */
function rejectionMetrics(config: AlgorithmConfig, batch: TrajectoryBatch): KnownMetrics {
  const accepted = acceptedBySampler(config, batch);
  if (!accepted) return {};
  const { rollouts, tokens } = accepted;
  if (!tokens) return { "rollout_corr/rollout_rs_seq_masked_fraction": 1 - mean(rollouts) };
  const { trajectory } = offsetsOf(batch); // [B+1]
  const whole = rollouts.map((_, b) =>
    Number(!tokens.subarray(trajectory[b]!, trajectory[b + 1]!).includes(0)),
  ); // [B]
  return {
    "rollout_corr/rollout_rs_seq_masked_fraction": 1 - mean(whole),
    "rollout_corr/rollout_rs_masked_fraction": 1 - mean(tokens),
  };
}

/** values and returns: [K] of a turn critic, [N] of a token critic. */
function valueMetrics(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  values: Float64Array,
  returns: Float64Array,
): KnownMetrics {
  // If a turn's value is read from one token, the others have no target.
  const taught = returns.filter((R) => !Number.isNaN(R)); // [T]
  const metrics = { ...spread("critic/values", values), ...spread("critic/returns", taught) };
  if (taught.length < 2) return metrics;
  const explained = explainedVariance(
    taught,
    values.filter((_, s) => !Number.isNaN(returns[s])),
  );
  // V(s_h): a token critic's value before a turn is that of the turn's first token, if it has one.
  const { tokenStart } = batch;
  const ofToken = (k: number) =>
    Number.isNaN(returns[tokenStart[k]!]) ? tokenStart[k + 1]! - 1 : tokenStart[k]!;
  const place = (k: number) => (config.critic === "turn" ? k : ofToken(k));
  const ofTurns = (turns: number[]) =>
    explainedVariance(
      turns.map((k) => returns[place(k)]!),
      turns.map((k) => values[place(k)]!),
    );
  return {
    ...metrics,
    "critic/vf_explained_var": explained,
    ...(config.critic === "turn" ? { "critic/turn_vf_explained_var": explained } : {}),
    ...byTurn(batch, 2, (h, turns) => ({ [`critic/turn_vf_explained_var/${h}`]: ofTurns(turns) })),
  };
}

/** Mean entropy of the tokens' distributions in the h-th turns, under the policy that sampled. entropy [N] */
export function entropyByTurn(batch: TrajectoryBatch, entropy: Float64Array): KnownMetrics {
  const perTurn = segmentSum(entropy, batch.tokenStart); // [K]
  const tokens = segmentLengths(batch.tokenStart); // [K]
  return byTurn(batch, 1, (h, turns) => ({
    [`actor/entropy/${h}`]:
      mean(turns.map((k) => perTurn[k]!)) / mean(turns.map((k) => tokens[k]!)),
  }));
}

/** Metrics of the h-th turns of all trajectories, h from 1, while some trajectory has that many. */
function byTurn(
  { turnStart }: TrajectoryBatch,
  least: number,
  metricsOf: (h: number, turns: number[]) => KnownMetrics,
): KnownMetrics {
  const byIndex: number[][] = [];
  for (let b = 0; b < turnStart.length - 1; b++) {
    for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++) {
      (byIndex[k - turnStart[b]!] ??= []).push(k);
    }
  }
  const found = byIndex.map((turns, i) => (turns.length < least ? {} : metricsOf(i + 1, turns)));
  return Object.assign({}, ...found) as KnownMetrics;
}

/** name/mean, name/max, name/min, as verl logs them. */
export function spread(name: string, x: ArrayLike<number>): KnownMetrics {
  return { [`${name}/mean`]: mean(x), [`${name}/max`]: max(x), [`${name}/min`]: min(x) };
}
