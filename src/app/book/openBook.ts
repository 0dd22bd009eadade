/** A notebook brought to life: its store, a store and a session for each of its experiments, and where it is kept. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { definitionsIn, readExperiment, withExperiment } from "../../notebook/experimentCell.ts";
import { serialiseNotebook, type TypedCell } from "../../notebook/document.ts";
import { retitle, writeCell } from "../../notebook/edit.ts";
import { isCarried } from "../../runtime/carried.ts";
import { claimNotebook, isClaimed } from "../../runtime/shelf/claim.ts";
import { askToPersist } from "../../runtime/shelf/persist.ts";
import { browserShelf, type KeptNotebook } from "../../runtime/shelf/notebooks.ts";
import { notebookFromWord } from "../../notebook/sharedText.ts";
import type { Definition } from "../../spec/definitions.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { sameSpec } from "../../spec/link.ts";
import {
  createBookStore,
  bookDraft,
  editBook,
  keepingAt,
  newId,
  textOfBook,
  type BookState,
  type BookStore,
} from "../../store/bookStore.ts";
import { BookKeeper } from "../../store/bookKeeper.ts";
import type { CodeCells } from "../../store/codeCells.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import { openDraft } from "../../store/specDraft.ts";
import { createExperiment, fetchText, type Experiments } from "../experiments.ts";
import { bookHash, type BookAddress } from "./bookAddress.ts";
import { openCode } from "./bookCode.ts";

export interface OpenBook {
  store: BookStore;
  experiments: StoreApi<{ map: Experiments }>;
  code: CodeCells;
  /** Of the reader's own alone; null of others. */
  keeper: BookKeeper | null;
}

export const shelf = browserShelf();

/** Notebooks of the reader's own that are open in this page, by id. */
const openHere = new Map<string, { store: BookStore; keeper: BookKeeper }>();

/** The notebooks of a page. What was opened stays open: a run goes on while another notebook is read. */
export interface Library {
  /** Rejects with a sentence where there is none. */
  open(address: BookAddress): Promise<OpenBook>;
  /** A notebook of another site, whose text has been fetched: it is open from now on. */
  give(address: BookAddress, text: string): void;
}

/** Saved runs that came with notebooks which are not open yet: by the notebook's address, then by experiment. */
const brought = new Map<string, ReadonlyMap<string, Uint8Array>>();

/** The notebook at this address shows them when it is opened. */
export function bringRuns(hash: string, runs: ReadonlyMap<string, Uint8Array>): void {
  brought.set(hash, runs);
}

/** It is another site's, and the reader has not asked for it. */
export class NotFetched extends Error {}

export function createLibrary(): Library {
  const books = new Map<string, Promise<OpenBook>>();
  return {
    open: (address) => {
      const key = bookHash(address);
      const book = books.get(key) ?? bookAt(address);
      books.set(key, book);
      // What failed is tried anew.
      book.catch(() => books.delete(key));
      return book;
    },
    give: (address, text) =>
      void books.set(bookHash(address), Promise.resolve(bringToLife(text, address, true))),
  };
}

/** In a page that carries its files the notebook that was exported. */
export const OPENING = "notebooks/first.md";

async function bookAt(address: BookAddress): Promise<OpenBook> {
  if (address.kind === "opening")
    return bringToLife(await fetchText(OPENING), address, isCarried());
  if (address.kind === "served")
    return bringToLife(await fetchText(`notebooks/${address.name}.md`), address);
  if (address.kind === "text") return bringToLife(notebookFromWord(address.word), address, true);
  if (address.kind === "remote") throw new NotFetched(address.at);
  const kept = await shelf.get(address.id);
  if (!kept || kept.deleted !== undefined)
    throw new Error(`This browser keeps no notebook ${address.id}.`);
  return bringToLife(kept.text, address, kept.isForeign);
}

function bringToLife(text: string, address: BookAddress, isForeign = false): OpenBook {
  const id = address.kind === "own" ? address.id : null;
  const place = id === null ? undefined : shelf.placeOf(id);
  const store = createBookStore(text, { id, isForeign, ...(place && { place }) });
  const experiments = followCells(store, address);
  const keeper = id === null ? null : keep(store, id);
  if (id !== null && keeper) openHere.set(id, { store, keeper });
  const book = { store, experiments, code: openCode(store, experiments), keeper };
  if (bookDraft(store.getState()).cells.some(({ cell }) => cell.type === "sweep"))
    void import("./bookSweeps.ts").then((sweeps) => sweeps.lookForSweeps(book));
  return book;
}

/** One tab writes; what it writes the others read again. */
function keep(store: BookStore, id: string): BookKeeper {
  const claim = claimNotebook(id, {
    onTurn: (mine) => {
      if (!mine) return store.setState({ mode: "read", keeping: { state: "other" } });
      if (store.getState().keeping.state !== "other") return;
      // The tab that wrote is gone: what it wrote last is what is kept.
      void keeper.reread().then(() => store.setState({ keeping: keepingAt(shelf.placeOf(id)) }));
    },
    onChange: () => void (store.getState().keeping.state === "other" && keeper.reread()),
  });
  const keeper = new BookKeeper(store, shelf, claim.changed);
  window.addEventListener("pagehide", () => void keeper.save());
  window.addEventListener("beforeunload", (event) => {
    if (store.getState().keeping.state === "memory") event.preventDefault();
  });
  return keeper;
}

/** The text of a notebook with what its forms say now. @param instead experiments that say something else in it, by id. */
export function textAsShown(
  { store, experiments }: OpenBook,
  instead: ReadonlyMap<string, ExperimentSpec> = new Map(),
): string {
  const { map } = experiments.getState();
  const draft = bookDraft(store.getState());
  const definitions = definitionsOf(store.getState());
  const cells = draft.cells.map(({ cell }) => {
    if (cell.type !== "experiment") return cell;
    const form = instead.get(cell.id) ?? map.get(cell.id)?.store.getState().draft.spec;
    if (!form) return cell;
    if (sameSpec(readExperiment(cell.body, definitions).spec, form)) return cell;
    return { ...cell, body: withExperiment(cell.body, form, definitions) };
  });
  return serialiseNotebook({ cells });
}

/**
 * A new notebook of the reader's own; its address. @param isForeign it came from elsewhere, as its text did; @param source
 * the address of the notebook that it is a copy of.
 */
export async function createBook(
  text: string,
  isForeign = false,
  source?: BookAddress,
): Promise<string> {
  const id = newId();
  const { title } = createBookStore(text).getState();
  const now = new Date().toISOString();
  const origin = { ...(isForeign && { isForeign }), ...(source && { source: bookHash(source) }) };
  await shelf.put({ id, title, text, created: now, changed: now, ...origin });
  // The reader has just made something to keep.
  void askToPersist();
  return bookHash({ kind: "own", id });
}

/** The newest notebook that the reader keeps of one that came by a link: a copy made of it, or the same text; null for none. */
export async function localVersion(
  book: OpenBook,
  address: BookAddress,
): Promise<KeptNotebook | null> {
  const text = textOfBook(book.store.getState());
  const all = await shelf.list();
  const isOfIt = (one: KeptNotebook) => one.source === bookHash(address) || one.text === text;
  return all.find((one) => one.deleted === undefined && isOfIt(one)) ?? null;
}

/** Gives a kept notebook another title. False where another tab has it open, and would write over that. */
export async function renameBook({ id }: KeptNotebook, title: string): Promise<boolean> {
  const open = openHere.get(id);
  if (open?.store.getState().keeping.state === "other") return false;
  if (open) {
    editBook(open.store, (draft) => retitle(draft, title));
    await open.keeper.save();
    return true;
  }
  if (await isClaimed(id)) return false;
  const kept = await shelf.get(id);
  if (!kept) return false;
  const store = createBookStore(kept.text);
  editBook(store, (draft) => retitle(draft, title));
  const now = store.getState();
  const changed = new Date().toISOString();
  await shelf.put({ ...kept, title: now.title, text: textOfBook(now), changed });
  return true;
}

/** A notebook as it is kept now, with what this tab has not written yet: a list that shows it may be older. */
export async function keptNow(id: string): Promise<KeptNotebook | undefined> {
  const open = openHere.get(id);
  if (open && open.store.getState().keeping.state !== "other") await open.keeper.save();
  return shelf.get(id);
}

/** Experiments as the cells say them, both ways: what is written is the form's, and while editing the other way round too. */
function followCells(store: BookStore, address: BookAddress): OpenBook["experiments"] {
  /** By the cell's key: it stays when a cell is deleted, for the case that this is undone. */
  const known = new Map<number, ExperimentHandle>();
  const experiments = createStore<{ map: Experiments }>(() => ({ map: new Map() }));
  const sync = (state: BookState) => {
    const map = new Map<string, ExperimentHandle>();
    const definitions = definitionsOf(state);
    for (const { key, cell } of bookDraft(state).cells) {
      if (cell.type !== "experiment") continue;
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
    const run = brought.get(bookHash(address))?.get(cell.id);
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
  return experiments;
}

/**
 * Links of the opening page say the experiment itself; its runs are kept all the same, but not in a page that carries its files:
 * all those on one disk share their storage.
 */
function whereIs(address: BookAddress, id: string): { home: string | null; place: string | null } {
  const place = isCarried() ? null : `${bookHash(address)}/${id}`;
  return { home: address.kind === "opening" ? null : `${bookHash(address)}/${id}`, place };
}

/** The form takes what the cell says; what is typed in it and not usable yet stays where the cell says the same. */
function takeIn(
  { store }: ExperimentHandle,
  cell: TypedCell,
  definitions: readonly Definition[],
): void {
  const { spec } = readExperiment(cell.body, definitions);
  if (!sameSpec(store.getState().draft.spec, spec)) store.setState({ draft: openDraft(spec) });
}

/** The cell says what the form does. */
function writeDown(store: BookStore, key: number, { store: experiment }: ExperimentHandle): void {
  const state = store.getState();
  const cell = bookDraft(state).cells.find((one) => one.key === key)?.cell;
  if (state.mode !== "edit" || cell?.type !== "experiment") return;
  const { spec } = experiment.getState().draft;
  const definitions = definitionsOf(state);
  if (sameSpec(readExperiment(cell.body, definitions).spec, spec)) return;
  const body = withExperiment(cell.body, spec, definitions);
  editBook(store, (draft) => writeCell(draft, key, body), `form ${key}`);
}

function definitionsOf(state: BookState): Definition[] {
  return definitionsIn(bookDraft(state).cells.map(({ cell }) => cell));
}
