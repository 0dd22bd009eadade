/** Which methods of a run play every task several times, to compare its rollouts. */
import type { RunLog } from "./log/runLog.ts";
import { runConfig } from "./runConfig.ts";

export function groupedMethods({ start, algorithms }: RunLog): string[] {
  if (start?.spec.optimisation.grouping === "all") return [...algorithms];
  return algorithms.filter((name) => runConfig(start?.spec, name)?.grouped === true);
}
