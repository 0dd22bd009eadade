/** The effective settings: for one method, and with changes that start at an iteration. */
import { greatest } from "../numeric/lists.ts";
import { specAlgorithms, type ExperimentSpec } from "./experiment.ts";
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

/** The same in one iteration (from 1): a schedule changes the settings of every method. */
export function specAt(spec: ExperimentSpec, method: string, iteration: number): ExperimentSpec {
  const own = specOf(spec, method);
  const { schedule } = spec;
  if (!schedule || iteration < schedule.from) return own;
  const { actorLr, maxGradNorm, epochs, entropyCoef, criticLr, temperature } = schedule;
  return {
    ...own,
    optimisation: changed(own.optimisation, { actorLr, maxGradNorm, epochs, entropyCoef }),
    critic: changed(own.critic, { lr: criticLr }),
    sampling: changed(own.sampling, { temperature }),
  };
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

/** null and undefined leave a setting unchanged. */
function changed<T extends object>(
  base: T,
  changes: { [K in keyof T]?: T[K] | null | undefined } = {},
): T {
  const given = Object.entries(changes).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return { ...base, ...Object.fromEntries(given) };
}
