/** Which settings an algorithm has a use for: the others are kept without effect. */
import { canDivide, type AlgorithmConfig } from "../algorithms.ts";
import { wordAxes, type Settings } from "../../method/axes.ts";
import { numberAxes } from "../../method/numbers.ts";
import { estimatorFacts } from "../../method/estimators.ts";

export type SettingName = keyof Settings;

type IsUsed = (config: AlgorithmConfig) => boolean;

/** A setting of advantages: the estimator says whether it makes a difference. */
const ofEstimator = (name: SettingName): IsUsed => {
  return ({ estimator }) => estimatorFacts(estimator).settings.includes(name);
};

const OF_ADVANTAGES = [
  ...(["gamma", "lambda", "gammaTurn", "alpha", "omega"] as const),
  ...(["anchorSimilarity", "valueAt", "turnEnds", "groupCount", "laterTurns"] as const),
];

const USES: Partial<Record<SettingName, IsUsed>> = {
  ...Object.fromEntries(OF_ADVANTAGES.map((name) => [name, ofEstimator(name)])),
  std: canDivide,
  epsLow: ({ ratio }) => ratio !== "none",
  epsHigh: ({ ratio }) => ratio !== "none",
  epsSpread: ({ ratio, clip }) => ratio !== "none" && clip === "adaptive",
  dualClip: ({ ratio, clip }) => ratio !== "none" && ["range", "adaptive"].includes(clip),
  horizon: ({ aggregation }) => aggregation === "seq-mean-token-sum-norm",
  valueClip: ({ critic }) => critic !== "none",
  klTarget: ({ betaKlReward }) => betaKlReward > 0,
  klHorizon: ({ betaKlReward, klTarget }) => betaKlReward > 0 && klTarget !== null,
  filterKeep: ({ filter }) => filter === "reward-std",
  clipBiasKappa: ({ clipBias }) => !["none", "norm"].includes(clipBias),
  clipBiasScope: ({ clipBias }) => clipBias !== "none",
  clip: ({ ratio }) => ratio !== "none",
};

/** Names of the settings that make a difference to this algorithm as it is set, words first. */
export function usedSettings(config: AlgorithmConfig): SettingName[] {
  const names = [...Object.keys(wordAxes), ...Object.keys(numberAxes)] as SettingName[];
  return names.filter((name) => USES[name]?.(config) ?? true);
}
