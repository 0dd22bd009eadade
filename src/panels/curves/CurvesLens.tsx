/** Curves in the lens: any number, runs and methods over each other, seeds together, all charts read as one. */
import { type FormEvent, memo, useEffect, useId, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { exportRows } from "../../figures/curves/exportRows.ts";
import {
  type CurveJob,
  groupRuns,
  letterOf,
  runLines,
  shownLog,
} from "../../figures/curves/lines.ts";
import { findMetric, type Metric, metricOf, metricsByText } from "../../figures/curves/metrics.ts";
import { curveMoves, isCurveMove } from "../../figures/curves/moves.ts";
import { nearestNames } from "../../numeric/nearestNames.ts";
import { words } from "../../figures/curves/words.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { MOST_CHARTS, setCurves, withMetric } from "../../store/curvesView.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
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
import { type ChartSync, whileVisible } from "../../charts/chartSync.ts";
import { CurveChart } from "../../charts/CurveChart.tsx";
import { useOwnPlace, useRedraw, useTurn } from "../../charts/redrawQueue.ts";
import {
  type ChartInput,
  type CurveFigure,
  type OnsetMark,
  jobInput,
  lineFigure,
  wholeFigure,
} from "../../figures/curves/chart.ts";
import { Intervals } from "../../figures/curves/intervals.ts";
import { MenuItem } from "../../ui/Menu.tsx";
import type { RunLog } from "../../reading/log/runLog.ts";
import { useRunWithSeeds, useSentLog } from "./RunChart.tsx";
import { useOnset } from "./useOnset.ts";
import { RunTable } from "./RunTable.tsx";
import { chartSync } from "../shared/chartSync.ts";

// One metric's chart in the lens: built and drawn in its own task, and only while it is on screen.

interface MetricChartProps {
  job: CurveJob;
  metric: Metric;
  sync: ChartSync;
  onset: OnsetMark | null;
  onRemove: (id: string) => void;
}

/** `leads`: a low pane shows this one. */
function MetricChart({ job, sync, leads, ...rest }: MetricChartProps & { leads: boolean }) {
  const { ref, shown, visible } = useRedraw(job, shownLog(job));
  const own = useMemo(() => whileVisible(sync), [sync]);
  useEffect(() => own.setVisible(visible), [own, visible]);
  const drawn = useTurn(visible);
  return (
    <div
      ref={ref}
      className={leads ? "curve-cell curve-lead" : "curve-cell"}
      data-curve={rest.metric.id}
    >
      {drawn && <Drawn job={shown} sync={own} {...rest} />}
    </div>
  );
}

const Drawn = memo(function Drawn({ job, metric, sync, onset, onRemove }: MetricChartProps) {
  const input = useMemo(() => jobInput(job, metric), [job, metric]);
  const figure = useFigure(input);
  const marked = useMemo(() => ({ ...figure, onset }), [figure, onset]);
  return (
    <CurveChart
      figure={marked}
      whole={async () => ({ ...(await wholeFigure(input)), onset })}
      testId={`chart-${metric.id}`}
      sync={sync}
      keys
      namedElsewhere
      more={<MenuItem onSelect={() => onRemove(metric.id)}>{words.removeShort}</MenuItem>}
    />
  );
});

/** One for the page: an interval of the same numbers is computed once. */
const intervals = new Intervals();
/** Milliseconds for intervals in a chart's first redraw, which is busy enough, and in later ones. */
const TIME_LIMIT = { first: 4, later: 8 };

/** The chart of an input: intervals that could not be found in one redraw come with the next. */
export function useFigure(input: ChartInput, build = lineFigure): CurveFigure {
  const [last, setLast] = useState({ input, pass: 0 });
  const pass = last.input === input ? last.pass : 0;
  const figure = useMemo(() => {
    intervals.allow(pass === 0 ? TIME_LIMIT.first : TIME_LIMIT.later);
    return build(input, intervals);
  }, [build, input, pass]);
  const ask = useOwnPlace();
  useEffect(
    () => ask(figure.unfinished ? () => setLast({ input, pass: pass + 1 }) : null),
    [ask, figure, input, pass],
  );
  return figure;
}

// Adds a chart of any number that a run has.

interface MetricPickerProps {
  logs: readonly RunLog[];
  shown: readonly string[];
  onAdd: (id: string) => void;
}

function MetricPicker({ logs, shown, onAdd }: MetricPickerProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const listId = useId();
  const known = useMemo(() => metricsByText(logs), [logs]);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const found = findMetric(known, text);
    if (found === undefined)
      return setProblem(words.add.unknown(text.trim(), nearestNames(text, known.keys())));
    if (shown.length >= MOST_CHARTS) return setProblem(words.add.full(MOST_CHARTS));
    if (!shown.includes(found)) onAdd(found);
    setProblem("");
    setText("");
  };
  return (
    <form className="curve-add" onSubmit={add}>
      <label title={words.add.hint}>
        {words.add.label}{" "}
        <input
          list={listId}
          value={text}
          data-testid="curves-add"
          placeholder={words.add.example}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <datalist id={listId}>
        {[...known.keys()].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit" disabled={text.trim() === ""}>
        {words.add.button}
      </button>
      {problem !== "" && <p role="alert">{problem}</p>}
    </form>
  );
}

const selectMetrics = (state: ExperimentState) => state.curves.metrics;
const selectLead = (state: ExperimentState) => state.curves.lead;

/** Not the place that is read: it changes with every move of the pointer. */
function selectSettings({ curves }: ExperimentState): CurveJob["settings"] {
  const { reading: _, metrics: _m, ...settings } = curves;
  return settings;
}

function useJob(): CurveJob {
  const { view, seeds } = useRunWithSeeds();
  const recorded = useExperimentState("recorded");
  const shelf = useStore(runShelf);
  const sent = useSentLog(view.log);
  const settings = useExperimentState(useShallow(selectSettings));
  return useMemo(
    () => ({ runs: runsOf(view, recorded, shelf, seeds, sent), settings }),
    [view, recorded, shelf, seeds, sent, settings],
  );
}

export function CurvesLens() {
  const { store } = useExperiment();
  const job = useJob();
  const ids = useExperimentState(selectMetrics);
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
              onAdd={(id) => setCurves(store, withMetric(ids, id))}
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
  const onset = useOnset();
  // Stories are told of held-out success where it was measured.
  const asked = useExperimentState(selectLead);
  const lead =
    metrics.find(({ id }) => id === asked) ??
    metrics.find(({ id, key }) => id === "heldout" && isMeasured(job, key)) ??
    metrics[0];
  const remove = useMemo(
    () => (id: string) => {
      const { metrics: now } = store.getState().curves;
      setCurves(store, { metrics: now.filter((other) => other !== id) });
    },
    [store],
  );
  const grid = useRef<HTMLDivElement>(null);
  useActions(grid, (id) => isCurveMove(id) && store.setState(curveMoves[id]));
  // An added one comes last.
  useIntoView(
    metrics.length,
    (before) => metrics.length > before && grid.current?.lastElementChild,
  );
  return (
    <div ref={grid} className="chart-grid curve-grid">
      {metrics.map((metric) => (
        <MetricChart
          key={metric.id}
          {...{ job, metric, sync, onset }}
          leads={metric === lead}
          onRemove={remove}
        />
      ))}
    </div>
  );
}

const isMeasured = ({ runs }: CurveJob, metric: string) =>
  runs.some(({ log }) => log.metrics("heldout").includes(metric));

/** What readers must know about the pictures: what happened to the seeds. */
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
