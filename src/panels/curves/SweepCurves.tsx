/** Finished runs of a sweep: a table of where they ended, and a line with its interval over seeds for each setting. */
import { plainInput } from "../../figures/curves/chart.ts";
import { causeVerdict, conclusions } from "../../figures/curves/conclude.ts";
import { collapsesIn, endText } from "../../figures/curves/ends.ts";
import {
  letterOf,
  methodLine,
  methodsIn,
  MOST_METHODS,
  type RunLine,
} from "../../figures/curves/lines.ts";
import { DEFAULT_METRICS, metricsOf, type Metric } from "../../figures/curves/metrics.ts";
import { words as all } from "../../figures/curves/words.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { DataTable, type ShortColumn } from "../../ui/DataTable.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { RunChart } from "./RunChart.tsx";
import { UnknownMetrics } from "./UnknownMetrics.tsx";

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
  /** Its first two settings test a cause. */
  isTest?: boolean;
}

export function SweepCurves({
  settings,
  metrics = DEFAULT_METRICS.compare.join(),
  isTest = false,
}: SweepCurvesProps) {
  const logs = settings.flatMap((setting) => setting.logs);
  const [first] = logs;
  if (!first) return <Empty>{words.empty}</Empty>;
  const shown = metricsOf(metrics, environmentOf(first));
  const lines = withLooks(settings.flatMap(linesOfSetting));
  const looks = lines.flatMap(({ look }) => look ?? []);
  // Held-out success judges, where it is shown.
  const judge = shown.find(({ id }) => id === "heldout") ?? shown[0];
  return (
    <>
      <UnknownMetrics metrics={metrics} logs={logs} />
      <Ends lines={lines} metrics={shown} />
      <Conclusions {...{ settings, isTest }} metric={judge} methods={methodsIn(logs)} />
      <div className="chart-grid">
        {shown.map((metric) => (
          <RunChart
            key={metric.id}
            input={{
              ...plainInput(metric, lines, logs),
              ...(looks.length > 0 && { methods: looks }),
            }}
            testId={`sweep-${metric.id}`}
          />
        ))}
      </div>
    </>
  );
}

interface ConclusionsProps {
  settings: readonly SweptSetting[];
  methods: readonly string[];
  metric: Metric | undefined;
  isTest: boolean;
}

function Conclusions({ settings, methods, metric, isTest }: ConclusionsProps) {
  const [first, second] = settings;
  if (!metric || !second) return null;
  const said = conclusions(settings, methods, metric);
  const tested = isTest && methods[0] !== undefined;
  const verdict = tested && causeVerdict([first!.logs, second.logs], methods[0]!, metric);
  return (
    <div data-testid="sweep-conclusions">
      {verdict && (
        <p>
          <strong>{verdict}</strong>
        </p>
      )}
      {said.map((sentence) => (
        <p key={sentence} className="note">
          {sentence}
        </p>
      ))}
    </div>
  );
}

/** A method's line in one setting. */
type SweepLine = RunLine & Pick<SweptSetting, "planned"> & { setting: string };

function linesOfSetting({ name, planned, logs }: SweptSetting, place: number): SweepLine[] {
  const mark = letterOf(place);
  return methodsIn(logs).map((method) => ({
    ...methodLine(method, logs, { mark, id: `${mark}|${method}` }),
    name: words.line(mark, name, titleOf(method)),
    planned,
    setting: words.named(mark, name),
  }));
}

/** Each setting of a method has a colour and a dash of its own, where there are enough; a single setting keeps the method's. */
function withLooks(lines: SweepLine[]): SweepLine[] {
  const isOne = new Set(lines.map(({ mark }) => mark)).size < 2;
  return isOne || lines.length > MOST_METHODS
    ? lines
    : lines.map((line) => ({ ...line, look: line.id }));
}

function Ends({ lines, metrics }: { lines: readonly SweepLine[]; metrics: readonly Metric[] }) {
  return (
    <DataTable
      label={words.title}
      testId="sweep-table"
      className="code-table"
      columns={[
        [words.setting, ({ setting }) => setting, "name"],
        [words.method, ({ method }) => titleOf(method)],
        [
          words.runs,
          ({ logs, planned, method }) => words.of(logs.length, planned, collapsesIn(logs, method)),
          "number",
        ],
        ...metrics.map((metric): ShortColumn<SweepLine> => [
          metric.title,
          ({ logs, method }) => endText(logs, method, metric),
          "number",
        ]),
      ]}
      rows={lines}
      keyOf={({ id }) => id}
    />
  );
}
