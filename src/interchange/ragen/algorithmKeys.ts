/**
 * Each axis of an algorithm as keys of RAGEN and of verl, or the reason why there are none.
 * Sources: RAGEN `ragen/trainer/agent_trainer.py` (compute_advantage),
 * `ragen/workers/actor/dp_actor.py` and `ragen/trainer/rollout_filter.py`; verl `trainer/config`
 * and `trainer/ppo/core_algos.py`.
 */
import { filterFacts } from "../../method/credit/groupFilter.ts";
import { hasTwoLevels, leavesOutEqual, type AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Settings } from "../../method/axes.ts";
import { estimatorFacts } from "../../method/estimators.ts";
import type { RowChoices } from "../../method/rowAxes.ts";
import type { Keys } from "../yaml.ts";
import { actor, NO_LIMIT, ROLLOUT, type AxisContext, type AxisOutcome } from "./axis.ts";
import { advantageEstimator, biLevel, groupStd, rewardWeights } from "./estimators.ts";
import {
  aggregation,
  dualClip,
  horizon,
  policyLossKeys,
  pullToOld,
  samplerKeys,
} from "./losses.ts";

/** same: the definition is the same there; differs: it runs, but not exactly as here; none: it cannot be expressed there. */
export type AxisVerdict = "same" | "differs" | "none";

export interface AlgorithmMapping {
  verdict: AxisVerdict;
  keys: Keys;
  /** Axis and what is different there. */
  differs: [string, string][];
  /** Axis and why it has no counterpart. */
  missing: [string, string][];
}

/** Has no effect in this algorithm, or is covered by another axis. */
const elsewhere = (): AxisOutcome => ({});

/** One entry per axis: a new axis must be mapped before this compiles. */
const axes: { [Axis in keyof (RowChoices & Settings)]: (context: AxisContext) => AxisOutcome } = {
  reward: rewardPlacement,
  baseline: elsewhere,
  estimator: advantageEstimator,
  whiten: elsewhere,
  std: groupStd,
  valueAt: elsewhere,
  turnEnds: biLevel,
  groupCount: ({ config }) =>
    config.groupCount === "turn" && config.baseline === "group-mean"
      ? { missing: "RAGEN counts a trajectory once in its group's mean" }
      : {},
  laterTurns: elsewhere,
  ratio: policyLossKeys,
  clip: elsewhere,
  aggregation,
  filter,
  sampler: samplerKeys,
  samplerLow: elsewhere,
  samplerHigh: elsewhere,
  clipBias: ({ config }) =>
    config.clipBias === "none"
      ? {}
      : { missing: "gradients are not divided by the clipped part's size" },
  clipBiasScope: elsewhere,
  gamma: ({ config }) =>
    usesDiscount(config) ? { keys: { "algorithm.gamma": config.gamma } } : {},
  lambda: ({ config }) =>
    estimatorFacts(config.estimator).settings.includes("lambda")
      ? { keys: { "algorithm.lam": config.lambda } }
      : {},
  lambdaCritic: decoupled("lambdaCritic", "a critic's targets decay as advantages do"),
  lengthAlpha: decoupled("lengthAlpha", "lambda does not depend on length"),
  gammaTurn: ({ config }) =>
    hasTwoLevels(config) ? { keys: { "algorithm.high_level_gamma": config.gammaTurn } } : {},
  alpha: elsewhere,
  omega: elsewhere,
  formatWeight: rewardWeights,
  processWeight: elsewhere,
  passK: elsewhere,
  epsLow: ({ config }) => ({ keys: { [`${actor}.clip_ratio_low`]: config.epsLow } }),
  epsHigh: ({ config }) => ({ keys: { [`${actor}.clip_ratio_high`]: config.epsHigh } }),
  epsSpread: elsewhere,
  dualClip,
  tauPos: elsewhere,
  tauNeg: elsewhere,
  covShare: elsewhere,
  covLow: elsewhere,
  covHigh: elsewhere,
  covPull: elsewhere,
  horizon,
  valueClip: ({ config }) =>
    config.critic === "none"
      ? {}
      : { keys: { "critic.cliprange_value": config.valueClip ?? NO_LIMIT } },
  betaKl: ({ config: { betaKl } }) => ({
    keys: {
      [`${actor}.use_kl_loss`]: betaKl > 0,
      [`${actor}.kl_loss_coef`]: betaKl,
      [`${actor}.kl_loss_type`]: "low_var_kl",
    },
  }),
  betaOld: pullToOld,
  lmWeight: ({ config }) =>
    config.lmWeight > 0 ? { missing: "successful rollouts get no loss of their own" } : {},
  betaKlReward: ({ config: { betaKlReward } }) => ({
    keys: {
      "algorithm.use_kl_in_reward": betaKlReward > 0,
      "algorithm.kl_penalty": "kl",
      "algorithm.kl_ctrl.kl_coef": betaKlReward,
    },
  }),
  klTarget: adaptiveKl,
  klHorizon: elsewhere,
  anchorSimilarity: elsewhere,
  historyLength: elsewhere,
  historyWeights: elsewhere,
  filterKeep: elsewhere,
  clipBiasKappa: elsewhere,
};

/** A number that is none there. */
function decoupled(name: "lambdaCritic" | "lengthAlpha", missing: string) {
  return ({ config }: AxisContext): AxisOutcome =>
    config[name] !== null && estimatorFacts(config.estimator).settings.includes(name)
      ? { missing }
      : {};
}

/** The whole algorithm on one target. */
export function mapAlgorithm(context: AxisContext): AlgorithmMapping {
  const ofAxes = Object.entries(axes).map(([axis, map]) => [axis, map(context)] as const);
  const ofCode = Object.entries(context.config.own ?? {}).map(
    ([kind, name]): [string, AxisOutcome] => [kind, { differs: ownLeftOut(name) }],
  );
  const minibatch = ["optimisation.minibatch", minibatchOnVerl(context)] as const;
  const outcomes = [...ofAxes, ...ofCode, minibatch];
  const differs = outcomes.flatMap(([axis, o]) => (o.differs ? [[axis, o.differs]] : []));
  const missing = outcomes.flatMap(([axis, o]) => (o.missing ? [[axis, o.missing]] : []));
  const keys = Object.assign({}, fixedKeys(context), ...outcomes.map(([, o]) => o.keys)) as Keys;
  const verdict = missing.length > 0 ? "none" : differs.length > 0 ? "differs" : "same";
  return { verdict, keys, differs, missing } as AlgorithmMapping;
}

const ownLeftOut = (name: string) =>
  `the code ${name} does not travel: the row's own choice stands in its place until you write it there`;

/** verl counts the prompts of an update, RAGEN and we its trajectories. */
function minibatchOnVerl({ target, sizes: { minibatch, groupSize } }: AxisContext): AxisOutcome {
  const prompts = Math.max(1, Math.floor(minibatch / groupSize));
  if (target === "ragen" || prompts * groupSize === minibatch) return {};
  return { differs: `whole groups only: ${prompts * groupSize} trajectories, not ${minibatch}` };
}

/** RAGEN's own additions that would change what is learned. */
function fixedKeys({ target, config }: AxisContext): Keys {
  if (target === "verl") return {};
  return {
    "algorithm.bi_level_gae": hasTwoLevels(config),
    "algorithm.soft_advantage_reweight": false,
    "algorithm.zero_task_advantage": false,
    grpo_advantage_length_weight: false,
    [`${actor}.filter_loss_scaling`]: "none",
    // The reference model is loaded only if a KL needs it.
    [`${actor}.use_ref`]: config.betaKl > 0 || config.betaKlReward > 0,
  };
}

/** verl's controller is the same as ours; RAGEN's configuration has no target. */
function adaptiveKl({ config, target }: AxisContext): AxisOutcome {
  const { betaKlReward, klTarget, klHorizon } = config;
  if (betaKlReward === 0 || klTarget === null) return {};
  if (target !== "verl") return { missing: "RAGEN keeps the KL weight in the reward constant" };
  return {
    keys: {
      "algorithm.kl_ctrl.type": "adaptive",
      "algorithm.kl_ctrl.target_kl": klTarget,
      "algorithm.kl_ctrl.horizon": klHorizon,
    },
  };
}

function rewardPlacement({ config, target, context, formatPenalty }: AxisContext): AxisOutcome {
  if (target === "verl") return {};
  // RAGEN refuses turn scores together with bi-level GAE, and has none if each turn is a row.
  const perTurn = config.reward === "turn" && !hasTwoLevels(config) && context === "full";
  const keys = { "agent_proxy.use_turn_scores": perTurn };
  if (!perTurn || formatPenalty === 0) return { keys };
  const differs = "RAGEN adds the format penalty to the episode's score only, not to turn scores";
  return { keys, differs };
}

function filter({ config, target }: AxisContext): AxisOutcome {
  if (target === "ragen") return { keys: ragenFilter(config), ...ragenFilterDiffers(config) };
  if (config.filter === "none") return { keys: { "algorithm.filter_groups.enable": false } };
  if (!leavesOutEqual(config)) return { missing: "verl cannot keep a share of the groups" };
  const keys = {
    "algorithm.filter_groups.enable": true,
    "algorithm.filter_groups.metric":
      filterFacts(config.filter)!.judges === "success" ? "acc" : "seq_reward",
  };
  return { keys, differs: "verl replaces the groups that it leaves out with new ones" };
}

function ragenFilter({ filter, filterKeep }: AlgorithmConfig): Keys {
  const keepsShare = filterFacts(filter)?.keepsShare === true;
  return {
    [`${ROLLOUT}.rollout_filter_strategy`]: keepsShare ? "top_k" : "top_p",
    [`${ROLLOUT}.rollout_filter_value`]: keepsShare ? filterKeep : 1,
    [`${ROLLOUT}.rollout_filter_type`]: "largest",
    [`${ROLLOUT}.rollout_filter_metric`]: "reward_variance",
    [`${ROLLOUT}.rollout_filter_include_zero`]: keepsShare || filter === "none",
  };
}

function ragenFilterDiffers({ filter }: AlgorithmConfig): AxisOutcome {
  const facts = filterFacts(filter);
  if (!facts) return {};
  const padded = "what is left is padded with copies to whole minibatches";
  const byReward =
    facts.judges === "success" ? "groups are left out by equal rewards, not by success; " : "";
  return { differs: `${byReward}${padded}` };
}

function usesDiscount({ estimator }: AlgorithmConfig): boolean {
  return estimatorFacts(estimator).settings.includes("gamma");
}
