/** A code cell: its result, its state, and its text. */
import { useState } from "react";
import { useStore } from "zustand";
import { DataMenu } from "../../../../charts/DataMenu.tsx";
import { hasFact, type TypedCell } from "../../../../notebook/cell.ts";
import type { CellColumn, CellOutput, CellShown } from "../../../../runtime/sandbox/cells.ts";
import type { CodeCells, CodeView } from "../../../../store/codeCells.ts";
import { bookCells, bookDraft, type BookState } from "../../../../store/bookStore.ts";
import { askForBook } from "../../../../store/codeConsent.ts";
import { Button } from "../../../../ui/Button.tsx";
import { DataTable, type TableColumn } from "../../../../ui/DataTable.tsx";
import { Folded } from "../../../../ui/Folded.tsx";
import { lazyPart } from "../../../../ui/parts/lazyPart.tsx";
import { CodeSource } from "../../../../ui/CodeSource.tsx";
import { appWords } from "../../../strings.ts";
import { numbersOfColumns, numbersOfPlot } from "./cellNumbers.ts";
import { useBook } from "../../useBook.ts";
import { useGoHere } from "./useGoHere.ts";
import { words } from "../../words.ts";

const PlotFigure = lazyPart("PlotFigure", () => import("./PlotFigure.tsx"), appWords.loading);

export function CodeContent({ cell }: { cell: TypedCell }) {
  const { code, store } = useBook();
  const isForeign = useStore(store, (state) => state.isForeign);
  useGoHere(cell.id);
  // The editor has the text.
  const isEdited = useStore(store, (state) => isWritten(state, cell));
  if (cell.defines)
    return (
      <section className="code-cell" aria-label={words.code.defines(cell.defines, cell.id)}>
        {isForeign && <Ask id={cell.id} />}
        <p className="note">{words.code.defines(cell.defines, cell.id)}</p>
        {!isEdited && <CodeSource text={cell.body} label={words.code.source} />}
      </section>
    );
  return <Computed cell={cell} code={code} isEdited={isEdited} />;
}

function isWritten(state: BookState, cell: TypedCell): boolean {
  if (state.mode !== "edit" || (cell.flags.includes("lock") && !state.unlocked)) return false;
  return bookDraft(state).cells.some((one) => one.key === state.selected && one.cell === cell);
}

const NEW: CodeView = { state: "new", output: null };

interface ComputedProps {
  cell: TypedCell;
  code: CodeCells;
  isEdited: boolean;
}

/** Where a notebook is written, code stands above what it printed; readers unfold it. */
function Computed({ cell: { id, body }, code, isEdited }: ComputedProps) {
  const view = useStore(code.store, ({ views }) => views[id] ?? NEW);
  const isForeign = useStore(useBook().store, (state) => state.isForeign);
  const edits = useStore(useBook().store, ({ mode }) => mode === "edit");
  return (
    <section className="code-cell" aria-label={id} data-testid="code-cell" data-state={view.state}>
      {edits && !isEdited && <CodeSource text={body} label={words.code.source} />}
      {isForeign ? <Ask id={id} /> : <CodeHead id={id} view={view} code={code} />}
      {view.output && <Output name={id} output={view.output} isLate={view.state === "late"} />}
      {!edits &&
        (isForeign ? (
          <CodeSource text={body} label={words.code.source} />
        ) : (
          <Folded title={words.code.source}>
            <CodeSource text={body} label={words.code.source} />
          </Folded>
        ))}
    </section>
  );
}

/** Whole in the notebook's first code; for the others a line will do. */
function Ask({ id }: { id: string }) {
  const { store } = useBook();
  const isFirst = useStore(store, (state) => firstCode(state) === id);
  const review = <Button onClick={() => void askForBook(store)}>{words.code.review}</Button>;
  return isFirst ? (
    <p className="notice" data-testid="code-ask">
      {words.code.foreign} {review}
    </p>
  ) : (
    <p className="note" data-testid="code-ask">
      {words.code.waits} {review}
    </p>
  );
}

const firstCode = (state: BookState) =>
  bookCells(state).find((cell) => hasFact(cell, "isCode"))?.id ?? null;

interface CodeHeadProps {
  id: string;
  view: CodeView;
  code: CodeCells;
}

function CodeHead({ id, view: { state, output }, code }: CodeHeadProps) {
  const isBusy = state === "running" || state === "waiting";
  return (
    <div className="code-head">
      <code>{id}</code>
      <span className="badge" data-testid="code-state">
        {words.code.states[state === "fresh" && output?.ok === false ? "failed" : state]}
      </span>
      {isBusy ? (
        <Button onClick={() => code.stop()}>{words.code.stop}</Button>
      ) : (
        <Button data-testid="code-run" onClick={() => void code.run([id])}>
          {state === "new" ? words.code.run : words.runAgain}
        </Button>
      )}
    </div>
  );
}

function Output({ name, output, isLate }: { name: string; output: CellOutput; isLate: boolean }) {
  return (
    <div className="code-output" data-late={isLate} data-testid="code-output">
      {output.lines.length > 0 && (
        <div className="code-lines" tabIndex={0} role="group" aria-label={words.code.lines}>
          <pre>{output.lines.map(({ text }) => text).join("\n")}</pre>
        </div>
      )}
      {output.ok ? (
        <Shown name={name} shown={output.shown} />
      ) : (
        <p className="notice notice-problem" role="alert">
          {output.problem.message}
        </p>
      )}
    </div>
  );
}

function Shown({ name, shown }: { name: string; shown: CellShown }) {
  switch (shown.kind) {
    case "nothing":
      return null;
    case "plot":
      return (
        <>
          <DataMenu title={name} name={name} table={() => numbersOfPlot(shown.plot)} />
          <PlotFigure plot={shown.plot} label={name} />
        </>
      );
    case "table":
      return (
        <>
          <DataMenu title={name} name={name} table={() => numbersOfColumns(shown.columns)} />
          <ValueTable name={name} columns={shown.columns} rows={shown.rows} />
        </>
      );
    case "value":
      return <pre className="code-value">{textOf(shown.value)}</pre>;
  }
}

/** Rows of a table that are drawn at first. */
const FEW = 20;

function ValueTable({
  name,
  columns,
  rows,
}: {
  name: string;
  columns: CellColumn[];
  rows: number;
}) {
  const [all, setAll] = useState(false);
  const there = columns[0]?.values.length ?? 0;
  const shown = Math.min(all ? there : FEW, there);
  const rest = rows - shown;
  return (
    <>
      <DataTable
        label={name}
        className="code-table"
        columns={columns.map(tableColumn)}
        rows={Array.from({ length: shown }, (_, row) => row)}
        keyOf={String}
      />
      {rest > 0 && (
        <p className="note">
          {words.code.moreRows(rest)}{" "}
          {!all && there > FEW && (
            <Button onClick={() => setAll(true)}>{words.code.showRows(there)}</Button>
          )}
        </p>
      )}
    </>
  );
}

function tableColumn({ name, values }: CellColumn): TableColumn<number> {
  const isNumber = values.every((value) => value === null || typeof value === "number");
  return {
    id: name,
    head: name,
    ...(isNumber && { kind: "number" }),
    cell: (row) => textOf(values[row]),
  };
}

/** Limit of characters of a shown value. */
const LONGEST = 4000;

function textOf(value: unknown): string {
  if (typeof value === "number")
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  if (typeof value === "string") return value;
  const text = JSON.stringify(value, plain, 1) ?? "";
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}

/** Typed arrays as lists. */
function plain(_key: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<number>) : value;
}
