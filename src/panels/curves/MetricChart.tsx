/** One metric's chart in the lens: built and drawn in a task of its own, and only while it is on screen. */
import { memo, useEffect, useMemo, useState } from "react";
import { whileVisible, type ChartSync } from "../../charts/chartSync.ts";
import { CurveChart } from "../../charts/CurveChart.tsx";
import { useOwnPlace, useRedraw } from "../../charts/redrawQueue.ts";
import {
  jobInput,
  lineFigure,
  wholeFigure,
  type ChartInput,
  type CurveFigure,
} from "../../figures/curves/chart.ts";
import { Intervals } from "../../figures/curves/intervals.ts";
import { shownLog, type CurveJob } from "../../figures/curves/lines.ts";
import type { Metric } from "../../figures/curves/metrics.ts";
import { words } from "../../figures/curves/words.ts";
import { MenuItem } from "../../ui/Menu.tsx";

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
  const input = useMemo(() => jobInput(job, metric), [job, metric]);
  return (
    <CurveChart
      figure={useFigure(input)}
      whole={() => wholeFigure(input)}
      testId={`chart-${metric.id}`}
      sync={sync}
      keys
      namedElsewhere
      more={<MenuItem onSelect={() => onRemove(metric.id)}>{words.removeShort}</MenuItem>}
    />
  );
});

/** One for the page: what is known of some numbers holds wherever they appear. */
const intervals = new Intervals();
/** Milliseconds for intervals in a chart's first redraw, which is busy enough, and in those that bring what is left. */
const TIME_LIMIT = { first: 4, later: 8 };

/** The chart of an input: intervals that could not be found in one redraw come with the next. */
export function useFigure(input: ChartInput, build = lineFigure): CurveFigure {
  const [last, setLast] = useState({ input, pass: 0 });
  const pass = last.input === input ? last.pass : 0;
  const figure = useMemo(() => {
    intervals.allow(pass === 0 ? TIME_LIMIT.first : TIME_LIMIT.later);
    return build(input, intervals);
  }, [build, input, pass]);
  const ask = useOwnPlace();
  useEffect(
    () => ask(figure.unfinished ? () => setLast({ input, pass: pass + 1 }) : null),
    [ask, figure, input, pass],
  );
  return figure;
}
