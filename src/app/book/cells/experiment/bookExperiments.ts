/** The experiments of an open notebook: a store and a session for each of its cells. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { definitionsIn, hasFact, isTyped, type TypedCell } from "../../../../notebook/cell.ts";
import { cellOf, writeCell } from "../../../../notebook/edit.ts";
import {
  readExperiment,
  withExperiment,
} from "../../../../notebook/cells/experiment/experiment.ts";
import { isCarried } from "../../../../runtime/carried.ts";
import type { Definition } from "../../../../spec/definitions.ts";
import { sameSpec } from "../../../../spec/link.ts";
import {
  bookCells,
  bookDraft,
  editBook,
  type BookState,
  type BookStore,
} from "../../../../store/bookStore.ts";
import type { ExperimentHandle } from "../../../../store/hooks.ts";
import { openDraft } from "../../../../store/specDraft.ts";
import { createExperiment, type Experiments, type OwnedExperiment } from "../../../experiments.ts";
import { bookHash, type BookAddress } from "../../bookAddress.ts";

/**
 * Keeps experiments and cells equal in both directions: the cell's text changes the form, and while
 * editing the form changes the text. @param runs saved runs that came with the notebook
 */
export function followCells(
  store: BookStore,
  address: BookAddress,
  runs: ReadonlyMap<string, Uint8Array> | undefined,
): { experiments: StoreApi<{ map: Experiments }>; all: () => OwnedExperiment[] } {
  /** By the cell's key; kept when a cell is deleted, in case this is undone. */
  const known = new Map<number, OwnedExperiment>();
  const experiments = createStore<{ map: Experiments }>(() => ({ map: new Map() }));
  const sync = (state: BookState) => {
    const map = new Map<string, ExperimentHandle>();
    const definitions = bookDefinitions(state);
    for (const { key, cell } of bookDraft(state).cells) {
      if (!hasFact(cell, "hasRun")) continue;
      const handle = known.get(key) ?? openCell(key, cell, definitions);
      const named = handle.id === cell.id ? handle : { ...handle, id: cell.id };
      if (named !== handle) {
        known.set(key, named);
        named.store.setState(whereIs(address, cell.id));
      }
      takeIn(named, cell, definitions);
      map.set(cell.id, named);
    }
    const before = experiments.getState().map;
    const same = map.size === before.size && [...map].every(([id, one]) => before.get(id) === one);
    if (!same) experiments.setState({ map });
    for (const one of known.values())
      if (![...map.values()].includes(one) && one.store.getState().state === "running")
        one.session.toggleRun();
  };
  const openCell = (key: number, cell: TypedCell, definitions: readonly Definition[]) => {
    const where = whereIs(address, cell.id);
    const run = runs?.get(cell.id);
    const handle = createExperiment(cell.id, cell.body, { ...where, definitions, run });
    known.set(key, handle);
    handle.store.subscribe((now, before) => {
      if (now.draft.spec !== before.draft.spec) writeDown(store, key, handle);
    });
    return handle;
  };
  sync(store.getState());
  store.subscribe((now, before) => {
    if (now.history.now !== before.history.now) sync(now);
    if (now.mode === "edit" && before.mode === "read")
      for (const [key, handle] of known) writeDown(store, key, handle);
  });
  return { experiments, all: () => [...known.values()] };
}

/**
 * Links of the opening page contain the experiment itself; its runs are kept all the same, except
 * in a page that carries its files: all such pages on one disk share their storage.
 */
function whereIs(address: BookAddress, id: string): { home: string | null; place: string | null } {
  const place = isCarried() ? null : `${bookHash(address)}/${id}`;
  return { home: address.kind === "opening" ? null : `${bookHash(address)}/${id}`, place };
}

/** Updates the form from the cell; text in the form that is not usable yet stays where the cell has not changed. */
function takeIn(
  { store }: ExperimentHandle,
  cell: TypedCell,
  definitions: readonly Definition[],
): void {
  const { spec } = readExperiment(cell.body, definitions);
  if (!sameSpec(store.getState().draft.spec, spec)) store.setState({ draft: openDraft(spec) });
}

/** Updates the cell from the form. */
function writeDown(store: BookStore, key: number, { store: experiment }: ExperimentHandle): void {
  const state = store.getState();
  const cell = cellOf(bookDraft(state), key);
  if (state.mode !== "edit" || !isTyped(cell)) return;
  const { spec } = experiment.getState().draft;
  const definitions = bookDefinitions(state);
  if (sameSpec(readExperiment(cell.body, definitions).spec, spec)) return;
  const body = withExperiment(cell.body, spec, definitions);
  editBook(store, (draft) => writeCell(draft, key, body), `form ${key}`);
}

export function bookDefinitions(state: BookState): Definition[] {
  return definitionsIn(bookCells(state));
}
