import { greatest } from "../numeric/lists.ts";
import type { RunLog } from "./log/runLog.ts";

/** Shortest x axis: with fewer points a line shows little. */
const SHORTEST = 5;

/** One x axis for all charts of a run, so that they can be compared. */
export function xDomain(log: RunLog): [number, number] {
  const last = log.algorithms.map((id) => log.iterations(id).at(-1) ?? 0);
  const crashed = log.crashes.map(({ iteration }) => iteration);
  // For a run in progress the axis covers the whole planned run, so that it does not move with
  // every iteration.
  const planned = log.end === null ? (log.start?.spec.optimisation.iterations ?? 0) : 0;
  return [0, greatest([SHORTEST, planned, ...last, ...crashed])];
}
