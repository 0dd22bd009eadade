/** The sender's curves, overlaid by the reader's; beside them the last numbers of both. */
import { useMemo } from "react";
import { formatSignedLike } from "../../numeric/format.ts";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { lineStyles } from "../../charts/palette.ts";
import { greatest } from "../../numeric/lists.ts";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { plainInput } from "../../figures/curves/chart.ts";
import { linesOfRun, senderLines } from "../../figures/curves/lines.ts";
import { hasMetric, namedMetrics, type Metric } from "../../figures/curves/metrics.ts";
import { RunChart } from "../../panels/curves/RunChart.tsx";
import { environmentOf } from "../../reading/curveMetrics.ts";
import type { FingerprintCheck } from "../../reading/fingerprint.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { words } from "./words.ts";

interface SharedCurvesProps {
  sent: RunLog;
  /** The run that is compared; null before there is one. */
  log: RunLog | null;
  /** Changes for each redraw of a growing log. */
  view: RunView;
  check: FingerprintCheck;
}

export function SharedCurves({ sent, log, view, check }: SharedCurvesProps) {
  const metrics = useMemo(
    () => Object.values(namedMetrics(environmentOf(sent))).filter((one) => hasMetric(sent, one)),
    [sent],
  );
  const [first, second = first] = metrics;
  if (!first || !second) return null;
  return (
    <div className="shared-curves">
      <div>
        <div className="shared-key">
          <h3>{words.training}</h3>
          <span>
            <i className="shared-band" />
            {words.sender}
          </span>
          <span>
            <LineSwatch colour="var(--ink-2)" dash="" />
            {words.you}
          </span>
        </div>
        <Overlaid {...{ sent, log, view, check }} metric={first} />
      </div>
      <div>
        <LastNumbers {...{ sent, log, exact: check.state === "reproduced" }} metric={second} />
        {second !== first && <Overlaid {...{ sent, log, view, check }} metric={second} />}
      </div>
    </div>
  );
}

type OverlaidProps = SharedCurvesProps & { metric: Metric };

function Overlaid({ sent, log, view, check, metric }: OverlaidProps) {
  const mark = check.state === "diverged" ? (check.iteration ?? undefined) : undefined;
  const { ref, shown } = useRedraw(view, view.log);
  const input = useMemo(
    () => ({
      ...plainInput(metric, log && shown.log === log ? linesOfRun(log) : [], [sent]),
      behind: senderLines(sent),
      notes: mark === undefined ? [] : [words.differsFrom(mark)],
    }),
    [sent, log, shown, metric, mark],
  );
  return (
    <div ref={ref} className="curve-cell">
      <RunChart input={input} testId={`shared-${metric.id}`} mark={mark} />
    </div>
  );
}

interface LastNumbersProps {
  sent: RunLog;
  log: RunLog | null;
  /**
   * Whether it equals the sender's bit for bit: then so do the numbers that the link has rounded.
   */
  exact: boolean;
  metric: Metric;
}

/** Both runs at the sender's last iteration. */
function LastNumbers(props: LastNumbersProps) {
  const { title, hint, format } = props.metric;
  const { at, rows } = lastNumbers(props);
  const styles = lineStyles(props.sent.algorithms);
  return (
    <>
      <h3>{words.at(at)}</h3>
      <p className="note">
        {title}. {hint}
      </p>
      <DataTable
        className="shared-table"
        testId="shared-table"
        rows={rows}
        keyOf={({ algorithm }) => algorithm}
        columns={[
          [
            words.method,
            ({ algorithm }) => (
              <>
                <LineSwatch {...styles.get(algorithm)!} /> {titleOf(algorithm)}
              </>
            ),
            "name",
          ],
          [words.senderColumn, ({ theirs }) => written(theirs, format), "number"],
          [words.youColumn, ({ yours }) => <strong>{written(yours, format)}</strong>, "number"],
          [words.difference, (row) => difference(row, format), "number"],
        ]}
      />
    </>
  );
}

function written(value: number | null | undefined, format: Metric["format"]): string {
  return typeof value === "number" ? format(value) : words.none;
}

function difference({ theirs, yours }: LastRow, format: Metric["format"]): string {
  if (yours === undefined) return words.notYet;
  if (typeof theirs !== "number" || yours === null) return words.none;
  return formatSignedLike(format, yours - theirs);
}

interface LastRow {
  algorithm: string;
  theirs: number | null | undefined;
  /** Undefined if the run here has not got so far. */
  yours: number | null | undefined;
}

function lastNumbers({ sent, log, exact, metric: { key, source } }: LastNumbersProps) {
  const series = sent.algorithms.map((algorithm) => sent.series(algorithm, key, source));
  const at = greatest(series.map(({ x }) => x.at(-1) ?? 0));
  const rows = sent.algorithms.map((algorithm, method): LastRow => {
    const own = log?.series(algorithm, key, source);
    const place = own?.x.indexOf(at) ?? -1;
    const yours = place < 0 ? undefined : (own!.y[place] ?? null);
    const { x, y } = series[method]!;
    return { algorithm, yours, theirs: exact ? yours : (y[x.indexOf(at)] ?? null) };
  });
  return { at, rows };
}
