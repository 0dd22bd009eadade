/** The effective settings: for one method, and with changes that start at an iteration. */
import { greatest } from "../numeric/lists.ts";
import { specAlgorithms, type ExperimentSpec } from "./experiment.ts";
import { plantsOf, withPlants } from "./plants.ts";
import { scheduleSchema, type Schedule } from "./scheduleSchema.ts";

/** A schedule that changes only these settings. */
export function scheduleOf(changes: Pick<Schedule, "from"> & Partial<Schedule>): Schedule {
  return scheduleSchema.parse(changes);
}

/** The effective spec for one method: with the method's own settings. `method`: its name. */
export function specOf(spec: ExperimentSpec, method: string): ExperimentSpec {
  const own = spec.algorithms.find(({ name }) => name === method)?.with;
  if (!own) return spec;
  return {
    ...spec,
    optimisation: changed(spec.optimisation, own.optimisation),
    critic: changed(spec.critic, own.critic),
    sampling: changed(spec.sampling, own.sampling),
  };
}

/** The same in one iteration (from 1): plants change the numbers of every method. */
export function specAt(spec: ExperimentSpec, method: string, iteration: number): ExperimentSpec {
  return withPlants(specOf(spec, method), plantsOf(spec), iteration);
}

/** Iterations in which a method's policy waits for its critic; 0 without one. `spec`: the effective spec for that method. */
export function waitOf(spec: ExperimentSpec, { critic }: { critic: string }): number {
  return critic === "none" ? 0 : spec.critic.warmup;
}

/** The first iteration (from 1) that every method plays with an updated policy. */
export function firstLearned(spec: ExperimentSpec): number {
  const waits = specAlgorithms(spec).map((row) => waitOf(specOf(spec, row.name), row));
  return greatest([0, ...waits]) + 2;
}

/** undefined leaves a setting unchanged. */
function changed<T extends object>(
  base: T,
  changes: { [K in keyof T]?: T[K] | undefined } = {},
): T {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(given) };
}
