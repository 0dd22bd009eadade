/** What completion in a cell's text may name: panels, metrics, and what else is in the notebook. */
import type { TypedCell } from "../../notebook/cell.ts";
import { namesForCode, type KnownNames } from "../../notebook/completions.ts";
import { namedMetrics } from "../../figures/curves/metrics.ts";
import { manifests } from "../../panels/manifests.ts";
import type { Definition } from "../../spec/definitions.ts";
import { bookCells } from "../../store/bookStore.ts";
import type { SettingTable } from "../../store/lensCodecs.ts";
import type { OpenBook } from "./openBook.ts";

const panels = manifests.map(({ id, title, settings }) => ({
  id,
  title,
  settings: Object.fromEntries(
    Object.entries(settings as SettingTable).map(([name, { options = [] }]) => [name, options]),
  ),
}));

/** @param typed the cell; null for prose. */
export function knownNames(
  { experiments, store }: Pick<OpenBook, "experiments" | "store">,
  definitions: readonly Definition[],
  typed: TypedCell | null,
): KnownNames {
  const { map } = experiments.getState();
  const shown = typed?.of == null ? undefined : map.get(typed.of);
  // Definitions run in a worker, without the notebook's values.
  const readsNames = typed !== null && typed.defines === undefined;
  return {
    experiments: [...map.keys()],
    panels,
    // Their ids and titles are the same in every environment.
    metrics: Object.values(namedMetrics("")).map(({ id, title }) => [id, title] as const),
    definitions,
    code: readsNames ? namesForCode(bookCells(store.getState()), typed.id) : [],
    shown: shown?.store.getState().draft.spec ?? null,
  };
}
