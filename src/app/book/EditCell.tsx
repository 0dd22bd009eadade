/** A cell being edited: what it shows, its source when it is selected, and its tools. */
import { memo, useMemo, useRef, type ReactNode } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { readFields, remarksOf } from "../../notebook/cellFields.ts";
import { cellFacts, mayShowExperiment, showsExperiment } from "../../notebook/cellTypes.ts";
import type { Cell, TypedCell } from "../../notebook/document.ts";
import {
  cellOf,
  defineCell,
  deleteCell,
  duplicateCell,
  flagCell,
  idWanted,
  labelOf,
  moveCell,
  pointCell,
  renameCell,
  textOfCell,
  waitFor,
  writeCell,
} from "../../notebook/edit.ts";
import { DEFINITION_KINDS, type DefinitionKind } from "../../spec/definitions.ts";
import {
  bookDraft,
  editBook,
  enterCell,
  typeInto,
  type BookState,
  type BookStore,
} from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { Folded } from "../../ui/Folded.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import type { Experiments } from "../experiments.ts";
import { Prose } from "../Prose.tsx";
import { appWords } from "../strings.ts";
import { CellContent } from "./CellContent.tsx";
import { EmbedButton } from "./EmbedButton.tsx";
import { hasForm } from "./cellFormFields.ts";
import { sourceAt } from "./sourceAt.ts";
import { startCell } from "./runCell.ts";
import { templateOf } from "./templates.ts";
import { useBook, useDefinitions } from "./useBook.ts";
import { words } from "./words.ts";

const SourceEditor = lazyPart("SourceEditor", () => import("./SourceEditor.tsx"), appWords.loading);
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
      {isEdited && <Tools store={store} cellKey={key} cell={cell} label={label} />}
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
      {isEdited && <Source store={store} cellKey={key} cell={cell} label={label} />}
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

interface PartProps {
  store: BookStore;
  cellKey: number;
  cell: Cell;
  label: string;
}

function Source({ store, cellKey: key, cell, label }: PartProps) {
  const book = useBook();
  const definitions = useDefinitions(store);
  const caret = useStore(store, (state) => (state.caret?.key === key ? state.caret : null));
  const language = cell.type === "prose" ? "markdown" : cell.type === "code" ? "code" : "yaml";
  return (
    <SourceEditor
      // Another cell's text has another history.
      key={key}
      text={textOfCell(cell)}
      language={language}
      type={cell.type}
      defines={cell.type === "code" && cell.defines !== undefined}
      of={cell.type === "prose" ? null : cell.of}
      definitions={definitions}
      label={`${words.source}: ${label}`}
      caret={caret}
      onCaret={() => store.setState({ caret: null })}
      onChange={(text) => editBook(store, (draft) => writeCell(draft, key, text), `write ${key}`)}
      onRun={() => startCell(book, cell)}
      onLeave={() => document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus()}
    />
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

function Tools({ store, cellKey: key, cell, label }: PartProps) {
  const edit = (change: Parameters<typeof editBook>[1]) => () => editBook(store, change);
  return (
    <div className="cell-tools" role="toolbar" aria-label={label}>
      {cell.type !== "prose" && (
        <label className="cell-name">
          <span className="visually-hidden">{words.nameOf(label)}</span>
          <input
            key={cell.id}
            defaultValue={cell.id}
            spellCheck={false}
            data-testid="cell-name"
            onBlur={({ currentTarget }) => void rename(store, key, currentTarget.value)}
            onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
          />
        </label>
      )}
      <IconButton icon="up" name={words.up} onClick={edit((draft) => moveCell(draft, key, -1))} />
      <IconButton
        icon="down"
        name={words.down}
        onClick={edit((draft) => moveCell(draft, key, 1))}
      />
      <IconButton
        icon="copy"
        name={words.copy}
        onClick={edit((draft) => duplicateCell(draft, key))}
      />
      {cell.type !== "prose" &&
        (["fold", "hide", "lock"] as const).map((flag) => (
          <Button
            key={flag}
            look="quiet"
            aria-pressed={cell.flags.includes(flag)}
            data-testid={`cell-${flag}`}
            title={words.flagHelp[flag]}
            onClick={edit((draft) => flagCell(draft, key, flag))}
          >
            {words[flag]}
          </Button>
        ))}
      <WaitsFor store={store} cellKey={key} cell={cell} />
      {cell.type !== "prose" && <EmbedButton cell={cell} />}
      <IconButton
        icon="trash"
        name={words.remove}
        onClick={edit((draft) => deleteCell(draft, key))}
      />
    </div>
  );
}

const selectQuestions = (state: BookState) =>
  bookDraft(state).cells.flatMap(({ cell }) => (cell.type === "quiz" ? [cell.id] : []));

/** Which question it is shown after, where there are any. */
function WaitsFor({ store, cellKey: key, cell }: Omit<PartProps, "label">) {
  const questions = useStore(store, useShallow(selectQuestions));
  const { after = "" } = cell;
  const isSelf = (id: string) => cell.type === "quiz" && cell.id === id;
  const ids = [...new Set([...questions, ...(after === "" ? [] : [after])])];
  const others = ids.filter((id) => !isSelf(id));
  if (others.length === 0) return null;
  return (
    <label>
      {words.after}{" "}
      <select
        value={after}
        data-testid="cell-after"
        title={words.afterHelp}
        onChange={({ currentTarget: { value } }) =>
          editBook(store, (draft) => waitFor(draft, key, value || undefined))
        }
      >
        <option value="">{words.always}</option>
        {others.map((id) => (
          <option key={id} value={id}>
            {words.afterQuestion(id)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Code that names the cell is rewritten by a parser, which is loaded then. */
async function rename(store: BookStore, key: number, wanted: string): Promise<void> {
  const draft = bookDraft(store.getState());
  const [cell, id] = [cellOf(draft, key), idWanted(draft, key, wanted)];
  if (!cell || cell.type === "prose" || id === null) return;
  const code = new Map<string, string>();
  const readers = draft.cells.flatMap(({ cell: one }) =>
    one.type === "code" && !one.defines && one.body.includes(cell.id) ? [one.body] : [],
  );
  if (readers.length > 0 && (cell.type === "code" || cell.type === "experiment")) {
    const { renameFree } = await import("../../runtime/sandbox/freeNames.ts");
    for (const body of readers) code.set(body, await renameFree(body, cell.id, id));
  }
  editBook(store, (now) => renameCell(now, key, wanted, code));
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
