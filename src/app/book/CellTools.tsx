/** What can be done with a cell being edited: its name, its place, who sees it and when. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import {
  cellsWith,
  computes,
  hasFact,
  isTyped,
  type Cell,
  type TypedCell,
} from "../../notebook/cell.ts";
import { kindOf } from "../../notebook/cells/kinds.ts";
import {
  cellOf,
  deleteCell,
  duplicateCell,
  flagCell,
  idWanted,
  renameCell,
  waitFor,
} from "../../notebook/edit.ts";
import {
  bookCells,
  bookDraft,
  editBook,
  type BookState,
  type BookStore,
} from "../../store/bookStore.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Button } from "../../ui/Button.tsx";
import { say } from "../../ui/toasts.ts";
import { copyEmbedCode } from "./bookLink.ts";
import { moveBy } from "./DragHandle.tsx";
import { useBook } from "./useBook.ts";
import { words } from "./words.ts";

export interface PartProps {
  store: BookStore;
  cellKey: number;
  cell: Cell;
  label: string;
}

export function CellTools({ store, cellKey: key, cell, label }: PartProps) {
  const edit = (change: Parameters<typeof editBook>[1]) => () => editBook(store, change);
  return (
    <div className="cell-tools" role="toolbar" aria-label={label}>
      {isTyped(cell) && (
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
      <IconButton icon="up" name={words.up} onClick={() => moveBy(store, key, -1)} />
      <IconButton icon="down" name={words.down} onClick={() => moveBy(store, key, 1)} />
      <IconButton
        icon="copy"
        name={words.copy}
        onClick={edit((draft) => duplicateCell(draft, key))}
      />
      {isTyped(cell) &&
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
      {isTyped(cell) && <EmbedButton cell={cell} />}
      <IconButton
        icon="trash"
        name={words.remove}
        onClick={edit((draft) => deleteCell(draft, key))}
      />
    </div>
  );
}

const selectQuestions = (state: BookState) =>
  cellsWith(bookCells(state), "isQuestion").map(({ id }) => id);

/** Which question it is shown after, where there are any. */
function WaitsFor({ store, cellKey: key, cell }: Omit<PartProps, "label">) {
  const questions = useStore(store, useShallow(selectQuestions));
  const { after = "" } = cell;
  const isSelf = (id: string) => hasFact(cell, "isQuestion") && cell.id === id;
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
  if (!isTyped(cell) || id === null) return;
  const code = new Map<string, string>();
  const readers = draft.cells.flatMap(({ cell: one }) =>
    computes(one) && one.body.includes(cell.id) ? [one.body] : [],
  );
  const { isCode, hasRun } = kindOf(cell.type);
  if (readers.length > 0 && (isCode || hasRun)) {
    const { renameFree } = await import("../../runtime/sandbox/freeNames.ts");
    for (const body of readers) code.set(body, await renameFree(body, cell.id, id));
  }
  editBook(store, (now) => renameCell(now, key, wanted, code));
}

/** Copies the HTML that shows a cell in another page. */
function EmbedButton({ cell: { id } }: { cell: TypedCell }) {
  const book = useBook();
  const copy = async () => say({ text: await copyEmbedCode(book, id), testId: "embed-said" });
  return (
    <Button look="quiet" data-testid="copy-embed" onClick={() => void copy()}>
      {words.embed}
    </Button>
  );
}
