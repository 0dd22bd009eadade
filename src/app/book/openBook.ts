/** An open notebook: its store, a store and a session for each of its experiments, and where it is kept. */
import { cellsWith, hasFact, trains } from "../../notebook/cell.ts";
import type { StoreApi } from "zustand/vanilla";
import { lessonOf } from "../../notebook/cells/lesson/steps.ts";
import { readExperiment, withExperiment } from "../../notebook/cells/experiment/experiment.ts";
import { serialiseNotebook } from "../../notebook/document.ts";
import { retitle } from "../../notebook/edit.ts";
import { isCarried } from "../../runtime/carried.ts";
import { claimNotebook, isClaimed } from "../../runtime/shelf/claim.ts";
import { askToPersist } from "../../runtime/shelf/persist.ts";
import { browserShelf, type KeptNotebook } from "../../runtime/shelf/notebooks.ts";
import { notebookFromWord } from "../../notebook/sharedText.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { sameSpec } from "../../spec/link.ts";
import {
  createBookStore,
  startWriting,
  bookCells,
  editBook,
  keepingAt,
  newId,
  textOfBook,
  type BookStore,
} from "../../store/bookStore.ts";
import { BookKeeper } from "../../store/bookKeeper.ts";
import type { CodeCells } from "../../store/codeCells.ts";
import { fetchText, type Experiments } from "../experiments.ts";
import { bookHash, type BookAddress } from "./bookAddress.ts";
import { bookDefinitions, followCells } from "./cells/experiment/bookExperiments.ts";
import { openCode, type Inputs } from "./cells/code/bookCode.ts";
import { words } from "./words.ts";

export interface OpenBook {
  store: BookStore;
  experiments: StoreApi<{ map: Experiments }>;
  code: CodeCells;
  inputs: Inputs;
  /** Only for the reader's own; null for others. */
  keeper: BookKeeper | null;
  /** Whether it can be closed and opened again unchanged. */
  isAtRest(): boolean;
  close(): void;
}

export const shelf = browserShelf();

/** The reader's own notebooks that are open in this page, by id. */
const openHere = new Map<string, { store: BookStore; keeper: BookKeeper }>();

/** Saved runs that came with notebooks that are not open yet: by the notebook's address, then by experiment. */
const brought = new Map<string, ReadonlyMap<string, Uint8Array>>();

/** Addresses of new notebooks that are not open yet. */
const toWrite = new Set<string>();

/** A new notebook, opened for editing; its address. */
export async function createBlank(): Promise<string> {
  const hash = await createBook(words.blank);
  toWrite.add(hash);
  return hash;
}

/** The notebook at this address shows them when it is opened. */
export function bringRuns(hash: string, runs: ReadonlyMap<string, Uint8Array>): void {
  brought.set(hash, runs);
}

/** It is another site's, and the reader has not agreed to fetch it. */
export class NotFetched extends Error {}

/** In a page that carries its files this is the exported notebook. */
export const OPENING = "notebooks/first.md";

/** Rejects with a sentence if there is none. */
export async function bookAt(address: BookAddress): Promise<OpenBook> {
  if (address.kind === "opening") return openedBook(await fetchText(OPENING), address, isCarried());
  if (address.kind === "served")
    return openedBook(await fetchText(`notebooks/${address.name}.md`), address);
  if (address.kind === "text") return openedBook(notebookFromWord(address.word), address, true);
  if (address.kind === "remote") throw new NotFetched(address.at);
  const kept = await shelf.get(address.id);
  if (!kept || kept.deleted !== undefined)
    throw new Error(`This browser keeps no notebook ${address.id}.`);
  return openedBook(kept.text, address, kept.isForeign);
}

export function openedBook(text: string, address: BookAddress, isForeign = false): OpenBook {
  const id = address.kind === "own" ? address.id : null;
  const place = id === null ? undefined : shelf.placeOf(id);
  const store = createBookStore(text, { id, isForeign, ...(place && { place }) });
  if (isWritten(store)) store.setState({ mode: "edit" });
  if (toWrite.delete(bookHash(address))) startWriting(store, words.writeHere);
  // From now on the notebook has the runs.
  const runs = brought.get(bookHash(address));
  brought.delete(bookHash(address));
  const { experiments, all } = followCells(store, address, runs);
  const keeper = id === null ? null : keep(store, id);
  if (id !== null && keeper) openHere.set(id, { store, keeper: keeper.keeper });
  const code = openCode(store, experiments);
  const close = () => {
    for (const one of all()) one.close();
    code.close();
    keeper?.end();
    if (id !== null) openHere.delete(id);
  };
  const book: OpenBook = {
    store,
    experiments,
    code: code.cells,
    inputs: code.inputs,
    keeper: keeper?.keeper ?? null,
    isAtRest: () => comesAgain(store, address) && all().every((one) => one.isAtRest()),
    close,
  };
  if (bookCells(store.getState()).some((cell) => hasFact(cell, "keepsBeside") && trains(cell)))
    void import("./cells/sweep/bookSweeps.ts").then((sweeps) => sweeps.lookForSweeps(book));
  return book;
}

/** The reader's own are written; what came from elsewhere, and lessons, are read first. */
function isWritten(store: BookStore): boolean {
  const state = store.getState();
  return state.id !== null && !state.isForeign && lessonOf(bookCells(state)) === null;
}

/**
 * Not one of another site, which its reader has fetched; nor one with runs of sweeps and classes,
 * or with code that the reader agreed to.
 */
function comesAgain(store: BookStore, { kind }: BookAddress): boolean {
  const state = store.getState();
  const has = (fact: "keepsBeside" | "isCode") => cellsWith(bookCells(state), fact).length > 0;
  if (kind === "remote" || has("keepsBeside")) return false;
  if (kind === "text" && !state.isForeign && has("isCode")) return false;
  return kind !== "own" || state.keeping.state === "saved" || state.keeping.state === "other";
}

/** One tab writes; the others read what it wrote. `end` leaves writing to other tabs. */
function keep(store: BookStore, id: string): { keeper: BookKeeper; end: () => void } {
  const claim = claimNotebook(id, {
    onTurn: (mine) => {
      if (!mine) return store.setState({ mode: "read", keeping: { state: "other" } });
      if (store.getState().keeping.state !== "other") return;
      // The tab that wrote is gone: its last text is what is kept.
      void keeper.reread().then(() => store.setState({ keeping: keepingAt(shelf.placeOf(id)) }));
    },
    onChange: () => void (store.getState().keeping.state === "other" && keeper.reread()),
  });
  const keeper = new BookKeeper(store, shelf, claim.changed);
  const ended = new AbortController();
  const { signal } = ended;
  window.addEventListener("pagehide", () => void keeper.save(), { signal });
  window.addEventListener(
    "beforeunload",
    (event) => {
      if (store.getState().keeping.state === "memory") event.preventDefault();
    },
    { signal },
  );
  const end = () => {
    ended.abort();
    void keeper.save().finally(claim.end);
  };
  return { keeper, end };
}

/** The text of a notebook with the present values of its forms. @param instead experiments with other values in the text, by id. */
export function textAsShown(
  { store, experiments }: OpenBook,
  instead: ReadonlyMap<string, ExperimentSpec> = new Map(),
): string {
  const { map } = experiments.getState();
  const definitions = bookDefinitions(store.getState());
  const cells = bookCells(store.getState()).map((cell) => {
    if (!hasFact(cell, "hasRun")) return cell;
    const form = instead.get(cell.id) ?? map.get(cell.id)?.store.getState().draft.spec;
    if (!form) return cell;
    if (sameSpec(readExperiment(cell.body, definitions).spec, form)) return cell;
    return { ...cell, body: withExperiment(cell.body, form, definitions) };
  });
  return serialiseNotebook({ cells });
}

/**
 * A new notebook of the reader's own; its address. @param isForeign it came from elsewhere, as its
 * text did; @param source the address of the notebook that it is a copy of.
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
  // The reader has just made something worth keeping.
  void askToPersist();
  return bookHash({ kind: "own", id });
}

/** The newest of the reader's own notebooks that matches one that came by a link: a copy of it, or the same text; null for none. */
export async function localVersion(
  book: OpenBook,
  address: BookAddress,
): Promise<KeptNotebook | null> {
  const text = textOfBook(book.store.getState());
  const all = await shelf.list();
  const isOfIt = (one: KeptNotebook) => one.source === bookHash(address) || one.text === text;
  return all.find((one) => one.deleted === undefined && isOfIt(one)) ?? null;
}

/** Gives a kept notebook another title. False if another tab has it open, and would overwrite that. */
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

/** A notebook as it is kept now, with this tab's unwritten changes: a list that shows it may be older. */
export async function keptNow(id: string): Promise<KeptNotebook | undefined> {
  const open = openHere.get(id);
  if (open && open.store.getState().keeping.state !== "other") await open.keeper.save();
  return shelf.get(id);
}
