/** The cells of a notebook by name, each with whether what it shows is out of date; a press goes there. */
import { useStore } from "zustand";
import { labelOf, type KeyedCell } from "../../notebook/edit.ts";
import { bookDraft } from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { freshnessOf, type Freshness } from "./freshness.ts";
import type { OpenBook } from "./openBook.ts";
import { useRunChanges } from "./useRunChanges.ts";
import { words } from "./words.ts";

const STATES: readonly Freshness[] = ["fresh", "late"];

export function CellList({ book }: { book: OpenBook }) {
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
