/** The settings of a method of a run; null if the run lacks them, or has unknown ones. */
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { readingOf, specAlgorithm, type ExperimentSpec } from "../spec/experiment.ts";
import { iterativeConfig, iterativeRow } from "../spec/iterative.ts";
import type { RunView } from "./log/runLog.ts";

export function runConfig(spec: ExperimentSpec | undefined, name: string): AlgorithmConfig | null {
  if (!spec) return null;
  const chosen = spec.algorithms.find((row) => row.name === name);
  try {
    if (chosen) return specAlgorithm(spec, name, chosen.set);
    return name === iterativeRow.name ? iterativeConfig(spec.iterative, readingOf(spec)) : null;
  } catch {
    return null; // a foreign file's own names
  }
}

/** Whether training may have had values that the run's file lacks: unless its settings say that the method has no critic. */
export function mayLackValues({ origin, log }: RunView, name: string): boolean {
  return origin === "imported" && runConfig(log.start?.spec, name)?.critic !== "none";
}

/** Whether the run comes from a file without its settings: data it lacks may have existed in training. */
export function isForeign({ origin, log }: RunView, name: string): boolean {
  return origin === "imported" && runConfig(log.start?.spec, name) === null;
}
