/** A notebook to read: its cells, each with the experiment it is or depends on. */
import { memo, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { isTyped, nameOfCell, type Cell } from "../notebook/cell.ts";
import { bookDraft } from "../store/bookStore.ts";
import { AfterQuestion } from "./book/AfterQuestion.tsx";
import { CellContent } from "./book/CellContent.tsx";
import type { OpenBook } from "./book/openBook.ts";
import { Contents } from "./Contents.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import type { Experiments } from "./experiments.ts";
import { Prose } from "./Prose.tsx";
import { Folded } from "../ui/Folded.tsx";
import { Warnings } from "./Warnings.tsx";

export const NotebookView = memo(function NotebookView({ book }: { book: OpenBook }) {
  const cells = useStore(book.store, (state) => bookDraft(state).cells);
  const remarks = useStore(book.store, (state) => state.remarks);
  const experiments = useStore(book.experiments, ({ map }) => map);
  const article = useRef<HTMLElement>(null);
  const read = useMemo(() => cells.map(({ cell }) => cell), [cells]);
  return (
    <article ref={article} className="notebook reading">
      <Warnings warnings={remarks} />
      {cells.map(({ key, cell }) => (
        <ErrorBoundary key={key}>
          <CellView cell={cell} experiments={experiments} />
        </ErrorBoundary>
      ))}
      <Contents cells={read} article={article} />
    </article>
  );
});

export const CellView = memo(function CellView({
  cell,
  experiments,
}: {
  cell: Cell;
  experiments: Experiments;
}) {
  return (
    <AfterQuestion id={cell.after}>
      <Shown cell={cell} experiments={experiments} />
    </AfterQuestion>
  );
});

function Shown({ cell, experiments }: { cell: Cell; experiments: Experiments }) {
  if (!isTyped(cell)) return <Prose markdown={cell.markdown} />;
  if (cell.flags.includes("hide")) return null;
  const content = <CellContent cell={cell} experiments={experiments} />;
  if (!cell.flags.includes("fold")) return content;
  return <Folded title={nameOfCell(cell)}>{content}</Folded>;
}
