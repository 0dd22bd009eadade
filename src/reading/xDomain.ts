import { greatest } from "../numeric/lists.ts";
import type { RunLog } from "./log/runLog.ts";

/** Shortest x axis: with fewer points a line says little. */
const SHORTEST = 5;

/** One x axis for all charts of a run, so that they can be read together. */
export function xDomain(log: RunLog): [number, number] {
  const last = log.algorithms.map((id) => log.iterations(id).at(-1) ?? 0);
  const crashed = log.crashes.map(({ iteration }) => iteration);
  // A run under way has the axis of the whole run, so that it does not move with every iteration.
  const planned = log.end === null ? (log.start?.spec.optimisation.iterations ?? 0) : 0;
  return [0, greatest([SHORTEST, planned, ...last, ...crashed])];
}
