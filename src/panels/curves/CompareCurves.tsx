/** Runs of several experiments in one chart for each metric, and in which settings they differ. */
import { useMemo } from "react";
import { IterationChart } from "../../charts/IterationChart.tsx";
import { greatest, least } from "../../numeric/lists.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { xDomain } from "../../reading/xDomain.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { panelWords } from "../shared/strings.ts";
import { configDiff } from "./configDiff.ts";
import { methodCurves } from "./methodCurves.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { DEFAULT_METRICS, metricsOf, type Metric } from "./metrics.ts";
import { letterOf } from "./runGroups.ts";
import { words } from "./words.ts";

/** An experiment by its name, with the run that it shows. */
export interface ComparedRun {
  id: string;
  view: RunView;
}

interface CompareCurvesProps {
  runs: readonly ComparedRun[];
  /** Ids as the curves have them; absent: reward and held-out success. */
  metrics?: string | undefined;
}

export function CompareCurves({
  runs,
  metrics = DEFAULT_METRICS.compare.join(),
}: CompareCurvesProps) {
  const shown = runs.filter(({ view }) => view.origin !== "none");
  const [first] = shown;
  if (!first) return <p className="empty">{panelWords.curves.empty}</p>;
  return (
    <>
      <div className="chart-grid">
        {metricsOf(metrics, environmentOf(first.view.log)).map((metric) => (
          <Compared key={metric.id} runs={shown} metric={metric} />
        ))}
      </div>
      <Differences runs={shown} />
    </>
  );
}

function Compared({ runs, metric }: { runs: readonly ComparedRun[]; metric: Metric }) {
  const curves = useMemo(
    () =>
      runs.flatMap(({ id, view }, place) =>
        methodCurves(view.log, metric).map((curve) => ({
          ...curve,
          id: `${id} ${curve.id}`,
          name: words.compare.line(letterOf(place), id, titleOf(curve.id)),
          mark: letterOf(place),
        })),
      ),
    [runs, metric],
  );
  const domains = runs.map(({ view }) => xDomain(view.log));
  return (
    <IterationChart
      title={metric.title}
      hint={metric.hint}
      testId={`compare-${metric.id}`}
      curves={curves}
      xName={panelWords.curves.xName}
      xDomain={[least(domains.map(([from]) => from)), greatest(domains.map(([, to]) => to))]}
      yDomain={metric.yDomain}
      format={metric.format}
    />
  );
}

/** What a comparison rests on: an unfair one shows here. */
function Differences({ runs }: { runs: readonly ComparedRun[] }) {
  const rows = configDiff(runs.map(({ view }) => ({ spec: specOf(view.log) })));
  const names = runs.map(({ id }, place) => `${letterOf(place)} · ${id}`);
  if (runs.length < 2) return null;
  if (rows.length === 0) return <p className="note">{words.compare.same}</p>;
  return (
    <DataTable
      label={words.compare.differences}
      testId="compare-differences"
      className="code-table"
      columns={[
        {
          id: "path",
          head: words.compare.setting,
          kind: "name",
          cell: ({ path }) => <code>{path}</code>,
        },
        ...names.map((head, i) => ({
          id: head,
          head,
          cell: ({ values }: (typeof rows)[number]) => values[i] ?? "—",
        })),
      ]}
      rows={rows}
      keyOf={({ path }) => path}
    />
  );
}

const specOf = (log: RunLog) => log.start?.spec ?? null;
