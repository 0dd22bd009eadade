/** Says which settings have changed since the run that is shown, and which cells are out of date with it. */
import { use } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { isTyped, nameOfCell } from "../notebook/cell.ts";
import { kindOf } from "../notebook/cells/kinds.ts";
import { titleOf } from "../reading/titles.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { isRecord } from "../spec/jsonText.ts";
import { bookCells, type BookState, type BookStore } from "../store/bookStore.ts";
import { isBusy } from "../store/experimentStore.ts";
import { isOutOfDate, type ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { BookContext } from "./book/useBook.ts";
import { environmentFields, mainFields, moreFields } from "./formFields.ts";
import { RunAnew } from "./RunAnew.tsx";
import { appWords } from "./strings.ts";

const select = (state: ExperimentState) => ({
  before: isOutOfDate(state) ? state.runSpec : null,
  now: state.draft.spec,
  busy: isBusy(state),
});

/** Nothing while the run shown is that of the form. */
export function ChangedNote() {
  const { id, store } = useExperiment();
  const { before, now, busy } = useStore(store, useShallow(select));
  const book = use(BookContext);
  if (before === null) return null;
  const changes = settingsChanged(before, now);
  return (
    <p className="notice notice-stale" data-testid="changed">
      {busy ? appWords.changed(changes) : appWords.changedAfter(changes)}{" "}
      {book && <Behind store={book.store} id={id} />} <RunAnew />
    </p>
  );
}

const cellsBehind = (id: string) => (state: BookState) =>
  bookCells(state).flatMap((cell) =>
    isTyped(cell) && kindOf(cell.type).showsRun && cell.of === id ? [nameOfCell(cell)] : [],
  );

function Behind({ store, id }: { store: BookStore; id: string }) {
  const names = useStore(store, useShallow(cellsBehind(id)));
  return names.length > 0 && appWords.behind(names);
}

/** What differs between two experiments, under the form's labels; at first what the form has first. */
function settingsChanged(before: ExperimentSpec, now: ExperimentSpec): string[] {
  const [old, young] = [new Map(valuesOf(before)), new Map(valuesOf(now))];
  const paths = new Set([...LABELS.keys(), ...old.keys(), ...young.keys()]);
  return [...paths].flatMap((path) => {
    const [was, is] = [old.get(path) ?? "–", young.get(path) ?? "–"];
    return was === is ? [] : [appWords.setting(LABELS.get(path) ?? path, was, is)];
  });
}

const LABELS: ReadonlyMap<string, string> = new Map(
  [mainFields, ...[...moreFields, ...environmentFields].map(({ fields }) => fields)].flatMap(
    (fields) => fields.map(({ path, label }) => [path, label] as const),
  ),
);

/** Each setting by its path; a method's own settings under its title. */
function valuesOf({ algorithms, ...spec }: ExperimentSpec): [path: string, value: string][] {
  const own = algorithms.flatMap(({ name, ...rest }) => leaves(rest, titleOf(name)));
  const methods = algorithms.map(({ name }) => titleOf(name)).join(", ");
  return [...leaves(spec, ""), [appWords.methods, methods], ...own];
}

function leaves(value: unknown, path: string): [string, string][] {
  if (!isRecord(value))
    return value === undefined
      ? []
      : [[path, typeof value === "string" ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, one]) =>
    // A method's settings are in groups that say nothing to who reads.
    leaves(one, ["set", "with"].includes(key) ? path : path === "" ? key : `${path}.${key}`),
  );
}
