/** All that the speed panel draws of a run. */
import type { RunView } from "../../reading/log/runLog.ts";
import { speedOf, wallSeconds, type MethodSpeed } from "./timing.ts";

export interface SpeedModel {
  view: RunView;
  /** Those that have finished an iteration. */
  methods: MethodSpeed[];
  /** Names of all phases, in order of appearance. */
  phases: string[];
  /** Seconds of work of all methods. */
  seconds: number;
  /** From the first event to the last; null where the log has no dates. */
  wall: number | null;
  /** Whether the log counts dispatches. */
  dispatches: boolean;
}

export function speedModel(view: RunView): SpeedModel {
  const { log } = view;
  const methods = log.algorithms
    .map((algorithm) => speedOf(log, algorithm))
    .filter(({ iterations }) => iterations.length > 0);
  return {
    view,
    methods,
    phases: [...new Set(methods.flatMap(({ phases }) => Object.keys(phases)))],
    seconds: methods.reduce((sum, method) => sum + method.seconds, 0),
    wall: wallSeconds(log),
    dispatches: methods.some(({ iterations }) =>
      iterations.some(({ dispatches }) => dispatches !== null),
    ),
  };
}
