/** Runs of several experiments in one chart for each metric, and in which settings they differ. */
import { useMemo } from "react";
import { plainInput } from "../../figures/curves/chart.ts";
import { configDiff } from "../../figures/curves/configDiff.ts";
import { letterOf, linesOfRun, methodsIn } from "../../figures/curves/lines.ts";
import { DEFAULT_METRICS, metricsOf } from "../../figures/curves/metrics.ts";
import { words } from "../../figures/curves/words.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { DataTable, type ShortColumn } from "../../ui/DataTable.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { useMethodChoice } from "./MethodChoice.tsx";
import { RunChart } from "./RunChart.tsx";
import { UnknownMetrics } from "./UnknownMetrics.tsx";

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
  const shown = useMemo(() => runs.filter(({ view }) => view.origin !== "none"), [runs]);
  const { drawn, choice } = useMethodChoice(methodsIn(shown.map(({ view }) => view.log)));
  const names = drawn.join();
  const inputs = useMemo(() => inputsOf(shown, metrics, names), [shown, metrics, names]);
  if (shown.length === 0) return <Empty>{words.empty}</Empty>;
  return (
    <>
      <UnknownMetrics metrics={metrics} logs={shown.map(({ view }) => view.log)} />
      {choice}
      <div className="chart-grid">
        {inputs.map((input) => (
          <RunChart key={input.metric.id} input={input} testId={`compare-${input.metric.id}`} />
        ))}
      </div>
      <Differences runs={shown} />
    </>
  );
}

/** `drawn`: names of methods, with commas. */
function inputsOf(runs: readonly ComparedRun[], metrics: string, drawn: string) {
  const logs = runs.map(({ view }) => view.log);
  const lines = runs.flatMap(({ id }, place) =>
    linesOfRun(logs[place]!).map((line) => ({
      ...line,
      id: `${id} ${line.method}`,
      name: words.compare.line(letterOf(place), id, line.name),
      mark: letterOf(place),
    })),
  );
  const chosen = lines.filter(({ method }) => drawn.split(",").includes(method));
  const charted = logs[0] ? metricsOf(metrics, environmentOf(logs[0])) : [];
  return charted.map((metric) => plainInput(metric, chosen, logs));
}

/** What a comparison rests on: an unfair one shows here. */
function Differences({ runs }: { runs: readonly ComparedRun[] }) {
  const rows = configDiff(runs.map(({ view }) => ({ spec: view.log.start?.spec ?? null })));
  if (runs.length < 2) return null;
  if (rows.length === 0) return <p className="note">{words.compare.same}</p>;
  return (
    <DataTable
      label={words.compare.differences}
      testId="compare-differences"
      className="code-table"
      columns={[
        [words.compare.setting, ({ path }) => <code>{path}</code>, "name"],
        ...runs.map(({ id }, place): ShortColumn<(typeof rows)[number]> => [
          `${letterOf(place)} · ${id}`,
          ({ values }) => values[place] ?? "—",
        ]),
      ]}
      rows={rows}
      keyOf={({ path }) => path}
    />
  );
}
