/** What a cell shows. Panels and charts are those of the lens. */
import { readFields } from "../../notebook/cellFields.ts";
import { cellFacts } from "../../notebook/cellTypes.ts";
import type { TypedCell } from "../../notebook/document.ts";
import { OpeningFigure } from "../../panels/opening/OpeningFigure.tsx";
import { ExperimentContext, type ExperimentHandle } from "../../store/hooks.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { afterPaint } from "../afterPaint.tsx";
import { LazyExperiment } from "../LazyExperiment.tsx";
import type { Experiments } from "../experiments.ts";
import { useRunTime } from "../runTime.ts";
import { appWords } from "../strings.ts";
import { SHOWS_RUN } from "./isOutOfDate.ts";
import { noteRunCell } from "../shell/inView.ts";
import { OutOfDate } from "./OutOfDate.tsx";
import { QueueBar } from "./QueueBar.tsx";

const CurvesPanel = afterPaint(
  lazyPart(
    "CurvesPanel",
    () => import("../../panels/curves/CurvesPanel.tsx"),
    appWords.loadingCurves,
  ),
);

/** Charts are heavy; the strip is seen before them. */
const OpeningCurves = afterPaint(
  lazyPart(
    "OpeningCurves",
    () => import("../../panels/curves/OpeningCurves.tsx"),
    appWords.loadingCurves,
  ),
);

const CompareCell = lazyPart(
  "CompareCell",
  () => import("./CompareCell.tsx"),
  appWords.loadingCurves,
);

const CutsFigure = lazyPart(
  "CutsFigure",
  () => import("../../panels/opening/CutsFigure.tsx"),
  appWords.loading,
);

const ExploreFigure = lazyPart(
  "ExploreFigure",
  () => import("../../panels/explore/ExploreFigure.tsx"),
  appWords.loading,
);

const ClassCell = lazyPart("ClassCell", () => import("../lesson/ClassCell.tsx"), appWords.loading);

const QuizCell = lazyPart("QuizCell", () => import("./QuizCell.tsx"), appWords.loading);

const CodeContent = lazyPart("CodeContent", () => import("./CodeContent.tsx"), appWords.loading);

const TurnsPanel = lazyPart(
  "TurnsPanel",
  () => import("../../panels/turns/TurnsPanel.tsx"),
  appWords.loading,
);

const PanelCell = lazyPart("PanelCell", () => import("./PanelCell.tsx"), appWords.loading);

const SweepCell = lazyPart("SweepCell", () => import("./SweepCell.tsx"), appWords.loadingCurves);

interface CellContentProps {
  cell: TypedCell;
  experiments: Experiments;
}

/** Nothing where the experiment that it shows is missing. */
export function CellContent({ cell, experiments }: CellContentProps) {
  const place = placeOf(cell);
  if (cell.type === "quiz")
    return (
      <ExperimentContext value={experimentOf(cell, experiments)}>
        <div className="cell" {...place}>
          <QuizCell body={cell.body} />
        </div>
      </ExperimentContext>
    );
  if (cell.type === "code")
    return (
      <div className="cell" {...place}>
        <CodeContent cell={cell} />
      </div>
    );
  if (cell.type === "compare")
    return (
      <div className="cell" {...place}>
        <CompareCell fields={readFields(cell.type, cell.body).value} experiments={experiments} />
      </div>
    );
  if (cell.type === "explore") {
    const fields = readFields(cell.type, cell.body).value;
    return (
      <div className="cell" {...place}>
        {fields && <ExploreFigure {...fields} />}
      </div>
    );
  }
  if (cell.type === "cuts")
    return (
      <div className="cell" data-cell={cell.id}>
        <CutsFigure file={readFields(cell.type, cell.body).value?.figure ?? ""} />
      </div>
    );
  const id = cell.type === "experiment" ? cell.id : cell.of;
  const experiment = id === null ? undefined : experiments.get(id);
  if (!experiment) return null;
  return (
    <ExperimentContext value={experiment}>
      <div
        className={cell.type === "opening" ? "opening" : "cell"}
        {...place}
        data-experiment={experiment.id}
        ref={RUNS.includes(cell.type) ? noteIn(experiment) : undefined}
      >
        {SHOWS_RUN.includes(cell.type) && <OutOfDate />}
        {cell.type === "experiment" && experiments.size > 1 && <QueueBar />}
        <TypedContent cell={cell} />
      </div>
    </ExperimentContext>
  );
}

/** Cells that have a button to train. */
const RUNS: readonly TypedCell["type"][] = ["experiment", "opening"];

const noteIn = (experiment: ExperimentHandle) => (element: HTMLElement | null) =>
  element ? noteRunCell(element, experiment) : undefined;

/** What a question is about: the experiment that it names, or else the notebook's first. */
function experimentOf({ of }: TypedCell, experiments: Experiments) {
  const [first = null] = experiments.values();
  return of === null ? first : (experiments.get(of) ?? null);
}

/** Where the cell is, and what it is called when it is shown alone; the opening has two figures of its own. */
function placeOf({ id, type }: TypedCell) {
  const figure = {
    "data-figure": `cell-${id}`,
    "data-figure-title": `${cellFacts(type).title}: ${id}`,
  };
  return { "data-cell": id, ...(type !== "opening" && figure) };
}

function TypedContent({ cell }: { cell: TypedCell }) {
  const { type, body } = cell;
  switch (type) {
    case "experiment":
      return <LazyExperiment />;
    case "opening":
      return <OpeningCell body={body} />;
    case "curves":
      return <CurvesPanel metrics={readFields(type, body).value?.metrics?.join(",")} />;
    case "sweep":
      return <SweepCell cell={cell} />;
    case "turns":
      return <TurnsPanel />;
    case "panel":
      return <PanelCell cell={cell} fields={readFields(type, body).value} />;
    case "playground": {
      const fields = readFields(type, body).value;
      return (
        <PanelCell
          cell={cell}
          fields={fields && { panel: "playground", settings: {}, ...fields }}
        />
      );
    }
    case "class": {
      const fields = readFields(type, body).value;
      return fields && <ClassCell fields={fields} />;
    }
    case "quiz":
    case "code":
    case "compare":
    case "cuts":
    case "explore":
    case "lesson":
      return null;
  }
}

function OpeningCell({ body }: { body: string }) {
  const { figure = "", note = "" } = readFields("opening", body).value ?? {};
  const takes = useRunTime();
  return <OpeningFigure file={figure} note={note} takes={takes} curves={<OpeningCurves />} />;
}
