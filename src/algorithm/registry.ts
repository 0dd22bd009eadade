/** The room's entry: what the trainer, the page and the command line call. */
export type { Credit } from "../method/estimator/estimator.ts";
export {
  correctOnBatch,
  cutOfLogprobs,
  divideByCut,
  type Corrected,
  type CutSizes,
} from "./clipBias.ts";
export { advantagesAreRewards, computeCredit } from "./credit.ts";
export { checkDerivatives } from "./derivatives.ts";
export { bindCode, type RowCall } from "./ownCode.ts";
export { ownSurrogate, withoutPull } from "./ownObjective.ts";
export { creditMetrics, entropyByTurn, spread } from "./metrics.ts";
export {
  creditUnderScale,
  dependsOnRewardScale,
  inRewardUnits,
  scaleRewards,
} from "./rewardUnits.ts";
export { computeObjective, stepTotals, type ObjectiveOptions } from "./objective.ts";
export type { Objective } from "./objectiveTypes.ts";
export { selectBatch, selectTrajectories, type BatchSelection, type Selection } from "./select.ts";
