/** The inverse: the changes from the nearest preset to an experiment. */
import { definitionsToText } from "./definitionsText.ts";
import { optionalFields, type ExperimentSpec } from "./experiment.ts";
import { isRecord } from "./jsonText.ts";
import type { Change } from "./linkExtras.ts";
import { withGroups } from "./linkGroups.ts";
import { OWN_GROUPS, type OwnSettings } from "./ownSettings.ts";
import { plantsToText } from "./plants.ts";
import { presetNames, presetSpec } from "./presets.ts";
import { DEFAULT_PRESET, DROP, RESERVED } from "./specChanges.ts";

/** The preset nearest to an experiment, and the differences: `specFromChanges` restores the experiment. */
export function changesOf(spec: ExperimentSpec): { preset: string; changes: Change[] } {
  const base = baseOf(spec);
  return { preset: base.preset, changes: changesFrom(base, spec) };
}

/** The settings in which an experiment differs from another, with its own values, as a link writes them. */
export function changesFrom(from: ExperimentSpec, spec: ExperimentSpec): Change[] {
  const { base: grouped, switches } = withGroups(from, spec);
  const { base, code } = withCode(grouped, spec);
  return [...switches, ...code, ...fieldChanges(base, spec, ""), ...algorithmChanges(base, spec)];
}

/** Definitions and plants are written as one word, and a user-defined environment as a whole: it has nothing in common with the preset's. */
function withCode(base: ExperimentSpec, spec: ExperimentSpec) {
  const { definitions = [], environment } = spec;
  const code: Change[] = [];
  if (definitions.length > 0) code.push(["definitions", definitionsToText(definitions)]);
  if (spec.plants) code.push(["plants", plantsToText(spec.plants)]);
  else if (base.plants) code.push(["plants", DROP]);
  if (environment.kind !== "defined") return { base, code };
  code.push(["environment", JSON.stringify(environment)]);
  return { base: { ...base, environment }, code };
}

/** The preset that a spec names; if it is unknown, or has another environment, the first that has its fields. */
function baseOf({ preset, environment }: ExperimentSpec): ExperimentSpec {
  const names = [preset, DEFAULT_PRESET, ...presetNames].filter((name) =>
    presetNames.includes(name),
  );
  for (const name of names) {
    const base = presetSpec(name);
    // A user-defined environment fits no preset: it is written as a whole.
    if ([base.environment.kind, "defined"].includes(environment.kind)) return base;
  }
  return presetSpec(DEFAULT_PRESET);
}

function fieldChanges(base: unknown, spec: unknown, path: string): Change[] {
  if (base === undefined && isRecord(spec)) return fieldChanges({}, spec, path);
  if (!isRecord(base) || !isRecord(spec)) {
    const same = Array.isArray(base) ? String(base) === String(spec) : Object.is(base, spec);
    return same ? [] : [[path, spec === undefined ? DROP : String(spec)]];
  }
  // Groups that only one of them has are switched on and off by a separate change.
  const keys =
    path === ""
      ? [...Object.keys(base), ...optionalAtTop(base)]
      : Object.keys({ ...base, ...spec });
  return keys
    .filter((key) => path !== "" || !RESERVED.has(key))
    .flatMap((key) => fieldChanges(base[key], spec[key], path === "" ? key : `${path}.${key}`));
}

/** Optional single fields that an experiment has outside its groups, and this one lacks. */
function optionalAtTop(base: Record<string, unknown>): string[] {
  return [...optionalFields].filter((path) => !path.includes(".") && !Object.hasOwn(base, path));
}

function algorithmChanges(base: ExperimentSpec, spec: ExperimentSpec): Change[] {
  const names = spec.algorithms.map(({ name }) => name).join(",");
  const changes: Change[] = [];
  if (names !== base.algorithms.map(({ name }) => name).join(","))
    changes.push(["algorithms", names]);
  for (const { name, set, with: own } of spec.algorithms) {
    const row = base.algorithms.find((other) => other.name === name);
    const before = row?.set ?? {};
    for (const key of Object.keys(before))
      if (!Object.hasOwn(set, key)) changes.push([`${name}.${key}`, DROP]);
    for (const [key, value] of Object.entries(set))
      if (!Object.is(before[key], value)) changes.push([`${name}.${key}`, String(value)]);
    for (const change of ownChanges(row?.with, own, name)) changes.push(change);
  }
  return changes;
}

/** A method's own settings: method.group.field, with the field's name in the experiment. */
function ownChanges(base: OwnSettings = {}, own: OwnSettings = {}, name: string): Change[] {
  return OWN_GROUPS.flatMap((group) =>
    fieldChanges(base[group] ?? {}, own[group] ?? {}, `${name}.${group}`),
  );
}
