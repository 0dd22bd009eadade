/** Screen reader announcements while a run trains: short, and not often. */
import { formatNumber } from "../numeric/format.ts";
import { titleOf } from "../reading/titles.ts";
import { namedMetrics } from "../figures/curves/metrics.ts";
import { environmentOf } from "../reading/curveMetrics.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import type { RunLog } from "../reading/log/runLog.ts";

/** Milliseconds between two announcements. */
export const ANNOUNCE_INTERVAL = 5000;

export function announcement({ state, view, progress, recovered }: ExperimentState): string {
  if (state === "loading" && recovered !== null) return recovered;
  if (state === "loading") return `Loading. ${progress?.phase ?? ""}`.trim();
  const live = view.origin === "live";
  if (state === "finished") return `Finished. ${live ? standings(view.log) : ""}`.trim();
  if (state === "paused") return "Paused.";
  if (state !== "running" || !live) return "";
  const done = view.log.finishedIterations;
  const planned = view.log.start?.spec.optimisation.iterations ?? done;
  return `Iteration ${done} of ${planned} done. ${standings(view.log)}`;
}

function standings(log: RunLog): string {
  const { key, title } = namedMetrics(environmentOf(log))["reward"]!;
  const scores = log.algorithms.map((name) => {
    const last = log.series(name, key).y.at(-1);
    return `${titleOf(name)} ${last === undefined ? "none yet" : formatNumber(last)}`;
  });
  return `${title}: ${scores.join(", ")}.`;
}
