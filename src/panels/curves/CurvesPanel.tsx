/** Learning curves: one chart per metric, one line per algorithm. */
import { memo, useMemo, useState } from "react";
import type { Curve } from "../../charts/curveTypes.ts";
import { IterationChart } from "../../charts/IterationChart.tsx";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { greatest } from "../../numeric/lists.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { resolveChoice } from "../../store/turnChoice.ts";
import { useExperimentState } from "../../store/hooks.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { fitting, playsTheSame } from "../../store/seeds.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { panelWords } from "../shared/strings.ts";
import { words } from "./words.ts";
import { xDomain } from "../../reading/xDomain.ts";
import { FairnessCard } from "./FairnessCard.tsx";
import { curves } from "./manifest.ts";
import { collapsedIn } from "./ends.ts";
import { drawnMethods } from "./lines.ts";
import { missingNotes } from "./missing.ts";
import { useMethodChoice } from "./MethodChoice.tsx";
import { methodCurves, methodOf, smoothed } from "./methodCurves.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { metricsOf, plainMetric, type Metric } from "./metrics.ts";
import { seedCurves } from "./seedCurves.ts";
import { useSenderCurves, useSentLog } from "./senderCurves.ts";
import { Empty } from "../../ui/Empty.tsx";
import { InlineField } from "../../ui/Field.tsx";

const selectView = (state: ExperimentState) => state.view;

interface CurvesPanelProps {
  /** Ids from the cell, e.g. "reward, success". */
  metrics?: string | undefined;
}

export function CurvesPanel({ metrics }: CurvesPanelProps) {
  const view = useExperimentState(selectView);
  const seeds = fitting(view, useExperimentState(selectSeeds));
  const [another, setAnother] = useState("");
  const environment = environmentOf(view.log);
  const { drawn, choice } = useMethodChoice(view.log.algorithms);
  const shown = useMemo(
    () => [...metricsOf(metrics, environment), ...extraMetric(another)],
    [metrics, environment, another],
  );
  return (
    <PanelFrame panel={curves} scope={null}>
      {view.origin === "none" && <Empty>{panelWords.curves.empty}</Empty>}
      {choice}
      <div className="chart-grid">
        {shown.map((metric) => (
          <CurrentChart
            key={metric.id}
            newest={view}
            seeds={seeds}
            metric={metric}
            drawn={drawn.join()}
          />
        ))}
      </div>
      {seeds.length > 0 && <SeedsNote seeds={seeds} view={view} />}
      <SenderNote log={view.log} />
      <FairnessCard log={view.log} />
      <MetricChooser view={view} value={another} onChange={setAnother} />
    </PanelFrame>
  );
}

const selectSeeds = (state: ExperimentState) => state.seeds;
const selectCommand = (state: ExperimentState) => state.seedsCommand;
/** What the bands are, and how to make them again. */
function SeedsNote({ seeds, view }: { seeds: readonly RunLog[]; view: RunView }) {
  const command = useExperimentState(selectCommand);
  const collapsed = seeds.filter((log) => collapsedIn(log).length > 0).length;
  return (
    <p className="note" data-testid="seeds-note">
      {panelWords.curves.seeds(seedCount(seeds), view.origin === "live", collapsed)}{" "}
      {command !== "" && <code>{command}</code>}
    </p>
  );
}

/** Whose the pale bands are. */
function SenderNote({ log }: { log: RunLog }) {
  return (
    useSentLog(log) && (
      <p className="note" data-testid="sender-note">
        {words.sender.note}
      </p>
    )
  );
}

function seedCount(seeds: readonly RunLog[]): number {
  return new Set(seeds.map(({ start }) => start!.spec.seed)).size;
}

function extraMetric(choice: string): Metric[] {
  const [source, name] = choice.split("|");
  return name === undefined ? [] : [plainMetric(name, source === "heldout" ? "heldout" : "train")];
}

interface MetricChartProps {
  newest: RunView;
  seeds: readonly RunLog[];
  metric: Metric;
  /** Names of methods, with commas; absent: the first six. */
  drawn?: string;
  /** Where it stands, where one page has the same chart twice. */
  place?: string;
  /** Of lines of training, from 0 to below 1: their numbers stay pale behind. Absent: none. */
  smoothing?: number;
}

/** In a task of its own, and only while it is on screen. */
export function CurrentChart({ newest, place = "", ...rest }: MetricChartProps) {
  const { ref, shown } = useRedraw(newest, newest.log);
  return (
    <div ref={ref} className="curve-cell">
      <ChartOfRun log={shown.log} view={shown} place={place} {...rest} />
    </div>
  );
}

interface ChartOfRunProps extends Omit<MetricChartProps, "newest"> {
  log: RunLog;
  /** Another one for each redraw of a growing log. */
  view: RunView;
}

/** Drawn once per view: the parent renders more often than that. */
const ChartOfRun = memo(function ChartOfRun(props: ChartOfRunProps) {
  const { log, seeds, metric, drawn, place, smoothing = 0 } = props;
  const weight = metric.source === "train" ? smoothing : 0;
  const names = drawn?.split(",") ?? drawnMethods(log.algorithms, []);
  const isDrawn = ({ id }: Curve) => names.includes(methodOf(id));
  const allBands = useMemo(() => seedCurves(seeds, log.algorithms, metric), [seeds, log, metric]);
  const bands = allBands.filter(isDrawn);
  const sender = useSenderCurves(log, metric).filter(isDrawn);
  const recorded = useGhosts(log, metric).filter(isDrawn);
  // What the link says of this run is nearer to it than what was recorded for the page.
  const ghosts = sender.length > 0 ? sender : recorded;
  const own = methodCurves(log, metric).filter(isDrawn);
  const [first, last] = xDomain(log);
  const mark = useExperimentState(selectMark);
  const ends = [...bands, ...ghosts].map(({ x }) => x.at(-1) ?? 0);
  return (
    <IterationChart
      title={metric.title}
      code={place === "" ? metric.key : undefined}
      hint={weight > 0 ? words.smoothing.said(metric.hint) : metric.hint}
      testId={`${place}chart-${metric.id}`}
      curves={[...own.map((one) => (weight > 0 ? smoothed(one, weight) : one)), ...bands]}
      behind={ghosts}
      xName={panelWords.curves.xName}
      mark={mark}
      xDomain={[first, greatest([last, ...ends])]}
      yDomain={metric.yDomain}
      format={metric.format}
      notes={missingNotes(metric, [log])}
    />
  );
});

/** The iteration that the cursor was put at; none while it follows the run. */
const selectMark = ({ view, choice }: ExperimentState) =>
  choice.iteration === null ? undefined : resolveChoice(view.log, choice).iteration;

const selectRecorded = ({ recorded, view }: ExperimentState) =>
  view.origin === "live" ? recorded : null;

const NO_CURVES: readonly Curve[] = [];

/** The recorded run's curves, which a live one is drawn over; none where it played other tasks or other methods. */
function useGhosts(log: RunLog, metric: Metric): readonly Curve[] {
  const recorded = useExperimentState(selectRecorded);
  const live = log.start;
  return useMemo(() => {
    const start = recorded?.log.start;
    if (!recorded || !start || !live || !playsTheSame(start.spec, live.spec)) return NO_CURVES;
    return methodCurves(recorded.log, metric)
      .filter(({ id }) => live.spec.algorithms.some(({ name }) => name === id))
      .map((curve) => ({ ...curve, weight: "ghost" }));
  }, [recorded, live, metric]);
}

/** Words first, with the name in logs. */
const optionText = ({ title, key }: Metric) => (title === key ? key : `${title} · ${key}`);

interface MetricChooserProps {
  view: RunView;
  value: string;
  onChange: (choice: string) => void;
}

function MetricChooser({ view, value, onChange }: MetricChooserProps) {
  const names = (source: "train" | "heldout") => view.log.metrics(source).toSorted();
  if (view.origin === "none") return null;
  return (
    <InlineField label={panelWords.curves.another}>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{panelWords.curves.none}</option>
        {(["train", "heldout"] as const).map((source) => (
          <optgroup key={source} label={source === "train" ? "training" : "held-out levels"}>
            {names(source).map((name) => (
              <option key={name} value={`${source}|${name}`}>
                {optionText(plainMetric(name, source))}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </InlineField>
  );
}
