/** Which settings an algorithm has a use for: the others are kept without effect. */
import type { AlgorithmConfig } from "../algorithms.ts";
import { numberAxes, wordAxes, type Settings } from "../axes.ts";

export type SettingName = keyof Settings;

const isGae = ({ estimator }: AlgorithmConfig) => estimator.includes("gae");

const USES: Partial<Record<SettingName, (config: AlgorithmConfig) => boolean>> = {
  gamma: ({ estimator }) => !["group-score", "turn-plus-outcome"].includes(estimator),
  lambda: isGae,
  gammaTurn: ({ estimator }) => estimator === "bi-level-gae",
  alpha: ({ estimator }) => ["turn-plus-outcome", "turn-group"].includes(estimator),
  omega: ({ estimator }) => estimator === "anchor-state",
  epsLow: ({ ratio }) => ratio !== "none",
  epsHigh: ({ ratio }) => ratio !== "none",
  epsSpread: ({ ratio, clip }) => ratio !== "none" && clip === "adaptive",
  dualClip: ({ ratio, clip }) => ratio !== "none" && ["range", "adaptive"].includes(clip),
  horizon: ({ aggregation }) => aggregation === "seq-mean-token-sum-norm",
  valueClip: ({ critic }) => critic !== "none",
  klTarget: ({ betaKlReward }) => betaKlReward > 0,
  klHorizon: ({ betaKlReward, klTarget }) => betaKlReward > 0 && klTarget !== null,
  anchorSimilarity: ({ estimator }) => estimator === "anchor-state",
  filterKeep: ({ filter }) => filter === "reward-std",
  clipBiasKappa: ({ clipBias }) => !["none", "norm"].includes(clipBias),
  clipBiasScope: ({ clipBias }) => clipBias !== "none",
  std: ({ estimator, baseline }) =>
    baseline === "group-mean" ||
    ["anchor-state", "turn-plus-outcome", "turn-group"].includes(estimator),
  valueAt: ({ estimator }) => estimator === "turn-gae",
  turnEnds: ({ estimator }) => estimator === "bi-level-gae",
  groupCount: ({ estimator }) => estimator === "anchor-state",
  clip: ({ ratio }) => ratio !== "none",
};

/** Names of the settings that make a difference to this algorithm as it is set, words first. */
export function usedSettings(config: AlgorithmConfig): SettingName[] {
  const names = [...Object.keys(wordAxes), ...Object.keys(numberAxes)] as SettingName[];
  return names.filter((name) => USES[name]?.(config) ?? true);
}
