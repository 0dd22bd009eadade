/** One metric's chart in the lens: built and drawn in a task of its own, and only while it is on screen. */
import { memo, useEffect, useMemo } from "react";
import { whileVisible, type ChartSync } from "../../charts/chartSync.ts";
import { belowLog, heightsOf } from "../../charts/curve.ts";
import { CurveChart } from "../../charts/CurveChart.tsx";
import { MenuItem } from "../../ui/Menu.tsx";
import { countOutside } from "../../charts/outliers.ts";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { fitAxis } from "../../charts/scale.ts";
import { formatX, fullDomain, xTitle } from "./axes.ts";
import type { BuiltCurves } from "./curves.ts";
import { shownLog, shownRuns, type CurveJob } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { allCurves, svgOf } from "./picture.tsx";
import { useCurves } from "./useCurves.ts";
import { words } from "./words.ts";

interface MetricChartProps {
  job: CurveJob;
  metric: Metric;
  sync: ChartSync;
  onRemove: (id: string) => void;
}

export function MetricChart({ job, sync, ...rest }: MetricChartProps) {
  const { ref, shown, visible } = useRedraw(job, shownLog(job));
  const own = useMemo(() => whileVisible(sync), [sync]);
  useEffect(() => own.setVisible(visible), [own, visible]);
  return (
    <div ref={ref} className="curve-cell">
      <Drawn job={shown} sync={own} {...rest} />
    </div>
  );
}

const Drawn = memo(function Drawn({ job, metric, sync, onRemove }: MetricChartProps) {
  const built = useCurves(job, metric);
  const { axis, log, trim, domain } = job.settings;
  const xDomain = useMemo(
    () =>
      domain ??
      fullDomain(
        shownRuns(job).map((run) => run.log),
        axis,
      ),
    [job, domain, axis],
  );
  const heights = useMemo(
    () => heightsOf(built.curves, xDomain, trim ? { log } : null),
    [built, xDomain, trim, log],
  );
  const y = useMemo(() => fitAxis(heights.values, log, metric.yDomain), [heights, log, metric]);
  const outside = useMemo(
    () => (trim ? countOutside(built.curves, xDomain, y) : 0),
    [trim, built, xDomain, y],
  );
  const plot = {
    curves: built.curves,
    xDomain,
    xTitle: xTitle(axis),
    formatX: (x: number) => formatX(axis, x),
    y,
    format: metric.format,
  };
  return (
    <CurveChart
      {...plot}
      title={metric.title}
      hint={metric.hint}
      testId={`chart-${metric.id}`}
      xName={words.axis.names[axis]}
      byIteration={axis === "iteration"}
      sync={sync}
      keys
      namedElsewhere
      code={metric.key}
      notes={notesOf(built, log, heights.cut && metric.yDomain === undefined, outside)}
      file={{
        name: metric.key,
        xName: words.axis.names[axis],
        curves: () => allCurves(job, metric),
        picture: () => svgOf(job, metric),
      }}
      more={<MenuItem onSelect={() => onRemove(metric.id)}>{words.removeShort}</MenuItem>}
    />
  );
});

function notesOf(
  { curves, lost }: BuiltCurves,
  log: boolean,
  cut: boolean,
  outside: number,
): string[] {
  const below = log ? belowLog(curves) : 0;
  return [
    ...(lost.length > 0 ? [words.axis.missing(lost.join(", "))] : []),
    ...(cut ? [words.interval.cut] : []),
    ...(outside > 0 ? [words.trim.outside(outside)] : []),
    ...(below > 0 ? [words.log.missing(below)] : []),
    ...(curves.some(({ crashes, note }) => crashes.length > 0 && note !== "")
      ? [words.crossNote]
      : []),
  ];
}
