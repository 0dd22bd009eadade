/** The metrics of a run's main curves, under the ids that cells and links use. */
import type { LinkMetric } from "../spec/linkCurves.ts";
import type { MetricSource, RunLog } from "./log/runLog.ts";

export interface CurveKey {
  source: MetricSource;
  /** Name in the events. */
  key: string;
}

/** Names contain the environment, so they depend on the run. */
export function curveKeys(environment: string): Record<LinkMetric, CurveKey> {
  return {
    reward: { source: "train", key: "critic/score/mean" },
    success: { source: "train", key: `${environment}/success` },
    heldout: { source: "heldout", key: `val-env/${environment}/success` },
  };
}

/** A foreign run may lack the environment's name, or have one that its curves do not use; its success metric has the name that they use. */
function successName(log: RunLog): string | undefined {
  const name = log.metrics("train").find((metric) => metric.endsWith("/success"));
  return name?.slice(0, -"/success".length);
}

export function environmentOf(log: RunLog): string {
  const kind = log.start?.spec.environment.kind;
  const isOfCurves = kind !== undefined && log.metrics("train").includes(`${kind}/success`);
  // Another program's log whose episodes do not say whether they succeeded.
  const unnamed = log.algorithms.length > 0 ? "episodes" : "sokoban";
  return isOfCurves ? kind : (successName(log) ?? kind ?? unnamed);
}
