/** A notebook being written: its cells in a list and in place, each with its source and what can be done with it. */
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import {
  blankCell,
  cellOf,
  deleteCell,
  duplicateCell,
  flagCell,
  indexOfKey,
  insertCell,
  moveCell,
} from "../../notebook/edit.ts";
import type { Cell } from "../../notebook/cell.ts";
import {
  bookDraft,
  editBook,
  enterCell,
  redoBook,
  undoBook,
  type BookStore,
} from "../../store/bookStore.ts";
import { Empty } from "../../ui/Empty.tsx";
import { useActions } from "../../ui/useActions.ts";
import { Warnings } from "../Warnings.tsx";
import { AddBar } from "./AddBar.tsx";
import { hasForm, isCellType } from "../../notebook/cells/kinds.ts";
import { CellList } from "./CellList.tsx";
import { EditCell } from "./EditCell.tsx";
import type { OpenBook } from "./openBook.ts";
import { startCell, stopCell } from "./cells/runs.ts";
import { words } from "./words.ts";

export function EditView({ book }: { book: OpenBook }) {
  const { store } = book;
  const cells = useStore(store, (state) => bookDraft(state).cells);
  const selected = useStore(store, (state) => state.selected);
  const remarks = useStore(store, (state) => state.remarks);
  const experiments = useStore(book.experiments, ({ map }) => map);
  const article = useRef<HTMLElement>(null);
  useActions(article, (id) => {
    if (!actOnCell(book, id, article.current)) doWithCell(store, id);
  });
  useFocusOn(article, selected);
  return (
    <div className="book-edit">
      <CellList book={book} />
      <article
        ref={article}
        className="notebook"
        data-scope="cells"
        tabIndex={-1}
        data-testid="edit"
      >
        <Warnings warnings={remarks} />
        {cells.length === 0 && <Empty>{words.empty}</Empty>}
        {cells.map(({ key, cell }, i) => (
          <div key={key} className="edit-place">
            <AddBar onAdd={(type) => addCell(store, i, type)} />
            <EditCell
              {...{ store, cell, experiments }}
              cellKey={key}
              isSelected={key === selected}
            />
          </div>
        ))}
        <AddBar always onAdd={(type) => addCell(store, cells.length, type)} />
      </article>
    </div>
  );
}

/** What has no form is written at once. */
function addCell(store: BookStore, index: number, type: Cell["type"]): void {
  const key = bookDraft(store.getState()).nextKey;
  editBook(store, (draft) => insertCell(draft, index, blankCell(type)));
  if (isCellType(type) && hasForm(type)) store.setState({ selected: key });
  else enterCell(store, key);
}

/** What keys do with what a cell is, rather than with its place; whether the key is one of these. */
function actOnCell(book: OpenBook, id: string, article: HTMLElement | null): boolean {
  const { selected } = book.store.getState();
  const cell = selected === null ? undefined : cellOf(bookDraft(book.store.getState()), selected);
  const element = article?.querySelector<HTMLElement>(`[data-key="${selected}"]`);
  if (id === "enterCell") enterSource(element);
  else if (id === "runCell") startCell(book, cell);
  else if (id === "stopCell") stopCell(book, cell);
  else return false;
  return true;
}

/** The editor has a root of its own. */
function enterSource(cell: HTMLElement | null | undefined): void {
  const source = cell?.querySelector(".source")?.shadowRoot;
  source?.querySelector<HTMLElement>(".cm-content")?.focus();
}

/** What keys do with the cell that is selected; see the action table. */
function doWithCell(store: BookStore, id: string): void {
  const state = store.getState();
  const draft = bookDraft(state);
  if (id === "undoEdit") return undoBook(store);
  if (id === "redoEdit") return redoBook(store);
  const at = state.selected === null ? -1 : indexOfKey(draft, state.selected);
  const choose = (index: number) => store.setState({ selected: draft.cells[index]?.key ?? null });
  if (id === "toNextCell") return choose(Math.min(at + 1, draft.cells.length - 1));
  if (id === "toPreviousCell") return choose(Math.max(at - 1, 0));
  const key = state.selected;
  if (key === null) return;
  if (id === "moveCellUp") editBook(store, (now) => moveCell(now, key, -1));
  else if (id === "moveCellDown") editBook(store, (now) => moveCell(now, key, 1));
  else if (id === "addAbove") addCell(store, at, "prose");
  else if (id === "addBelow") addCell(store, at + 1, "prose");
  else if (id === "foldCell") editBook(store, (now) => flagCell(now, key, "fold"));
  else if (id === "duplicateCell") editBook(store, (now) => duplicateCell(now, key));
  else if (id === "deleteCell") {
    const next = draft.cells[at + 1] ?? draft.cells[at - 1];
    editBook(store, (now) => deleteCell(now, key));
    store.setState({ selected: next?.key ?? null });
  }
}

/** Keys start from the cell that is selected, so it has the focus, unless something in it does. */
function useFocusOn(article: React.RefObject<HTMLElement | null>, selected: number | null): void {
  useEffect(() => {
    // The cell that had it is gone; undo must work all the same.
    if (selected === null && document.activeElement === document.body)
      return article.current?.focus({ preventScroll: true });
    const cell = article.current?.querySelector<HTMLElement>(`[data-key="${selected}"]`);
    if (cell && !cell.contains(document.activeElement)) cell.focus();
  }, [article, selected]);
}
