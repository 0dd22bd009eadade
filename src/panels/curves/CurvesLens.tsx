/** Curves in the lens: any number, runs and methods over each other, seeds together, all charts read as one. */
import { useMemo, useRef } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { exportRows } from "../../figures/curves/exportRows.ts";
import { groupRuns, letterOf, runLines, type CurveJob } from "../../figures/curves/lines.ts";
import { metricOf, type Metric } from "../../figures/curves/metrics.ts";
import { curveMoves, isCurveMove } from "../../figures/curves/moves.ts";
import { words } from "../../figures/curves/words.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { setCurves } from "../../store/curvesView.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";
import { runShelf, runsOf } from "../../store/runs.ts";
import { Button } from "../../ui/Button.tsx";
import { csvOf, jsonlOf } from "../../ui/csv.ts";
import { download } from "../../ui/download.ts";
import { Empty } from "../../ui/Empty.tsx";
import { useActions } from "../../ui/useActions.ts";
import { useIntoView } from "../../ui/useIntoView.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { CurveControls, CurveMethods } from "./CurveControls.tsx";
import { FairnessCard } from "./FairnessCard.tsx";
import { LatestTable } from "./LatestTable.tsx";
import { curves } from "./manifest.ts";
import { MetricChart } from "./MetricChart.tsx";
import { MetricPicker } from "./MetricPicker.tsx";
import { useRunWithSeeds, useSentLog } from "./RunChart.tsx";
import { RunTable } from "./RunTable.tsx";
import { chartSync } from "../shared/chartSync.ts";

const selectRecorded = (state: ExperimentState) => state.recorded;
const selectMetrics = (state: ExperimentState) => state.curves.metrics;

/** Not the place that is read: it changes with every move of the pointer. */
function selectSettings({ curves }: ExperimentState): CurveJob["settings"] {
  const { reading: _, metrics: _m, ...settings } = curves;
  return settings;
}

function useJob(): CurveJob {
  const { store } = useExperiment();
  const { view, seeds } = useRunWithSeeds();
  const recorded = useStore(store, selectRecorded);
  const shelf = useStore(runShelf);
  const sent = useSentLog(view.log);
  const settings = useStore(store, useShallow(selectSettings));
  return useMemo(
    () => ({ runs: runsOf(view, recorded, shelf, seeds, sent), settings }),
    [view, recorded, shelf, seeds, sent, settings],
  );
}

export function CurvesLens() {
  const { store } = useExperiment();
  const job = useJob();
  const ids = useStore(store, selectMetrics);
  const first = job.runs[0]?.log;
  const environment = first ? environmentOf(first) : "sokoban";
  const metrics = useMemo(
    () => ids.flatMap((id) => metricOf(id, environment) ?? []),
    [ids, environment],
  );
  const logs = useMemo(() => job.runs.map(({ log }) => log), [job]);
  return (
    <PanelFrame panel={curves}>
      {job.runs.length === 0 ? (
        <Empty>{words.empty}</Empty>
      ) : (
        <>
          <div className="curve-bar">
            <CurveMethods job={job} />
            <MetricPicker
              logs={logs}
              shown={ids}
              onAdd={(id) => setCurves(store, { metrics: [...ids, id] })}
            />
          </div>
          <div className="curve-folds">
            <CurveControls job={job} />
            {first && <FairnessCard log={first} />}
          </div>
          <Explanation job={job} charts={metrics.length} />
          <Charts job={job} metrics={metrics} />
          <NumberButtons job={job} metrics={metrics} />
          <LatestTable job={job} metrics={metrics} />
          <RunTable job={job} />
        </>
      )}
    </PanelFrame>
  );
}

interface ChartsProps {
  job: CurveJob;
  metrics: readonly Metric[];
}

function Charts({ job, metrics }: ChartsProps) {
  const { store } = useExperiment();
  const sync = useMemo(() => chartSync(store), [store]);
  const remove = useMemo(
    () => (id: string) => {
      const { metrics: now } = store.getState().curves;
      setCurves(store, { metrics: now.filter((other) => other !== id) });
    },
    [store],
  );
  const grid = useRef<HTMLDivElement>(null);
  useActions(grid, (id) => isCurveMove(id) && store.setState(curveMoves[id]));
  // One that is added stands last.
  useIntoView(
    metrics.length,
    (before) => metrics.length > before && grid.current?.lastElementChild,
  );
  return (
    <div ref={grid} className="chart-grid curve-grid">
      {metrics.map((metric) => (
        <MetricChart key={metric.id} job={job} metric={metric} sync={sync} onRemove={remove} />
      ))}
    </div>
  );
}

/** What one has to know of the pictures: what became of the seeds. */
function Explanation({ job, charts }: { job: CurveJob; charts: number }) {
  const { runs, settings } = job;
  const groups = groupRuns(runs, settings);
  const several = groups.some((group) => group.runs.length > 1);
  const repeated = groups.filter(({ again }) => again);
  const again = repeated.flatMap((group) => group.runs.map(({ place }) => letterOf(place)));
  const by = settings.seeds === "iqm" ? words.seeds.iqm : words.seeds.mean;
  return (
    <div className="note curve-notes">
      {several && <p>{words.seeds.averaged(by)}</p>}
      {again.length > 0 && <p>{words.seeds.duplicate(again.join(", "))}</p>}
      {charts === 0 && <p>{words.noCharts}</p>}
      {runLines(job).length === 0 && <p>{words.allHidden}</p>}
    </div>
  );
}

/** The numbers of all charts as CSV or JSON lines. */
function NumberButtons({ job, metrics }: ChartsProps) {
  const save = (ending: string, type: string, textOf: typeof csvOf) => () => {
    const { head, rows } = exportRows(job, metrics);
    download(textOf(head, rows), `curves.${ending}`, type);
  };
  return (
    <div className="curve-part curve-row" role="group" aria-label={words.export.title}>
      <span className="note">{words.export.numbers}</span>
      <Button onClick={save("csv", "text/csv;charset=utf-8", csvOf)}>CSV</Button>
      <Button onClick={save("jsonl", "application/jsonl", jsonlOf)}>JSONL</Button>
    </div>
  );
}
