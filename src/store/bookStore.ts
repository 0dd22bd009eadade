/** The notebook that is open: its cells, what was changed, and where it is kept. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { firstHeading, inLines, parseNotebook, serialiseNotebook } from "../notebook/document.ts";
import { openCells, type BookDraft } from "../notebook/edit.ts";
import { redone, startHistory, undone, withStep, type History } from "../notebook/history.ts";
import type { KeptNotebook, NotebookShelf } from "../runtime/shelf/notebooks.ts";

/** Where a notebook stands. `other`: another tab writes it. */
type Keeping =
  | { state: "not-kept" | "saving" | "saved" | "other" }
  /** In memory only, and why: it is gone with the page unless it is downloaded. */
  | { state: "memory"; why: string };

export interface BookState {
  /** Its id among the kept ones; null for one that came from elsewhere. */
  id: string | null;
  history: History<BookDraft>;
  /** The first heading. */
  title: string;
  /** What could not be used of its text. */
  remarks: readonly string[];
  mode: "read" | "edit";
  /** Key of the cell that the reader works on. */
  selected: number | null;
  keeping: Keeping;
  /** It came from elsewhere: its code waits until the reader has agreed, once. */
  isForeign: boolean;
}

export type BookStore = StoreApi<BookState>;

/** @param text a document, see notebook/document.ts. */
export function createBookStore(
  text: string,
  id: string | null = null,
  isForeign = false,
): BookStore {
  const { notebook, remarks } = parseNotebook(text);
  return createStore<BookState>(() => ({
    id,
    history: startHistory(openCells(notebook.cells)),
    title: notebook.title,
    remarks: inLines(remarks),
    mode: "read",
    selected: null,
    keeping: { state: id === null ? "not-kept" : "saved" },
    isForeign,
  }));
}

export function bookDraft({ history }: BookState): BookDraft {
  return history.now;
}

export function textOfBook(state: BookState): string {
  return serialiseNotebook({ cells: bookDraft(state).cells.map(({ cell }) => cell) });
}

/** @param kind changes of one kind that follow each other soon are undone together; "" for none. */
export function editBook(
  store: BookStore,
  change: (draft: BookDraft) => BookDraft,
  kind = "",
): void {
  const { history } = store.getState();
  show(store, withStep(history, change(history.now), kind, Date.now()));
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

/** Shows another text, as another tab wrote it. */
export function rereadBook(store: BookStore, text: string): void {
  if (text === textOfBook(store.getState())) return;
  const { notebook, remarks } = parseNotebook(text);
  show(store, startHistory(openCells(notebook.cells)));
  store.setState({ remarks: inLines(remarks) });
}

/** Milliseconds after the last change at which it is kept. */
const SAVE_AFTER = 400;

/** Keeps the notebook whenever it changes, under its id. Returns what saves at once what waits to be saved. */
export function keepBook(
  store: BookStore,
  shelf: NotebookShelf,
  onKept: () => void = () => {},
): () => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting = false;
  let opened: KeptNotebook | undefined;
  const { id: ownId } = store.getState();
  if (ownId !== null) void shelf.get(ownId).then((kept) => (opened = kept));
  const save = async () => {
    clearTimeout(timer);
    const { id } = store.getState();
    if (!waiting || id === null) return;
    waiting = false;
    // Put at once: where the page is being closed nothing more is waited for.
    const changed = new Date().toISOString();
    const { title, isForeign } = store.getState();
    const text = textOfBook(store.getState());
    const times = { created: opened?.created ?? changed, changed };
    const from = opened?.source === undefined ? {} : { source: opened.source };
    const kept = { id, title, text, ...times, ...from, ...(isForeign && { isForeign }) };
    const place = await shelf.put(kept);
    onKept();
    const keeping: Keeping = place.kept ? { state: "saved" } : { state: "memory", why: place.why };
    if (!waiting) store.setState({ keeping });
  };
  store.subscribe((now, before) => {
    const isSame = now.history.now === before.history.now && now.isForeign === before.isForeign;
    if (isSame || now.keeping.state === "other") return;
    waiting = true;
    if (now.keeping.state === "saved") store.setState({ keeping: { state: "saving" } });
    clearTimeout(timer);
    timer = setTimeout(() => void save(), SAVE_AFTER);
  });
  return save;
}

/** An id that nobody chose: ten characters of an alphabet that is hard to misread. */
export function newId(): string {
  const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
  return Array.from(
    crypto.getRandomValues(new Uint8Array(10)),
    (byte) => alphabet[byte % alphabet.length],
  ).join("");
}
