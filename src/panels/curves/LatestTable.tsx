/** The newest numbers of every line side by side, with differences to the baseline. */
import { formatSignedLike } from "../../numeric/format.ts";
import { useRedraw } from "../../charts/redrawQueue.ts";
import type { Curve } from "../../charts/curveTypes.ts";
import { differenceTo } from "../../charts/difference.ts";
import type { CurveAxis } from "../../store/curvesView.ts";
import { formatX } from "./axes.ts";
import { buildCurves } from "./curves.ts";
import { Intervals } from "./intervals.ts";
import { latestOf } from "./latest.ts";
import { shownLog, type CurveJob } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { memo, useMemo } from "react";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { words } from "./words.ts";

const text = words.latest;

interface LatestTableProps {
  job: CurveJob;
  metrics: readonly Metric[];
}

export function LatestTable({ job, metrics }: LatestTableProps) {
  const { ref, shown } = useRedraw(job, shownLog(job));
  return (
    <section ref={ref} aria-label={text.title} className="curve-latest">
      <h4>{text.title}</h4>
      <Numbers job={shown} metrics={metrics} />
    </section>
  );
}

/** No intervals are asked for here, so none is waited for. */
const intervals = new Intervals();

const Numbers = memo(function Numbers({ job, metrics }: LatestTableProps) {
  const columns = useMemo(() => {
    const plain = { ...job, settings: { ...job.settings, interval: "none" as const } };
    return metrics.map((metric) => buildCurves(plain, metric, intervals).curves);
  }, [job, metrics]);
  const lines = columns[0] ?? [];
  const baseline = lines.findIndex(({ weight }) => weight === "baseline");
  if (lines.length === 0) return null;
  const { axis } = job.settings;
  const byIteration = axis === "iteration";
  return (
    <>
      <p className="note">
        {text.note}{" "}
        {baseline >= 0 &&
          text.difference[byIteration ? "iteration" : "x"](
            lines[baseline]!.name,
            words.axis.names[axis],
          )}
      </p>
      <DataTable
        label={text.title}
        testId="latest-table"
        columns={[
          { id: "line", head: text.line, kind: "name", cell: ({ name }) => name },
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
