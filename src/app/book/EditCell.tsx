/** A cell being edited: what it shows, its source when it is selected, and its tools. */
import { memo, useMemo, useRef, type ReactNode } from "react";
import {
  hasFact,
  isTyped,
  nameOfCell,
  textOfCell,
  type Cell,
  type TypedCell,
} from "../../notebook/cell.ts";
import { remarksOf } from "../../notebook/cellFields.ts";
import { hasForm, isCellType, kindOf } from "../../notebook/cells/kinds.ts";
import { blankCell, insertWithin, labelOf, pointCell, writeCell } from "../../notebook/edit.ts";
import { bookDraft, editBook, enterCell, typeInto, type BookStore } from "../../store/bookStore.ts";
import { Folded } from "../../ui/Folded.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import type { Experiments } from "../experiments.ts";
import { Prose } from "../Prose.tsx";
import { CellContent } from "./CellContent.tsx";
import { CellTools, type PartProps } from "./CellTools.tsx";
import { DragHandle } from "./DragHandle.tsx";
import type { CellScreen, ToolsProps } from "./cells/screen.ts";
import { screenOf } from "./cells/screens.tsx";
import { useDefinitions, useBook } from "./useBook.ts";
import { useStore } from "zustand";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { appWords } from "../strings.ts";
import { startCell } from "./cells/runs.ts";
import { knownNames } from "./knownNames.ts";
import { words } from "./words.ts";

const SourceEditor = lazyPart("SourceEditor", () => import("./SourceEditor.tsx"), appWords.loading);

/** A cell's text in an editor, where the caret may be wanted. */
function CellSource({ store, cellKey: key, cell, label }: PartProps) {
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
      known={() => knownNames(book, definitions, typed)}
      definitions={definitions}
      label={`${words.source}: ${label}`}
      caret={caret}
      onCaret={() => {
        store.setState({ caret: null });
        showWhole(key);
      }}
      onChange={(text) => editBook(store, (draft) => writeCell(draft, key, text), `write ${key}`)}
      onSlash={(wanted, around) => putWithin(store, key, wanted, around)}
      onRun={() => startCell(book, cell)}
      onLeave={() => document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus()}
    />
  );
}

/** As the bar between cells does, in the midst of a text. */
function putWithin(
  store: BookStore,
  key: number,
  type: Cell["type"],
  around: readonly [string, string],
): void {
  const { nextKey } = bookDraft(store.getState());
  editBook(store, (draft) => insertWithin(draft, key, around, blankCell(type)));
  openNew(store, nextKey, type);
}

/** What has no form is written at once. */
export function openNew(store: BookStore, key: number, type: Cell["type"]): void {
  if (isCellType(type) && hasForm(type)) store.setState({ selected: key });
  else enterCell(store, key);
}

/** The caret is in view by itself; around it the whole cell, where there is room between the page's bars. */
function showWhole(key: number): void {
  const cell = document.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (cell && cell.offsetHeight < ROOM * innerHeight) cell.scrollIntoView({ block: "nearest" });
}

/** Of a window's height. */
const ROOM = 0.7;

const CellForm = lazyPart("CellForm", () => import("./CellForm.tsx"), appWords.loading);

interface EditCellProps {
  store: BookStore;
  cellKey: number;
  cell: Cell;
  experiments: Experiments;
  isSelected: boolean;
}

export const EditCell = memo(function EditCell(props: EditCellProps) {
  const { store, cellKey: key, cell, experiments, isSelected } = props;
  const label = labelOf(cell) || words.emptyProse;
  const select = () => isSelected || store.setState({ selected: key });
  const press = usePress(select);
  const unlocked = useStore(store, (state) => state.unlocked);
  const typed = isTyped(cell) ? cell : null;
  const isLocked = typed !== null && typed.flags.includes("lock") && !unlocked;
  const isEdited = isSelected && !isLocked;
  const source = isEdited && <CellSource store={store} cellKey={key} cell={cell} label={label} />;
  // Code stands above what it printed, however long that is.
  const sourceFirst = hasFact(cell, "isCode");
  const { Tools } = typed ? screenOf(typed.type) : NOTHING;
  return (
    <section
      className="edit-cell"
      aria-label={label}
      data-key={key}
      data-selected={isSelected}
      data-testid="edit-cell"
      tabIndex={-1}
      onFocus={press.focus}
      // A press selects as the focus does: prose has nothing in it that could have the focus.
      onPointerDown={press.begin}
      onKeyDown={(event) => typed === null && takeLetter(store, key, event)}
    >
      <DragHandle store={store} cellKey={key} label={label} />
      {isEdited && <CellTools store={store} cellKey={key} cell={cell} label={label} />}
      {sourceFirst && source}
      <ErrorBoundary key={keyOf(cell)} resetBy={textOfCell(cell)}>
        {!isTyped(cell) ? (
          <ToEdit store={store} cellKey={key} text={cell.markdown}>
            <Prose markdown={cell.markdown === "" ? `*${words.emptyProse}*` : cell.markdown} />
          </ToEdit>
        ) : (
          <FoldedUnless open={isSelected} cell={cell}>
            <ToEdit
              store={store}
              cellKey={key}
              text={cell.body}
              within={isLocked ? "" : ".code-source"}
            >
              <CellContent cell={cell} experiments={experiments} />
            </ToEdit>
          </FoldedUnless>
        )}
      </ErrorBoundary>
      {isEdited && typed && hasForm(typed.type) && (
        <CellForm {...{ store, label, experiments }} cell={typed} cellKey={key} type={typed.type} />
      )}
      {!sourceFirst && source}
      {isSelected && isLocked && <Locked cell={cell} />}
      {typed && <Problems store={store} cell={typed} />}
      {isEdited && typed && Tools && <Tools store={store} cellKey={key} cell={typed} />}
      {isEdited && typed && (
        <Shows store={store} cellKey={key} cell={typed} ids={[...experiments.keys()]} />
      )}
    </section>
  );
});

/** Text that were made anew by each letter would flicker and move the page, and so would cells that write themselves. */
const keyOf = (cell: Cell) =>
  !isTyped(cell) || screenOf(cell.type).writesItself ? cell.type : textOfCell(cell);

/** Code that readers see folded, such as a solution, is so among the cells that are written, until one writes it. */
function FoldedUnless(props: { open: boolean; cell: TypedCell; children: ReactNode }) {
  const { open, cell, children } = props;
  if (open || !hasFact(cell, "isCode") || !cell.flags.includes("fold")) return children;
  return <Folded title={nameOfCell(cell)}>{children}</Folded>;
}

/** Selecting opens a cell's tools, which moves what is pressed: a press selects once it has been a click. */
function usePress(select: () => void) {
  const isDown = useRef(false);
  const begin = () => {
    if (isDown.current) return;
    isDown.current = true;
    const end = () => {
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      setTimeout(() => {
        isDown.current = false;
        select();
      });
    };
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  };
  return { begin, focus: () => isDown.current || select() };
}

interface ToEditProps {
  store: BookStore;
  cellKey: number;
  text: string;
  /** Selects the part of the cell that shows its text: absent for all of it, "" for none. */
  within?: string;
  children: ReactNode;
}

/** A click on a word goes to that word in the source; links lead on, and what is marked stays so. */
function ToEdit({ store, cellKey: key, text, within, children }: ToEditProps) {
  const enter = ({ target, clientX, clientY }: React.MouseEvent) => {
    if (!(target instanceof Element) || target.closest("a, button, summary")) return;
    if (within !== undefined && (within === "" || !target.closest(within))) return;
    if (getSelection()?.isCollapsed === false) return;
    enterCell(store, key, sourceAt(text, clientX, clientY));
  };
  return (
    // It catches what bubbles from words; by keyboard, one types or presses Enter on the cell.
    <div role="presentation" onClick={enter}>
      {children}
    </div>
  );
}

/** What is typed while the cell itself has the focus goes into its text. */
function takeLetter(store: BookStore, key: number, event: React.KeyboardEvent): void {
  const { key: typed, target, currentTarget, ctrlKey, metaKey, altKey } = event;
  if (typed.length !== 1 || ctrlKey || metaKey || altKey || target !== currentTarget) return;
  event.preventDefault();
  typeInto(store, key, typed);
}

/** Of prose. */
const NOTHING: CellScreen = {};

/** What it says can be read. */
function Locked({ cell }: { cell: Cell }) {
  return (
    <div data-testid="cell-locked">
      <p className="note">{words.locked}</p>
      <pre className="cell-source">{textOfCell(cell)}</pre>
    </div>
  );
}

function Problems({ store, cell: { type, body } }: { store: BookStore; cell: TypedCell }) {
  const definitions = useDefinitions(store);
  const remarks = useMemo(() => remarksOf(type, body, definitions), [type, body, definitions]);
  if (remarks.length === 0) return null;
  return (
    <ul className="notice notice-warning" aria-label={words.problems} data-testid="cell-problems">
      {remarks.map(({ line, message }, i) => (
        <li key={i}>{words.line(line, message)}</li>
      ))}
    </ul>
  );
}

/** Which experiment the cell shows, where there are several. */
function Shows({ store, cellKey: key, cell, ids }: ToolsProps & { ids: readonly string[] }) {
  const { shows, isAbout } = kindOf(cell.type);
  if (ids.length < 2 || !(shows === true || isAbout?.(cell.body))) return null;
  return (
    <label className="cell-shows">
      {words.shows}{" "}
      <select
        value={cell.of ?? ids[0]}
        onChange={({ currentTarget }) =>
          editBook(store, (draft) => pointCell(draft, key, currentTarget.value))
        }
      >
        {ids.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </label>
  );
}

/** Characters beside the place that are looked for: enough to know most places by. */
const ENOUGH = 24;

/** The place in `markdown` of what is drawn at a point of the window; behind its last character where that is not known. */
function sourceAt(markdown: string, x: number, y: number): number {
  const { before, after } = textAround(x, y);
  for (let n = Math.min(ENOUGH, before.length); n > 0; n--) {
    const at = markdown.indexOf(before.slice(-n));
    if (at >= 0) return at + n;
  }
  // At the beginning of a paragraph only what follows says where it is.
  for (let n = Math.min(ENOUGH, after.length); n > 0; n--) {
    const at = markdown.indexOf(after.slice(0, n));
    if (at >= 0) return at;
  }
  return markdown.length;
}

/** What stands before and after the point in its paragraph. */
function textAround(x: number, y: number): { before: string; after: string } {
  const [node, offset] = placeAt(x, y);
  const block = node?.parentElement?.closest("p, h1, h2, h3, h4, li, td, th, pre, blockquote");
  if (!node || !block) return { before: "", after: "" };
  const range = document.createRange();
  range.selectNodeContents(block);
  const all = range.toString();
  range.setEnd(node, offset);
  const before = range.toString();
  return { before, after: all.slice(before.length) };
}

/** Browsers have it under two names. */
function placeAt(x: number, y: number): [Node | null, number] {
  const place = document.caretPositionFromPoint?.(x, y);
  if (place) return [place.offsetNode, place.offset];
  const range = document.caretRangeFromPoint?.(x, y);
  return [range?.startContainer ?? null, range?.startOffset ?? 0];
}
