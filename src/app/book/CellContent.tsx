/** What a cell shows, in its place. Panels and charts are those of the lens. */
import { nameOfCell, type TypedCell } from "../../notebook/cell.ts";
import { kindOf } from "../../notebook/cells/kinds.ts";
import { ExperimentContext, type ExperimentHandle } from "../../store/hooks.ts";
import type { Experiments } from "../experiments.ts";
import { noteRunCell } from "../shell/inView.ts";
import type { ContentProps } from "./cells/screen.ts";
import { screenOf } from "./cells/screens.tsx";
import { OutOfDate } from "./OutOfDate.tsx";

/** Nothing where the experiment that it shows is missing. */
export function CellContent({ cell, experiments }: ContentProps) {
  const { Content, className = "cell", hasButton, ownFigures } = screenOf(cell.type);
  const { shows, hasRun, showsRun } = kindOf(cell.type);
  const experiment = experimentOf(cell, experiments);
  const needsOne = shows === true || hasRun === true;
  if (!Content || (needsOne && !experiment)) return null;
  const figure = {
    "data-figure": `cell-${cell.id}`,
    "data-figure-title": nameOfCell(cell),
  };
  const content = (
    <div
      className={className}
      data-cell={cell.id}
      data-experiment={needsOne ? experiment!.id : undefined}
      ref={hasButton && noteIn(experiment!)}
      {...(!ownFigures && figure)}
    >
      {showsRun && <OutOfDate />}
      <Content cell={cell} experiments={experiments} />
    </div>
  );
  if (shows === false && !hasRun) return content;
  return <ExperimentContext value={experiment}>{content}</ExperimentContext>;
}

const noteIn = (experiment: ExperimentHandle) => (element: HTMLElement | null) =>
  element ? noteRunCell(element, experiment) : undefined;

/** The one that it is or names; of a cell that need not name any, the notebook's first. */
function experimentOf({ type, id, of }: TypedCell, experiments: Experiments) {
  const { shows, hasRun } = kindOf(type);
  const [first = null] = experiments.values();
  if (shows === "named" && of === null) return first;
  return experiments.get(hasRun ? id : (of ?? "")) ?? null;
}
