/** Combinations of values of fields: what a sweep tries, on the command line and in a notebook. */
import { InputError } from "./inputError.ts";
import type { ExperimentSpec } from "./experiment.ts";

/** A field as links name it, e.g. optimisation.actorLr, and its value as a text. */
export type FieldValue = [field: string, value: string];

/** One combination. */
export interface Trial {
  /** `-field=value` for each field; empty where there are none. */
  name: string;
  changes: FieldValue[];
}

/** All combinations, the last field's values changing fastest. */
export function gridTrials(
  fields: readonly (readonly [string, readonly (number | string | boolean)[]])[],
): Trial[] {
  const start: Trial[] = [{ name: "", changes: [] }];
  return fields.reduce(
    (trials, [field, values]) =>
      trials.flatMap(({ name, changes }) =>
        values.map((one) => ({
          name: `${name}-${field}=${String(one)}`,
          changes: [...changes, [field, String(one)] as FieldValue],
        })),
      ),
    start,
  );
}

/** @throws InputError where a seed is there twice. @param what names the list, e.g. "the sweep's seeds". */
export function checkSeeds(seeds: readonly number[], what: string): void {
  const twice = seeds.find((seed, i) => seeds.indexOf(seed) !== i);
  if (twice !== undefined) throw new InputError(`${what} list ${twice} twice`);
}

/** A spec once for each seed. */
export function overSeeds(
  spec: ExperimentSpec,
  seeds: readonly number[],
): { seed: number; spec: ExperimentSpec }[] {
  return seeds.map((seed) => ({ seed, spec: { ...spec, seed } }));
}
