/** Which settings an algorithm uses: the others are kept without effect. */
import { canDivide, type AlgorithmConfig } from "../algorithms.ts";
import type { ClipRule } from "../../method/clip/clipRule.ts";
import { clips } from "../../method/clip/clips.ts";
import { wordAxes, type Settings } from "../../method/axes.ts";
import { filterFacts } from "../../method/credit/groupFilter.ts";
import { aggregations } from "../../method/objective/aggregate.ts";
import { clipBiases } from "../../method/objective/clipBias.ts";
import { samplerFacts } from "../../method/objective/sampler.ts";
import { numberAxes, type NumberName } from "../../method/numbers.ts";
import { estimatorFacts, estimators } from "../../method/estimators.ts";

export type SettingName = keyof Settings;

type IsUsed = (config: AlgorithmConfig) => boolean;

/** A setting of advantages: the estimator lists those that affect it. */
const ofEstimator = (name: SettingName): IsUsed => {
  return ({ estimator }) => estimatorFacts(estimator).settings.includes(name);
};

const OF_ADVANTAGES: SettingName[] = Object.values(estimators).flatMap(({ settings }) => settings);

/** Numbers of clips: the rule lists those that it reads. */
const ofClip =
  (name: NumberName): IsUsed =>
  ({ ratio, clip }) =>
    ratio !== "none" && clips[clip].settings.includes(name);

const OF_CLIPS = Object.values(clips).flatMap(({ settings }: ClipRule) => settings);

const readsRewards: IsUsed = ({ estimator }) => estimatorFacts(estimator).ignoresRewards !== true;
const paysKl: IsUsed = (config) => readsRewards(config) && config.betaKlReward > 0;

const USES: Partial<Record<SettingName, IsUsed>> = {
  ...Object.fromEntries(OF_ADVANTAGES.map((name) => [name, ofEstimator(name)])),
  ...Object.fromEntries(OF_CLIPS.map((name) => [name, ofClip(name)])),
  // Where the length of a rollout sets it, the number has no use.
  lambda: (config) =>
    ofEstimator("lambda")(config) &&
    (config.lengthAlpha === null || !ofEstimator("lengthAlpha")(config)),
  std: canDivide,
  horizon: ({ aggregation }) => aggregations[aggregation].outer === "horizon",
  valueClip: ({ critic }) => critic !== "none",
  betaKlReward: readsRewards,
  klTarget: (config) => paysKl(config),
  klHorizon: (config) => paysKl(config) && config.klTarget !== null,
  // Words that code replaces; it is given the numbers and may read them.
  filter: ({ own }) => own?.filter === undefined,
  filterKeep: ({ filter }) => filterFacts(filter)?.keepsShare === true,
  aggregation: ({ own }) => own?.aggregation === undefined,
  clipBiasKappa: ({ clipBias }) => clipBias !== "none" && clipBiases[clipBias].readsKappa,
  clipBiasScope: ({ clipBias }) => clipBias !== "none",
  samplerHigh: ({ sampler }) => sampler !== "none",
  samplerLow: ({ sampler }) => sampler !== "none" && samplerFacts(sampler)?.does !== "truncate",
  clip: ({ ratio, own }) => ratio !== "none" && own?.clip === undefined,
};

/** Names of the settings that affect this algorithm in its present configuration, words first. */
export function usedSettings(config: AlgorithmConfig): SettingName[] {
  const names = [...Object.keys(wordAxes), ...Object.keys(numberAxes)] as SettingName[];
  return names.filter((name) => USES[name]?.(config) ?? true);
}
