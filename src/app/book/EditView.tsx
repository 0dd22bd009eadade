/** A notebook being written: its cells in a list and in place, each with its source and what can be done with it. */
import { useEffect, useRef } from "react";
import {
  blankCell,
  cellOf,
  deleteCell,
  duplicateCell,
  flagCell,
  indexOfKey,
  insertCell,
  labelOf,
  type KeyedCell,
} from "../../notebook/edit.ts";
import { bookDraft, editBook, redoBook, undoBook, type BookStore } from "../../store/bookStore.ts";
import { Empty } from "../../ui/Empty.tsx";
import { useActions } from "../../ui/useActions.ts";
import { Warnings } from "../Warnings.tsx";
import { cellTypes, kindOf, type CellType } from "../../notebook/cells/kinds.ts";
import { moveBy } from "./DragHandle.tsx";
import { EditCell, openNew } from "./EditCell.tsx";
import { startCell, stopCell } from "./cells/runs.ts";
import { Icon } from "../../ui/Icon.tsx";
import { MoreMenu } from "../../ui/MoreMenu.tsx";
import { useStore } from "zustand";
import { Button } from "../../ui/Button.tsx";
import { usePaste } from "./usePaste.ts";
import { useRunChanges } from "./useRunChanges.ts";
import { words } from "./words.ts";
import { isTyped, type Cell, type TypedCell } from "../../notebook/cell.ts";
import { isOutOfDate } from "../../store/experimentState.ts";
import type { Experiments } from "../experiments.ts";
import { screenOf } from "./cells/screens.tsx";
import type { OpenBook } from "./openBook.ts";

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
  usePaste(store);
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

function addCell(store: BookStore, index: number, type: Cell["type"]): void {
  const key = bookDraft(store.getState()).nextKey;
  editBook(store, (draft) => insertCell(draft, index, blankCell(type)));
  openNew(store, key, type);
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
  if (id === "moveCellUp") moveBy(store, key, -1);
  else if (id === "moveCellDown") moveBy(store, key, 1);
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

interface AddBarProps {
  /** In sight even where nothing near it has the focus. */
  always?: boolean;
  onAdd: (type: Cell["type"]) => void;
}

const hasButton = (type: CellType) => kindOf(type).button !== undefined;

/** In the bar itself. */
const FIRST = cellTypes.filter(hasButton);
/** In its menu. */
const OTHERS = cellTypes.filter((type) => !hasButton(type));

/** Between two cells: what can be put there. */
function AddBar({ always = false, onAdd }: AddBarProps) {
  return (
    <div className="add-bar" role="group" aria-label={words.add} data-always={always}>
      <AddButton name={words.addText} testId="add-prose" onClick={() => onAdd("prose")} />
      {FIRST.map((type) => (
        <AddButton
          key={type}
          name={kindOf(type).button!}
          testId={`add-${type}`}
          onClick={() => onAdd(type)}
        />
      ))}
      <MoreMenu
        name={words.addMore}
        testId="add-more"
        align="start"
        entries={OTHERS.map((type) => ({
          name: kindOf(type).title,
          testId: `add-${type}`,
          onSelect: () => onAdd(type),
        }))}
      />
    </div>
  );
}

function AddButton({
  name,
  testId,
  onClick,
}: {
  name: string;
  testId: string;
  onClick: () => void;
}) {
  return (
    <Button data-testid={testId} onClick={onClick}>
      <Icon name="plus" size={14} />
      {name}
    </Button>
  );
}

const STATES: readonly Freshness[] = ["fresh", "late"];

/** The cells of a notebook by name, each with whether what it shows is out of date; a press goes there. */
function CellList({ book }: { book: OpenBook }) {
  const { store } = book;
  useRunChanges(book);
  const cells = useStore(store, (state) => bookDraft(state).cells);
  const selected = useStore(store, (state) => state.selected);
  const marks = cells.map(({ cell }) => freshnessOf(book, cell));
  return (
    <nav className="book-contents" aria-label={words.contents} data-testid="cell-list">
      <strong>{words.contents}</strong>
      <ol>
        {cells.map(({ key, cell }, i) => (
          <li key={key}>
            <Button
              look="quiet"
              title={nameOf(cell)}
              aria-current={key === selected ? "true" : undefined}
              onClick={() => store.setState({ selected: key })}
            >
              <span>{nameOf(cell)}</span>
              <Mark state={marks[i]!} />
            </Button>
          </li>
        ))}
      </ol>
      {STATES.map(
        (state) =>
          marks.includes(state) && (
            <p key={state} className="note" aria-hidden="true">
              <i className="book-mark" data-state={state} />
              {words.freshness[state]}
            </p>
          ),
      )}
    </nav>
  );
}

function Mark({ state }: { state: Freshness | null }) {
  if (state === null) return null;
  return (
    <>
      <i className="book-mark" data-state={state} />
      <span className="visually-hidden">{words.freshness[state]}</span>
    </>
  );
}

const nameOf = (cell: KeyedCell["cell"]) => labelOf(cell) || words.emptyProse;

type Freshness = "fresh" | "late";

/** Null of what has not run here, and of what shows no run. */
function freshnessOf({ experiments, code }: OpenBook, cell: Cell): Freshness | null {
  if (!isTyped(cell)) return null;
  if (kindOf(cell.type).isCode) return ofCode(code.store.getState().views[cell.id]?.state);
  const { map } = experiments.getState();
  const shown = shownIn(cell, map).flatMap((id) => {
    const state = map.get(id)?.store.getState();
    return state && state.runSpec !== null ? [isOutOfDate(state)] : [];
  });
  if (shown.length === 0) return null;
  return shown.includes(true) ? "late" : "fresh";
}

/** Whether what a cell shows was computed from what the notebook says now. */
function ofCode(state: string | undefined): Freshness | null {
  return state === "fresh" || state === "late" ? state : null;
}

/** Ids of the experiments whose runs the cell shows. */
function shownIn(cell: TypedCell, experiments: Experiments): readonly string[] {
  const own = kindOf(cell.type).showsRun && cell.of !== null ? [cell.of] : [];
  return screenOf(cell.type).shown?.(cell, experiments) ?? own;
}
