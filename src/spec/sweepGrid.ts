/** Combinations of values of fields: the grid of a sweep, on the command line and in a notebook. */
import { InputError } from "../numeric/inputError.ts";
import type { ExperimentSpec } from "./experiment.ts";
import { checkLevels, sharingSeeds } from "./levelCount.ts";

/** A field as named in links, e.g. optimisation.actorLr, and its value as a string. */
export type FieldValue = [field: string, value: string];

/** One combination. */
export interface Trial {
  /** `-field=value` for each field; empty if there are none. */
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

/** @throws InputError if a seed occurs twice. @param what names the list, e.g. "the sweep's seeds". */
export function checkSeeds(seeds: readonly number[], what: string): void {
  const twice = seeds.find((seed, i) => seeds.indexOf(seed) !== i);
  if (twice !== undefined) throw new InputError(`${what} list ${twice} twice`);
}

/** A spec once for each seed. @throws InputError if a seed has no levels of its own, or shares another's. */
export function overSeeds(
  spec: ExperimentSpec,
  seeds: readonly number[],
): { seed: number; spec: ExperimentSpec }[] {
  const shared = sharingSeeds(spec, seeds);
  if (shared)
    throw new InputError(
      `seeds ${shared.join(" and ")} share levels in revision 1; use others from 1 to 1000, or "revision": 2 in the spec`,
    );
  return seeds.map((seed) => {
    const own = { ...spec, seed };
    checkLevels(own);
    return { seed, spec: own };
  });
}
