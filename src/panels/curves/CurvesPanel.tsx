/** Learning curves: one chart per metric, one line per algorithm. */
import { memo, useMemo, useState } from "react";
import { LineChart } from "../../charts/LineChart.tsx";
import { useRedraw } from "../../charts/redrawQueue.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import type { RunView } from "../../store/runLog.ts";
import { OriginTag } from "../OriginTag.tsx";
import { strings } from "../strings.ts";
import { chartSeries, xDomain } from "./chartSeries.ts";
import { FairnessCard } from "./FairnessCard.tsx";
import { environmentOf, metricsOf, plainMetric, type Metric } from "./metrics.ts";

const selectView = (state: ExperimentState) => state.view;

interface CurvesPanelProps {
  /** Ids from the cell, e.g. "reward, success". */
  metrics?: string | undefined;
}

export function CurvesPanel({ metrics }: CurvesPanelProps) {
  const view = useExperimentState(selectView);
  const [another, setAnother] = useState("");
  const environment = environmentOf(view.log);
  const shown = useMemo(
    () => [...metricsOf(metrics, environment), ...extraMetric(another)],
    [metrics, environment, another],
  );
  return (
    <section className="panel" aria-label={strings.curves.title} data-testid="curves-panel">
      <header className="panel-header">
        <h3>{strings.curves.title}</h3>
        <OriginTag />
      </header>
      {view.origin === "none" && <p className="empty">{strings.curves.empty}</p>}
      <div className="chart-grid">
        {shown.map((metric) => (
          <MetricChart key={metric.id} newest={view} metric={metric} />
        ))}
      </div>
      <FairnessCard log={view.log} />
      <MetricChooser view={view} value={another} onChange={setAnother} />
    </section>
  );
}

function extraMetric(choice: string): Metric[] {
  const [source, name] = choice.split("|");
  return name === undefined ? [] : [plainMetric(name, source === "heldout" ? "heldout" : "train")];
}

interface MetricChartProps {
  newest: RunView;
  metric: Metric;
}

/** In a task of its own, and only while it is on screen. */
function MetricChart({ newest, metric }: MetricChartProps) {
  const { ref, shown } = useRedraw(newest, newest.log);
  return (
    <div ref={ref} className="curve-cell">
      <ChartOfRun view={shown} metric={metric} />
    </div>
  );
}

/** Drawn once per view: the parent renders more often than that. */
const ChartOfRun = memo(function ChartOfRun({ view, metric }: { view: RunView; metric: Metric }) {
  return (
    <LineChart
      title={metric.title}
      hint={metric.hint}
      testId={`chart-${metric.id}`}
      series={chartSeries(view.log, metric)}
      xName={strings.curves.xName}
      xDomain={xDomain(view.log)}
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
