/** What completion in a cell's text may name: panels, metrics, and what else is in the notebook. */
import type { KnownNames } from "../../notebook/completions.ts";
import { namedMetrics } from "../../figures/curves/metrics.ts";
import { manifests } from "../../panels/manifests.ts";
import type { Definition } from "../../spec/definitions.ts";
import type { SettingTable } from "../../store/lensCodecs.ts";
import type { Experiments } from "../experiments.ts";

const panels = manifests.map(({ id, title, settings }) => ({
  id,
  title,
  settings: Object.fromEntries(
    Object.entries(settings as SettingTable).map(([name, { options = [] }]) => [name, options]),
  ),
}));

/** @param of id of the experiment that the cell shows. */
export function knownNames(
  experiments: Experiments,
  definitions: readonly Definition[],
  of: string | null,
): KnownNames {
  return {
    experiments: [...experiments.keys()],
    panels,
    // Their ids and titles are the same in every environment.
    metrics: Object.values(namedMetrics("")).map(({ id, title }) => [id, title] as const),
    definitions,
    shown: of === null ? null : (experiments.get(of)?.store.getState().draft.spec ?? null),
  };
}
