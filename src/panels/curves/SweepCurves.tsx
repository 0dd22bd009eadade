/** Finished runs of a sweep: a table of where they ended, and a line with its interval over seeds for each setting. */
import { useMemo } from "react";
import type { Curve } from "../../charts/curveTypes.ts";
import { IterationChart } from "../../charts/IterationChart.tsx";
import { greatest, least } from "../../numeric/lists.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { xDomain } from "../../reading/xDomain.ts";
import { START_VIEW } from "../../store/curvesView.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { runsOf } from "../../store/runs.ts";
import { noRun } from "../../reading/log/runLog.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { panelWords } from "../shared/strings.ts";
import { buildCurves } from "./curves.ts";
import { Intervals } from "./intervals.ts";
import { collapsesIn, endOfRuns } from "./ends.ts";
import { missingNotes } from "./missing.ts";
import { metricsOf, type Metric } from "./metrics.ts";
import { letterOf } from "./runGroups.ts";
import { words as all } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";

const words = all.sweep;

/** Runs that differ in their seed only. */
interface SweptSetting {
  name: string;
  /** Runs that there will be. */
  planned: number;
  /** Those that have finished. */
  logs: readonly RunLog[];
}

interface SweepCurvesProps {
  settings: readonly SweptSetting[];
  /** Ids as the curves have them; absent: reward and held-out success. */
  metrics?: string | undefined;
}

export function SweepCurves({ settings, metrics = "reward, heldout" }: SweepCurvesProps) {
  const first = settings.flatMap(({ logs }) => logs)[0];
  const shown = useMemo(
    () => (first ? metricsOf(metrics, environmentOf(first)) : []),
    [first, metrics],
  );
  const lines = shown.map((metric) => ({ metric, curves: linesOf(settings, metric) }));
  if (!first) return <Empty>{words.empty}</Empty>;
  const domains = settings.flatMap(({ logs }) => logs.map(xDomain));
  return (
    <>
      <Ends settings={settings} lines={lines} />
      <div className="chart-grid">
        {lines.map(({ metric, curves }) => (
          <IterationChart
            key={metric.id}
            title={metric.title}
            hint={metric.hint}
            testId={`sweep-${metric.id}`}
            curves={curves.map(({ curve }) => curve)}
            xName={panelWords.curves.xName}
            xDomain={[least(domains.map(([from]) => from)), greatest(domains.map(([, to]) => to))]}
            yDomain={metric.yDomain}
            format={metric.format}
            notes={missingNotes(
              metric,
              settings.flatMap(({ logs }) => logs),
            )}
          />
        ))}
      </div>
    </>
  );
}

/** A method's line in one setting. */
interface SweepLine {
  curve: Curve;
  setting: number;
  method: string;
}

/** Each interval is found once, however often the cell is drawn. */
const intervals = new Intervals();

function linesOf(settings: readonly SweptSetting[], metric: Metric): SweepLine[] {
  return settings.flatMap(({ name, logs }, setting) => {
    const runs = runsOf(noRun(), null, { runs: [] }, logs);
    const letter = letterOf(setting);
    return buildCurves({ runs, settings: START_VIEW }, metric, intervals).curves.map((curve) => {
      const method = curve.id.split("|").at(-1)!;
      const title = words.line(letter, name, titleOf(method));
      const id = `${letter}|${method}`;
      return { setting, method, curve: { ...curve, id, name: title, mark: letter } };
    });
  });
}

interface EndsProps {
  settings: readonly SweptSetting[];
  lines: readonly { metric: Metric; curves: readonly SweepLine[] }[];
}

function Ends({ settings, lines }: EndsProps) {
  const rows = lines[0]?.curves ?? [];
  return (
    <DataTable
      label={words.title}
      testId="sweep-table"
      columns={[
        {
          id: "setting",
          head: words.setting,
          kind: "name",
          cell: ({ setting }) => words.named(letterOf(setting), settings[setting]!.name),
        },
        { id: "method", head: words.method, cell: ({ method }) => titleOf(method) },
        {
          id: "runs",
          head: words.runs,
          kind: "number",
          cell: ({ setting, method }) => {
            const { logs, planned } = settings[setting]!;
            return words.of(logs.length, planned, collapsesIn(logs, method));
          },
        },
        ...lines.map(({ metric }): TableColumn<SweepLine> => ({
          id: metric.id,
          head: metric.title,
          kind: "number",
          cell: ({ setting, method }) => endText(settings[setting]!.logs, method, metric),
        })),
      ]}
      rows={rows}
      keyOf={({ curve }) => curve.id}
    />
  );
}

/** The mean of the last numbers, with its interval where there are several runs. */
function endText(logs: readonly RunLog[], method: string, metric: Metric): string {
  const end = endOfRuns(logs, method, metric);
  if (!end) return "—";
  const { format } = metric;
  if (!end.interval) return format(end.value);
  return words.interval(format(end.value), format(end.interval.low), format(end.interval.high));
}
