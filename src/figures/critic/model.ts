/** All that the critic panel draws, from the run and the cursor. */
import type { Discount } from "../../method/credit/discount.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import type { Truths } from "../../reading/truths.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import {
  calibrationBins,
  fitByTurn,
  fitOf,
  pointsOf,
  againstTruth,
  type Against,
  type Bin,
  type Fit,
  type FitPoint,
  type TruthPoint,
} from "./fit.ts";
import type { Valued } from "./pairs.ts";

export interface CriticModel extends Valued {
  algorithm: string;
  /** What V is compared with: the chosen one, or the available one. */
  against: Against;
  /** Whether training targets are recorded. */
  hasTargets: boolean;
  points: FitPoint[];
  fit: Fit;
  bins: Bin[];
  byTurn: CriticTurn[];
  truth: TruthPoint[];
  /** Discount of known truths that are not compared with V because it is not the critic's. */
  otherTruth: Discount | null;
  /** Turns whose truths lack a reward that this critic was trained on. */
  unpaidTurns: number;
  /** Whether the critic gives 0 for all turns, as before its first step. */
  untrained: boolean;
  /** Whether training bootstraps after a truncated episode; null if the run does not say. */
  bootstraps: boolean | null;
  /** The run's own explained variance in the cursor's iteration. */
  metric: number | null;
}

interface CriticTurn {
  n: number;
  recorded: number;
  /** The run's own metric in the cursor's iteration; null if it has none. */
  metric: number | null;
}

export function criticModel(
  found: Valued,
  { log }: RunView,
  at: ResolvedChoice,
  truths: Truths,
  wanted: Against,
): CriticModel {
  const hasTargets = found.pairs.some(({ target }) => target !== null);
  const against = hasTargets ? wanted : "came";
  const points = pointsOf(found.pairs, against);
  const truth = againstTruth(found, at.algorithm, truths);
  const own = found.critic?.own === true;
  const metricAt = (name: string) => (own ? valueAt(log, at, name) : null);
  return {
    ...found,
    algorithm: at.algorithm,
    against,
    hasTargets,
    points,
    fit: fitOf(points),
    bins: calibrationBins(points),
    byTurn: fitByTurn(points).map((fit, h) => ({
      ...fit,
      metric: metricAt(`critic/turn_vf_explained_var/${h + 1}`),
    })),
    truth: truth.points,
    otherTruth: truth.other,
    unpaidTurns: truth.unpaid,
    untrained: found.pairs.length > 0 && found.pairs.every(({ value }) => value === 0),
    bootstraps: log.start?.spec?.optimisation?.bootstrapOnTruncation ?? null,
    metric: metricAt("critic/vf_explained_var"),
  };
}

/** A metric of the cursor's iteration. */
function valueAt(log: RunLog, { algorithm, iteration }: ResolvedChoice, name: string) {
  const { x, y } = log.series(algorithm, name);
  return y[x.lastIndexOf(iteration)] ?? null;
}
