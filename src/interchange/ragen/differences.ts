/** Parts of a spec with which the same algorithm learns something else, and unmapped fields. */
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { CHANGES_GAME } from "./environment.ts";
import type { MappedSetting } from "./setting.ts";
import { CHANGES_ALL } from "./settings.ts";

/**
 * Fields of the spec for which the same algorithm learns something else there: field and reason.
 * Includes unmapped fields, since their effect is unknown.
 */
export function learningDiffers(
  spec: ExperimentSpec,
  settings: readonly MappedSetting[],
): [string, string][] {
  const absent = settings.filter(
    ({ from, keys }) => keys === undefined && (from in CHANGES_ALL || from in CHANGES_GAME),
  );
  return [
    ...absent.map(({ from, why }): [string, string] => [from, why!]),
    ...unmappedFields(spec, settings).map((path): [string, string] => [
      path,
      "no counterpart is known",
    ]),
  ];
}

/** Fields of the spec that no setting maps. */
export function unmappedFields(spec: ExperimentSpec, settings: readonly MappedSetting[]): string[] {
  const mapped = ["version", "preset", "algorithms", ...settings.map(({ from }) => from)];
  return leaves(spec, "").filter(
    (path) => !mapped.some((from) => path === from || path.startsWith(`${from}.`)),
  );
}

function leaves(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    leaves(inner, path === "" ? name : `${path}.${name}`),
  );
}
