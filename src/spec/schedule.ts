/** A change of settings during a run: what differs from one iteration on. */
import { z } from "zod";
import type { ExperimentSpec } from "./experiment.ts";

const whole = (min: number, max: number) => z.int().min(min).max(max);
const real = (min: number, max: number) => z.number().min(min).max(max);

/** null leaves a setting as it is. */
export const scheduleSchema = z.strictObject({
  /** First iteration with the new settings. */
  from: whole(1, 1_000_000),
  actorLr: real(0, 1).nullable().default(null),
  maxGradNorm: real(0, 1e6).nullable().default(null),
  epochs: whole(1, 100).nullable().default(null),
  entropyCoef: real(0, 10).nullable().default(null),
  criticLr: real(0, 1).nullable().default(null),
  temperature: real(0.01, 10).nullable().default(null),
});

export type Schedule = z.infer<typeof scheduleSchema>;

/** A schedule that changes these settings and no others. */
export function scheduleOf(changes: Pick<Schedule, "from"> & Partial<Schedule>): Schedule {
  return scheduleSchema.parse(changes);
}

/** The spec as it stands in one iteration (from 1): with what its schedule has changed by then. */
export function specAt(spec: ExperimentSpec, iteration: number): ExperimentSpec {
  const { schedule } = spec;
  if (!schedule || iteration < schedule.from) return spec;
  const { actorLr, maxGradNorm, epochs, entropyCoef, criticLr, temperature } = schedule;
  return {
    ...spec,
    optimisation: changed(spec.optimisation, { actorLr, maxGradNorm, epochs, entropyCoef }),
    critic: changed(spec.critic, { lr: criticLr }),
    sampling: changed(spec.sampling, { temperature }),
  };
}

function changed<T extends object>(base: T, changes: { [K in keyof T]?: T[K] | null }): T {
  const told = Object.entries(changes).filter(([, value]) => value !== null);
  return { ...base, ...Object.fromEntries(told) };
}
