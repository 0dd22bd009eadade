/** How often a task is played, and how many episodes of an iteration are recorded. */
import type { ExperimentSpec } from "./experiment.ts";

type SizedSpec = Pick<ExperimentSpec, "optimisation" | "recordEpisodes">;

/** Rollouts per task: G for a method that plays groups, 1 for one that plays B_R x G tasks once. */
export function groupSizeOf(
  { optimisation }: Pick<SizedSpec, "optimisation">,
  { grouped }: { grouped: boolean },
): number {
  return grouped || optimisation.grouping === "all" ? optimisation.groupSize : 1;
}

/** Episodes of each iteration that are recorded: whole groups if all methods play groups. */
export function recordedEpisodes({ optimisation, recordEpisodes }: SizedSpec): number {
  const { grouping, groupSize, tasksPerIteration } = optimisation;
  const played = tasksPerIteration * groupSize;
  if (grouping !== "all") return Math.min(recordEpisodes, played);
  return Math.min(Math.ceil(recordEpisodes / groupSize) * groupSize, played);
}
