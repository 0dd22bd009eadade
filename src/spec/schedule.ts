/** The settings as they stand: for one method, and with what changes from one iteration on. */
import { greatest } from "../numeric/lists.ts";
import { specAlgorithms, type ExperimentSpec } from "./experiment.ts";
import { scheduleSchema, type Schedule } from "./scheduleSchema.ts";

/** A schedule that changes these settings and no others. */
export function scheduleOf(changes: Pick<Schedule, "from"> & Partial<Schedule>): Schedule {
  return scheduleSchema.parse(changes);
}

/** The spec as it stands for one method: with what that method has for itself. `method`: its name. */
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

/** Iterations in which a method's policy waits for its critic; 0 without one. `spec`: as it stands for that method. */
export function waitOf(spec: ExperimentSpec, { critic }: { critic: string }): number {
  return critic === "none" ? 0 : spec.critic.warmup;
}

/** The first iteration (from 1) that the policy of every method plays after an update of its own. */
export function firstLearned(spec: ExperimentSpec): number {
  const waits = specAlgorithms(spec).map((row) => waitOf(specOf(spec, row.name), row));
  return greatest([0, ...waits]) + 2;
}

/** null and undefined leave a setting as it is. */
function changed<T extends object>(
  base: T,
  changes: { [K in keyof T]?: T[K] | null | undefined } = {},
): T {
  const given = Object.entries(changes).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return { ...base, ...Object.fromEntries(given) };
}
