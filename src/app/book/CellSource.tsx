/** A cell's text in an editor, where the caret may be wanted. */
import { useStore } from "zustand";
import { isTyped, textOfCell } from "../../notebook/cell.ts";
import { writeCell } from "../../notebook/edit.ts";
import { editBook } from "../../store/bookStore.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { appWords } from "../strings.ts";
import type { PartProps } from "./CellTools.tsx";
import { startCell } from "./cells/runs.ts";
import { useBook, useDefinitions } from "./useBook.ts";
import { words } from "./words.ts";

const SourceEditor = lazyPart("SourceEditor", () => import("./SourceEditor.tsx"), appWords.loading);

export function CellSource({ store, cellKey: key, cell, label }: PartProps) {
  const book = useBook();
  const definitions = useDefinitions(store);
  const caret = useStore(store, (state) => (state.caret?.key === key ? state.caret : null));
  const typed = isTyped(cell) ? cell : null;
  return (
    <SourceEditor
      // Another cell's text has another history.
      key={key}
      text={textOfCell(cell)}
      type={typed?.type ?? null}
      defines={typed?.defines !== undefined}
      of={typed?.of ?? null}
      definitions={definitions}
      label={`${words.source}: ${label}`}
      caret={caret}
      onCaret={() => {
        store.setState({ caret: null });
        showWhole(key);
      }}
      onChange={(text) => editBook(store, (draft) => writeCell(draft, key, text), `write ${key}`)}
      onRun={() => startCell(book, cell)}
      onLeave={() => document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus()}
    />
  );
}

/** The caret is in view by itself; around it the whole cell, where there is room between the page's bars. */
function showWhole(key: number): void {
  const cell = document.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (cell && cell.offsetHeight < ROOM * innerHeight) cell.scrollIntoView({ block: "nearest" });
}

/** Of a window's height. */
const ROOM = 0.7;
