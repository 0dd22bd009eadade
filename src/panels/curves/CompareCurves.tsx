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
import { useMethodChoice } from "./MethodChoice.tsx";
import { methodCurves } from "./methodCurves.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import { missingNotes } from "./missing.ts";
import { DEFAULT_METRICS, metricsOf, type Metric } from "./metrics.ts";
import { letterOf } from "./runGroups.ts";
import { words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";

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
  const names = [...new Set(shown.flatMap(({ view }) => view.log.algorithms))];
  const { drawn, choice } = useMethodChoice(names);
  if (!first) return <Empty>{panelWords.curves.empty}</Empty>;
  return (
    <>
      {choice}
      <div className="chart-grid">
        {metricsOf(metrics, environmentOf(first.view.log)).map((metric) => (
          <Compared key={metric.id} runs={shown} metric={metric} drawn={drawn} />
        ))}
      </div>
      <Differences runs={shown} />
    </>
  );
}

interface ComparedProps {
  runs: readonly ComparedRun[];
  metric: Metric;
  /** Names of methods. */
  drawn: readonly string[];
}

function Compared({ runs, metric, drawn }: ComparedProps) {
  const lines = useMemo(
    () => runs.map(({ view }) => methodCurves(view.log, metric)),
    [runs, metric],
  );
  const curves = runs.flatMap(({ id }, place) =>
    lines[place]!.filter((curve) => drawn.includes(curve.id)).map((curve) => ({
      ...curve,
      id: `${id} ${curve.id}`,
      name: words.compare.line(letterOf(place), id, titleOf(curve.id)),
      mark: letterOf(place),
    })),
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
      notes={missingNotes(
        metric,
        runs.map(({ view }) => view.log),
      )}
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
