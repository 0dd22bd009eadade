/** Learning curves: one chart per metric, one line per algorithm. */
import { memo, useMemo, useState } from "react";
import type { ChartBand } from "../../charts/describe.ts";
import { LineChart } from "../../charts/LineChart.tsx";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { greatest } from "../../numeric/lists.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { fitting } from "../../store/seeds.ts";
import { OriginTag } from "../shared/OriginTag.tsx";
import { strings } from "../shared/strings.ts";
import { chartSeries } from "./chartSeries.ts";
import { xDomain } from "../../reading/xDomain.ts";
import { FairnessCard } from "./FairnessCard.tsx";
import { curves } from "./manifest.ts";
import { environmentOf, metricsOf, plainMetric, type Metric } from "./metrics.ts";
import { seedBands } from "./seedBands.ts";

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
  const shown = useMemo(
    () => [...metricsOf(metrics, environment), ...extraMetric(another)],
    [metrics, environment, another],
  );
  return (
    <section className="panel" aria-label={curves.title} data-testid="curves-panel">
      <header className="panel-header">
        <h3>{curves.title}</h3>
        <OriginTag />
      </header>
      {view.origin === "none" && <p className="empty">{strings.curves.empty}</p>}
      <div className="chart-grid">
        {shown.map((metric) => (
          <MetricChart key={metric.id} newest={view} seeds={seeds} metric={metric} />
        ))}
      </div>
      {seeds.length > 0 && <SeedsNote seeds={seeds} view={view} />}
      <FairnessCard log={view.log} />
      <MetricChooser view={view} value={another} onChange={setAnother} />
    </section>
  );
}

const selectSeeds = (state: ExperimentState) => state.seeds;
const selectCommand = (state: ExperimentState) => state.seedsCommand;
/** What the bands are, and how to make them again. */
function SeedsNote({ seeds, view }: { seeds: readonly RunLog[]; view: RunView }) {
  const command = useExperimentState(selectCommand);
  const crashed = seeds.filter(({ crashes }) => crashes.length > 0).length;
  return (
    <p className="note" data-testid="seeds-note">
      {strings.curves.seeds(seedCount(seeds), view.origin === "live", crashed)}{" "}
      {command !== "" && <code>{command}</code>}
    </p>
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
}

/** In a task of its own, and only while it is on screen. */
function MetricChart({ newest, seeds, metric }: MetricChartProps) {
  const { ref, shown } = useRedraw(newest, newest.log);
  return (
    <div ref={ref} className="curve-cell">
      <ChartOfRun view={shown} seeds={seeds} metric={metric} />
    </div>
  );
}

type ChartProps = Omit<MetricChartProps, "newest"> & { view: RunView };

function withBands([first, last]: [number, number], bands: readonly ChartBand[]): [number, number] {
  return [first, greatest([last, ...bands.map(({ points }) => points.at(-1)!.x)])];
}

/** Drawn once per view: the parent renders more often than that. */
const ChartOfRun = memo(function ChartOfRun({ view, seeds, metric }: ChartProps) {
  const { log } = view;
  const bands = useMemo(() => seedBands(seeds, log.algorithms, metric), [seeds, log, metric]);
  return (
    <LineChart
      title={metric.title}
      hint={metric.hint}
      testId={`chart-${metric.id}`}
      series={chartSeries(view.log, metric)}
      xName={strings.curves.xName}
      bands={bands}
      xDomain={withBands(xDomain(log), bands)}
      {...(metric.yDomain && { yDomain: metric.yDomain })}
      format={metric.format}
    />
  );
});

interface MetricChooserProps {
  view: RunView;
  value: string;
  onChange: (choice: string) => void;
}

function MetricChooser({ view, value, onChange }: MetricChooserProps) {
  const names = (source: "train" | "heldout") => view.log.metrics(source).toSorted();
  if (view.origin === "none") return null;
  return (
    <label className="inline-field">
      {strings.curves.another}
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{strings.curves.none}</option>
        {(["train", "heldout"] as const).map((source) => (
          <optgroup key={source} label={source === "train" ? "training" : "held-out levels"}>
            {names(source).map((name) => (
              <option key={name} value={`${source}|${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
