/** Says which settings have changed since the run that is shown, and which cells are out of date with it. */
import { use } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { isTyped, nameOfCell } from "../notebook/cell.ts";
import { kindOf } from "../notebook/cells/kinds.ts";
import { titleOf } from "../reading/titles.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { changesFrom } from "../spec/specDifference.ts";
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

/** What differs between two experiments, under the form's labels; at first what the form has first. `except`: paths left out. */
export function settingsChanged(
  before: ExperimentSpec,
  now: ExperimentSpec,
  except: readonly string[] = [],
): string[] {
  const [old, young] = [changesBetween(now, before), changesBetween(before, now)];
  const paths = new Set([...LABELS.keys(), ...young.keys(), ...old.keys()]);
  return [...paths].flatMap((path) => {
    const [was, is] = [old.get(path), young.get(path)];
    if (was === is || except.includes(path)) return [];
    return [appWords.setting(LABELS.get(path) ?? path, shown(path, was), shown(path, is))];
  });
}

const changesBetween = (from: ExperimentSpec, to: ExperimentSpec) =>
  new Map([["preset", to.preset], ...changesFrom(from, to)]);

/** The longest value that is shown whole; code is longer. */
const LONGEST = 24;

function shown(path: string, value = "–"): string {
  if (path === "algorithms") return value.split(",").map(titleOf).join(", ");
  return value.length > LONGEST ? "…" : value;
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ["algorithms", appWords.methods] as const,
  ...[mainFields, ...[...moreFields, ...environmentFields].map(({ fields }) => fields)].flatMap(
    (fields) => fields.map(({ path, label }) => [path, label] as const),
  ),
]);
