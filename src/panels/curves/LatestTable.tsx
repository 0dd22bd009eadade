/** The newest numbers of every line side by side, with differences to the baseline. */
import { memo, useMemo } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { formatX } from "../../figures/curves/axes.ts";
import { jobInput, lineFigure } from "../../figures/curves/chart.ts";
import { differenceTo, latestOf, type Curve } from "../../figures/curves/curve.ts";
import { shownLog, type CurveJob } from "../../figures/curves/lines.ts";
import type { Metric } from "../../figures/curves/metrics.ts";
import { words } from "../../figures/curves/words.ts";
import { formatSignedLike } from "../../numeric/format.ts";
import type { CurveAxis } from "../../store/curvesView.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";

const text = words.latest;

interface LatestTableProps {
  job: CurveJob;
  metrics: readonly Metric[];
}

export function LatestTable({ job, metrics }: LatestTableProps) {
  const { ref, shown } = useRedraw(job, shownLog(job));
  return (
    <section ref={ref} aria-label={text.title} className="curve-part curve-latest">
      <h4>{text.title}</h4>
      <Numbers job={shown} metrics={metrics} />
    </section>
  );
}

const Numbers = memo(function Numbers({ job, metrics }: LatestTableProps) {
  // No intervals are asked for here, so none is waited for.
  const columns = useMemo(() => {
    const plain = { ...job, settings: { ...job.settings, interval: "none" as const } };
    return metrics.map((metric) => lineFigure(jobInput(plain, metric)).curves);
  }, [job, metrics]);
  const lines = columns[0] ?? [];
  const baseline = lines.findIndex(({ weight }) => weight === "baseline");
  if (lines.length === 0) return null;
  const { axis } = job.settings;
  const difference = text.difference[axis === "iteration" ? axis : "x"];
  return (
    <>
      <p className="note">
        {text.note} {baseline >= 0 && difference(lines[baseline]!.name, words.axis.names[axis])}
      </p>
      <DataTable
        label={text.title}
        testId="latest-table"
        columns={[
          [text.line, ({ name }) => name, "name"],
          ...metrics.map(({ id, title, format }, i): TableColumn<Curve> => ({
            id,
            head: title,
            kind: "number",
            cell: (_line, row) => (
              <Cell
                curve={columns[i]![row]!}
                baseline={row === baseline ? undefined : columns[i]![baseline]}
                format={format}
                axis={axis}
              />
            ),
          })),
        ]}
        rows={lines}
        keyOf={({ id }) => id}
        rowProps={({ id }) => ({ "data-line": id })}
      />
    </>
  );
});

interface CellProps {
  curve: Curve;
  baseline: Curve | undefined;
  format: (value: number) => string;
  axis: CurveAxis;
}

function Cell({ curve, baseline, format, axis }: CellProps) {
  const latest = latestOf(curve);
  const difference = baseline && differenceTo(curve, baseline, axis === "iteration");
  if (!latest) return text.none;
  const value = latest.value === null ? words.notFinite : format(latest.value);
  return (
    <>
      <span title={text.at(latest.iteration)}>{value}</span>
      {difference && (
        <span
          className="curve-difference"
          title={text.differenceAt(words.axis.names[axis], formatX(axis, difference.x))}
        >
          {formatSignedLike(format, difference.value)}
        </span>
      )}
    </>
  );
}
