/**
 * Optional groups of fields in links: `preference=on` and the differences from the group's
 * defaults, or `preference=none` if the preset has it and the spec does not.
 */
import type { ExperimentSpec } from "./experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { iterativeDefaults } from "./iterative.ts";
import { preferenceDefaults } from "./preference.ts";
import { processReward } from "./process.ts";
import { scheduleOf } from "./schedule.ts";

/** The defaults of each group. */
const GROUPS = {
  preference: preferenceDefaults,
  iterative: iterativeDefaults,
  processReward: () => processReward.parse({}),
  schedule: () => scheduleOf({ from: 1 }),
} as const satisfies { [K in keyof ExperimentSpec]?: () => ExperimentSpec[K] };

type GroupName = keyof typeof GROUPS;
export const groupNames = Object.keys(GROUPS) as readonly GroupName[];

export function isGroup(key: string): key is GroupName {
  return Object.hasOwn(GROUPS, key);
}

/** The preset with the spec's groups, and the changes that express this. */
export function withGroups(
  preset: ExperimentSpec,
  spec: ExperimentSpec,
): { base: ExperimentSpec; switches: [GroupName, string][] } {
  const different = groupNames.filter((name) => Boolean(preset[name]) !== Boolean(spec[name]));
  const switches = different.map((name): [GroupName, string] => [name, spec[name] ? "on" : "none"]);
  const base = switches.reduce((changed, [name, text]) => switchGroup(changed, name, text), preset);
  return { base, switches };
}

/** The spec with or without a group. @throws InputError for a word other than on and none. */
export function switchGroup(spec: ExperimentSpec, name: GroupName, text: string): ExperimentSpec {
  if (text === "on") return fillGroup(spec, name);
  if (text !== "none")
    throw new InputError(`${name} is ${show(text)}; it must be on or none, or one of its fields`);
  const { [name]: _dropped, ...others } = spec;
  return others;
}

/** Adds the group that a path begins with, if it is one: with its defaults if the spec has none. */
export function fillGroup(spec: ExperimentSpec, head: string): ExperimentSpec {
  if (!isGroup(head) || spec[head]) return spec;
  return { ...spec, [head]: GROUPS[head]() };
}
