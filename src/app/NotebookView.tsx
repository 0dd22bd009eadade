/** A notebook's cells, each with the experiment it is or depends on. */
import { memo } from "react";
import { fieldOf, type Cell, type Notebook, type TypedCell } from "../notebook/document.ts";
import { CurvesPanel } from "../panels/curves/CurvesPanel.tsx";
import { TurnsPanel } from "../panels/turns/TurnsPanel.tsx";
import { ExperimentContext } from "../store/hooks.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { ExperimentCell } from "./ExperimentCell.tsx";
import type { Experiments } from "./experiments.ts";
import { Prose } from "./Prose.tsx";
import { Warnings } from "./Warnings.tsx";

interface NotebookViewProps {
  notebook: Notebook;
  warnings: string[];
  experiments: Experiments;
}

export const NotebookView = memo(function NotebookView({
  notebook,
  warnings,
  experiments,
}: NotebookViewProps) {
  return (
    <article className="notebook">
      <Warnings warnings={warnings} />
      {notebook.cells.map((cell, i) => (
        <ErrorBoundary key={i}>
          <CellView cell={cell} experiments={experiments} />
        </ErrorBoundary>
      ))}
    </article>
  );
});

function CellView({ cell, experiments }: { cell: Cell; experiments: Experiments }) {
  if (cell.type === "prose") return <Prose markdown={cell.markdown} />;
  const id = cell.type === "experiment" ? cell.id : cell.of;
  const experiment = id === null ? undefined : experiments.get(id);
  if (!experiment) return null;
  return (
    <ExperimentContext value={experiment}>
      <div className="cell" data-cell={cell.id} data-experiment={experiment.id}>
        <TypedView cell={cell} />
      </div>
    </ExperimentContext>
  );
}

function TypedView({ cell }: { cell: TypedCell }) {
  switch (cell.type) {
    case "experiment":
      return <ExperimentCell />;
    case "curves":
      return <CurvesPanel metrics={fieldOf(cell, "metrics")} />;
    case "turns":
      return <TurnsPanel />;
  }
}
