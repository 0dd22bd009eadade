/** What one method has for itself, as forms and links change it: one field of one group at a time. */
import type { ExperimentSpec } from "./experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { methodSettings, type OwnSettings } from "./learning.ts";

export type { OwnSettings };

type SettingGroup = keyof OwnSettings;

export const OWN_GROUPS = Object.keys(methodSettings.shape) as readonly SettingGroup[];

/** Dotted paths of all that a method may have for itself, e.g. optimisation.actorLr. */
const ownFields: readonly string[] = OWN_GROUPS.flatMap((group) =>
  Object.keys(methodSettings.shape[group].unwrap().shape).map((field) => `${group}.${field}`),
);

interface OwnField {
  group: string;
  field: string;
  /** undefined: as the experiment has it. */
  value: unknown;
}

/**
 * The spec with that field of the method's own; what is empty is left out. Not validated, but for the name.
 * @throws InputError when a method may have no such field for itself.
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

/** Without what is undefined; undefined where nothing is left. */
function without(record: Record<string, unknown>): Record<string, unknown> | undefined {
  const kept = Object.entries(record).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
