/** The open notebook: its cells, its changes, and where it is saved. */
import { isTyped, type Cell } from "../notebook/cell.ts";
import { createStore, type StoreApi } from "zustand/vanilla";
import { firstHeading, inLines, parseNotebook, serialiseNotebook } from "../notebook/document.ts";
import { changesLocked, openCells, replaceCells, type BookDraft } from "../notebook/edit.ts";
import { redone, startHistory, undone, withStep, type History } from "../notebook/history.ts";
import type { Place } from "../runtime/shelf/storage.ts";

/** Where a notebook is saved. `other`: another tab writes it. */
type BookKeeping =
  | { state: "not-kept" | "saving" | "saved" | "other" }
  /** In memory only, and why: it is lost with the page unless it is downloaded. */
  | { state: "memory"; why: string };

export interface BookState {
  /** Its id among the saved ones; null if it came from elsewhere. */
  id: string | null;
  history: History<BookDraft>;
  /** The first heading. */
  title: string;
  /** Parts of its text that could not be used. */
  remarks: readonly string[];
  mode: "read" | "edit";
  /** Key of the cell that is being edited. */
  selected: number | null;
  /** Where to put the caret once the editor of that cell has loaded; null for nowhere. */
  caret: Caret | null;
  keeping: BookKeeping;
  /** It came from elsewhere: its code waits until the reader has agreed, once. */
  isForeign: boolean;
  /** Locked cells may be edited while the page is open. */
  unlocked: boolean;
}

/** A position in a cell's text, in characters. */
export interface Caret {
  key: number;
  from: number;
  /** End of the selection. */
  to: number;
  /** Text typed before the editor had loaded. */
  typed: string;
}

export type BookStore = StoreApi<BookState>;

/** Where a notebook comes from. */
interface BookOrigin {
  /** Null or absent: from elsewhere. */
  id?: string | null;
  isForeign?: boolean;
  /** Where it is saved, see NotebookShelf; absent: it is saved. */
  place?: Place;
}

/** @param text a document, see notebook/document.ts. */
export function createBookStore(
  text: string,
  { id = null, isForeign = false, place = { kept: true } }: BookOrigin = {},
): BookStore {
  const { notebook, remarks } = parseNotebook(text);
  return createStore<BookState>(() => ({
    id,
    history: startHistory(openCells(notebook.cells)),
    title: notebook.title,
    remarks: inLines(remarks),
    mode: "read",
    selected: null,
    caret: null,
    keeping: id === null ? { state: "not-kept" } : keepingAt(place),
    isForeign,
    unlocked: false,
  }));
}

export function keepingAt(place: Place): BookKeeping {
  return place.kept ? { state: "saved" } : { state: "memory", why: place.why };
}

export function bookDraft({ history }: BookState): BookDraft {
  return history.now;
}

/** Its cells, without their keys. */
export function bookCells(state: BookState): Cell[] {
  return bookDraft(state).cells.map(({ cell }) => cell);
}

export function textOfBook(state: BookState): string {
  return serialiseNotebook({ cells: bookDraft(state).cells.map(({ cell }) => cell) });
}

/** Does nothing if it would change a locked cell. @param kind consecutive changes of the same kind are undone together; "" for none. */
export function editBook(
  store: BookStore,
  change: (draft: BookDraft) => BookDraft,
  kind = "",
): void {
  const { history, unlocked } = store.getState();
  const next = change(history.now);
  if (!unlocked && changesLocked(history.now, next)) return;
  show(store, withStep(history, next, kind, Date.now()));
}

export function undoBook(store: BookStore): void {
  show(store, undone(store.getState().history));
}

export function redoBook(store: BookStore): void {
  show(store, redone(store.getState().history));
}

function show(store: BookStore, history: History<BookDraft>): void {
  if (history.now === store.getState().history.now) return store.setState({ history });
  const { cells } = history.now;
  const { selected } = store.getState();
  store.setState({
    history,
    title: firstHeading(cells.map(({ cell }) => cell)),
    selected: cells.some(({ key }) => key === selected) ? selected : null,
  });
}

/** Puts the caret into a cell's text, before its character `from` (by default at the end), or selects up to `to`. */
export function enterCell(store: BookStore, key: number, from = Infinity, to = from): void {
  store.setState({ selected: key, caret: { key, from, to, typed: "" } });
}

/** Types into a cell whose editor does not have the focus yet: at the pending caret, or at the end. */
export function typeInto(store: BookStore, key: number, typed: string): void {
  const { caret } = store.getState();
  const at = caret?.key === key ? caret : { key, from: Infinity, to: Infinity, typed: "" };
  store.setState({ selected: key, caret: { ...at, typed: at.typed + typed } });
}

/** A new notebook starts in its first cell, with these words of it selected, so that typing replaces them. */
export function startWriting(store: BookStore, words: string): void {
  const [first] = bookDraft(store.getState()).cells;
  store.setState({ mode: "edit" });
  if (!first || isTyped(first.cell)) return;
  const from = first.cell.markdown.indexOf(words);
  if (from >= 0) enterCell(store, first.key, from, from + words.length);
}

/** Shows the text that another tab wrote: it cannot be undone here. */
export function rereadBook(store: BookStore, text: string): void {
  const state = store.getState();
  if (text === textOfBook(state)) return;
  const { notebook, remarks } = parseNotebook(text);
  show(store, startHistory(replaceCells(bookDraft(state), notebook.cells)));
  store.setState({ remarks: inLines(remarks) });
}

/** Restores an earlier text: one step, which can be undone. */
export function restoreText(store: BookStore, text: string): void {
  const { notebook, remarks } = parseNotebook(text);
  const { history } = store.getState();
  show(store, withStep(history, replaceCells(history.now, notebook.cells), "", Date.now()));
  store.setState({ remarks: inLines(remarks) });
}

/** A random id: ten characters of an alphabet that is hard to misread. */
export function newId(): string {
  const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  return Array.from(
    crypto.getRandomValues(new Uint8Array(10)),
    (byte) => alphabet[byte % alphabet.length],
  ).join("");
}
