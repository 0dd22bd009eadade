/** A method's own settings, as forms and links change them: one field of one group at a time. */
import type { ExperimentSpec } from "./experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { methodSettings, type OwnSettings } from "./learning.ts";

export type { OwnSettings };

type SettingGroup = keyof OwnSettings;

export const OWN_GROUPS = Object.keys(methodSettings.shape) as readonly SettingGroup[];

/** Dotted paths of all fields that a method may have separately, e.g. optimisation.actorLr. */
const ownFields: readonly string[] = OWN_GROUPS.flatMap((group) =>
  Object.keys(methodSettings.shape[group].def.innerType.shape).map((field) => `${group}.${field}`),
);

interface OwnField {
  group: string;
  field: string;
  /** undefined: the experiment's value. */
  value: unknown;
}

/**
 * The spec with that field of the method's own; empty groups are removed. Not validated, except for
 * the name.
 * @throws InputError if a method may not have the field separately.
 */
export function withOwn(
  spec: ExperimentSpec,
  method: string,
  { group, field, value }: OwnField,
): unknown {
  const path = `${group}.${field}`;
  if (!ownFields.includes(path)) {
    const allowed = ownFields.join(", ");
    throw new InputError(`${method}.${path} cannot be set for one method; allowed: ${allowed}`);
  }
  const algorithms = spec.algorithms.map(({ with: own, ...row }) => {
    if (row.name !== method) return own ? { ...row, with: own } : row;
    const changed = without({
      ...own,
      [group]: without({ ...own?.[group as SettingGroup], [field]: value }),
    });
    return changed ? { ...row, with: changed } : row;
  });
  return { ...spec, algorithms };
}

/** Without undefined fields; undefined if nothing is left. */
function without(record: Record<string, unknown>): Record<string, unknown> | undefined {
  const kept = Object.entries(record).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
