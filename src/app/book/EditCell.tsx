/** A cell being edited: what it shows, its source when it is selected, and its tools. */
import { memo, useMemo, useRef, type ReactNode } from "react";
import { useStore } from "zustand";
import { readFields, remarksOf } from "../../notebook/cellFields.ts";
import { cellFacts, mayShowExperiment, showsExperiment } from "../../notebook/cellTypes.ts";
import type { Cell, TypedCell } from "../../notebook/document.ts";
import { defineCell, labelOf, pointCell, textOfCell, writeCell } from "../../notebook/edit.ts";
import { DEFINITION_KINDS, type DefinitionKind } from "../../spec/definitions.ts";
import { editBook, enterCell, typeInto, type BookStore } from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { Folded } from "../../ui/Folded.tsx";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import type { Experiments } from "../experiments.ts";
import { Prose } from "../Prose.tsx";
import { appWords } from "../strings.ts";
import { CellContent } from "./CellContent.tsx";
import { CellSource } from "./CellSource.tsx";
import { CellTools } from "./CellTools.tsx";
import { hasForm } from "./cellFormFields.ts";
import { sourceAt } from "./sourceAt.ts";
import { templateOf } from "./templates.ts";
import { useDefinitions } from "./useBook.ts";
import { words } from "./words.ts";

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
  const label = labelOf(cell, (type) => cellFacts(type).title) || words.emptyProse;
  const select = () => isSelected || store.setState({ selected: key });
  const press = usePress(select);
  const unlocked = useStore(store, (state) => state.unlocked);
  const isLocked = cell.type !== "prose" && cell.flags.includes("lock") && !unlocked;
  const isEdited = isSelected && !isLocked;
  const source = isEdited && <CellSource store={store} cellKey={key} cell={cell} label={label} />;
  // Code stands above what it printed, however long that is.
  const sourceFirst = cell.type === "code";
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
      onKeyDown={(event) => cell.type === "prose" && takeLetter(store, key, event)}
    >
      {isEdited && <CellTools store={store} cellKey={key} cell={cell} label={label} />}
      {sourceFirst && source}
      <ErrorBoundary
        key={writesItself(cell) ? cell.type : textOfCell(cell)}
        resetBy={textOfCell(cell)}
      >
        {cell.type === "prose" ? (
          <ProseToEdit store={store} cellKey={key} markdown={cell.markdown} />
        ) : (
          <FoldedUnless open={isSelected} cell={cell}>
            <CellContent cell={cell} experiments={experiments} />
          </FoldedUnless>
        )}
      </ErrorBoundary>
      {isEdited && cell.type !== "prose" && hasForm(cell.type) && (
        <CellForm {...{ store, cell, label, experiments }} cellKey={key} type={cell.type} />
      )}
      {!sourceFirst && source}
      {isSelected && isLocked && <Locked cell={cell} />}
      {cell.type !== "prose" && <Problems store={store} cell={cell} />}
      {isEdited && cell.type === "code" && <Defines store={store} cellKey={key} cell={cell} />}
      {isEdited && cell.type !== "prose" && mayShowExperiment(cell.type) && (
        <Shows store={store} cellKey={key} cell={cell} ids={[...experiments.keys()]} />
      )}
    </section>
  );
});

/** Code that readers see folded, such as a solution, is so among the cells that are written, until one writes it. */
function FoldedUnless(props: { open: boolean; cell: TypedCell; children: ReactNode }) {
  const { open, cell, children } = props;
  if (open || cell.type !== "code" || !cell.flags.includes("fold")) return children;
  return <Folded title={`${cellFacts(cell.type).title}: ${cell.id}`}>{children}</Folded>;
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

interface ProseToEditProps {
  store: BookStore;
  cellKey: number;
  markdown: string;
}

/** A click on a word goes to that word in the source; links lead on, and what is marked stays so. */
function ProseToEdit({ store, cellKey: key, markdown }: ProseToEditProps) {
  const enter = ({ target, clientX, clientY }: React.MouseEvent) => {
    const isElse = target instanceof Element && target.closest("a, button, summary");
    if (isElse || getSelection()?.isCollapsed === false) return;
    enterCell(store, key, sourceAt(markdown, clientX, clientY));
  };
  return (
    // It catches what bubbles from words; by keyboard, one types or presses Enter on the cell.
    <div role="presentation" onClick={enter}>
      <Prose markdown={markdown === "" ? `*${words.emptyProse}*` : markdown} />
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

/**
 * Whether the cell's own controls write its text: they stay, and with them what has the focus, what is typed and what is unfolded.
 * Others begin anew with their text.
 */
const writesItself = ({ type }: Cell) => type === "experiment" || type === "panel";

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

interface DefinesProps {
  store: BookStore;
  cellKey: number;
  cell: TypedCell;
}

/** Whether the code computes a value, or is something that experiments train with. */
function Defines({ store, cellKey: key, cell: { defines, body } }: DefinesProps) {
  const template = defines && templateOf(defines);
  const write = (text: string) => editBook(store, (draft) => writeCell(draft, key, text));
  const choose = (kind: DefinitionKind | undefined) => {
    // A new cell begins with an example; what was written stays.
    const isNew = kind !== undefined && body === cellFacts("code").blank;
    editBook(store, (draft) => {
      const defined = defineCell(draft, key, kind);
      return isNew ? writeCell(defined, key, templateOf(kind).source) : defined;
    });
  };
  return (
    <div className="cell-shows">
      <label>
        {words.code.is}{" "}
        <select
          value={defines ?? ""}
          data-testid="cell-defines"
          onChange={({ currentTarget }) =>
            choose(DEFINITION_KINDS.find((one) => one === currentTarget.value))
          }
        >
          <option value="">{words.code.computes}</option>
          {DEFINITION_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {words.code.kinds[kind]}
            </option>
          ))}
        </select>
      </label>
      {template && body !== template.source && (
        <Button data-testid="use-template" onClick={() => write(template.source)}>
          {words.code.template}
        </Button>
      )}
    </div>
  );
}

interface ShowsProps {
  store: BookStore;
  cellKey: number;
  cell: TypedCell;
  ids: readonly string[];
}

const isAboutTurn = ({ type, body }: TypedCell) =>
  type === "quiz" && readFields(type, body).value?.kind === "turn";

/** Which experiment the cell shows, where there are several. */
function Shows({ store, cellKey: key, cell, ids }: ShowsProps) {
  // Of what needs none, questions on a turn alone are about one.
  if (!showsExperiment(cell.type) && !isAboutTurn(cell)) return null;
  if (ids.length < 2) return null;
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
