/** Runs of several experiments of the notebook beside each other. */
import { useMemo, useSyncExternalStore } from "react";
import { readFields } from "../../../../notebook/cellFields.ts";
import { CompareCurves, type ComparedRun } from "../../../../panels/curves/CompareCurves.tsx";
import type { ExperimentHandle } from "../../../../store/hooks.ts";
import type { ContentProps } from "../screen.ts";
import { Warnings } from "../../../Warnings.tsx";
import { isOutOfDate } from "../../../../store/experimentState.ts";
import { OutOfDateNote } from "../../OutOfDate.tsx";
import { words } from "../../words.ts";

export function CompareCell({ cell, experiments }: ContentProps) {
  const fields = useMemo(() => readFields("compare", cell.body).value, [cell.body]);
  const wanted = (fields?.experiments ?? [...experiments.keys()]).join(",");
  const handles = useMemo(
    () => wanted.split(",").flatMap((id) => experiments.get(id) ?? []),
    [wanted, experiments],
  );
  const runs = useRuns(handles);
  if (!fields) return null;
  const missing = wanted.split(",").filter((id) => id !== "" && !experiments.has(id));
  return (
    <div className="compare-cell" data-testid="compare-cell">
      <Warnings warnings={missing.map(words.noExperiment)} />
      {runs.map(({ id, isLate }) => isLate && <OutOfDateNote key={id} id={id} />)}
      <CompareCurves runs={runs} metrics={fields.metrics?.join(",")} />
    </div>
  );
}

interface ShownRun extends ComparedRun {
  /** Its experiment was changed since. */
  isLate: boolean;
}

/** What each shows now; the same list until one of them shows another. */
function useRuns(handles: readonly ExperimentHandle[]): readonly ShownRun[] {
  const source = useMemo(() => runsOf(handles), [handles]);
  return useSyncExternalStore(source.subscribe, source.read);
}

function runsOf(handles: readonly ExperimentHandle[]) {
  let last: readonly ShownRun[] = [];
  return {
    subscribe: (listener: () => void) => {
      const ends = handles.map(({ store }) => store.subscribe(listener));
      return () => ends.forEach((end) => end());
    },
    read: () => {
      const now = handles.map(({ id, store }) => {
        const state = store.getState();
        return { id, view: state.view, isLate: isOutOfDate(state) };
      });
      const isSameRun = (run: ShownRun, before: ShownRun) =>
        run.view === before.view && run.isLate === before.isLate;
      const isSame = now.length === last.length && now.every((run, i) => isSameRun(run, last[i]!));
      return (last = isSame ? last : now);
    },
  };
}
