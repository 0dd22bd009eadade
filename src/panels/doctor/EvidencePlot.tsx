/** One metric over a run's iterations, with the limits of a finding and its first bad iteration. */
import { niceTicks } from "../../numeric/axis.ts";
import { downsample } from "../../numeric/downsample.ts";
import { formatNumber, shorten } from "../../numeric/format.ts";
import { greatest, least } from "../../numeric/lists.ts";
import type { Series } from "../../reading/log/runLog.ts";
import { words } from "./words.ts";
import type { PointerEvent } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { setCurves } from "../../store/curvesView.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";

const WIDTH = 300;
const HEIGHT = 96;
/** Left for the numbers of the axes. */
const LEFT = 46;
const FOOT = 16;
const EDGE = 7;
/** Narrower than this, in points of the drawing, two numbers of an axis would touch. */
const APART = 24;

interface EvidencePlotProps {
  series: Series;
  metric: string;
  limits: readonly number[];
  firstBad: number;
}

export function EvidencePlot({ series, metric, limits, firstBad }: EvidencePlotProps) {
  const points = downsample(series.x, series.y, 120);
  const finite = points.flatMap(({ y }) => (y === null ? [] : [y]));
  if (finite.length < 2) return null;
  const reach = [...finite, ...limits];
  const all = niceTicks(least(reach), greatest(reach));
  const ticks = [all[0]!, all.at(-1)!];
  const [first, last] = [points[0]!.x, points.at(-1)!.x];
  const part = (value: number, from: number, to: number) => (value - from) / (to - from || 1);
  const x = (n: number) => LEFT + part(n, first, last) * (WIDTH - LEFT - EDGE);
  const y = (value: number) =>
    HEIGHT - FOOT - part(value, ticks[0]!, ticks[1]!) * (HEIGHT - FOOT - EDGE);
  const path = points
    .map(({ x: n, y: value }, i) => {
      if (value === null) return "";
      const starts = i === 0 || points[i - 1]!.y === null;
      return `${starts ? "M" : "L"}${x(n).toFixed(1)},${y(value).toFixed(1)}`;
    })
    .join("");
  return (
    <figure className="doctor-figure">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="doctor-plot"
        role="img"
        aria-label={`${words.plot(metric)}; ${words.plotHint(limits.length)}`}
      >
        <Axes x={x} y={y} ticks={ticks} ends={[first, last]} firstBad={firstBad} />
        {limits.map((limit) => (
          <path key={limit} d={`M${LEFT},${y(limit)}H${WIDTH}`} className="doctor-limit" />
        ))}
        <path d={`M${x(firstBad)},0V${HEIGHT - FOOT}`} className="doctor-first" />
        <path d={path} className="doctor-line" />
        <Followed x={x} ends={[first, last]} height={HEIGHT - FOOT} />
      </svg>
      <figcaption className="chart-hint">
        {words.iterations(first, last)}; {words.plotHint(limits.length)}
      </figcaption>
    </figure>
  );
}

interface AxesProps {
  x: (iteration: number) => number;
  y: (value: number) => number;
  ticks: readonly number[];
  /** First and last iteration. */
  ends: readonly [number, number];
  firstBad: number;
}

/** The outermost numbers of both axes, and the first bad iteration where there is room for it. */
function Axes({ x, y, ticks, ends, firstBad }: AxesProps) {
  const clear = ends.every((end) => Math.abs(x(end) - x(firstBad)) >= APART);
  const named = clear ? [ends[0], firstBad, ends[1]] : ends;
  return (
    <g className="doctor-axis">
      {ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${LEFT},${y(tick)}H${WIDTH - EDGE}`} />
          <text x={LEFT - 4} y={y(tick) + 4} textAnchor="end">
            {shorten(formatNumber(tick))}
          </text>
        </g>
      ))}
      {named.map((n, i) => (
        <text
          key={n}
          x={x(n)}
          y={HEIGHT - 3}
          textAnchor={i === named.length - 1 ? "end" : "middle"}
        >
          {n}
        </text>
      ))}
    </g>
  );
}

const selectFollowed = ({ curves: { axis, brush, reading } }: ExperimentState) => ({
  brush: axis === "iteration" ? brush : null,
  reading: axis === "iteration" ? reading : null,
  axis,
});

interface FollowedProps {
  /** In the drawing, for an iteration. */
  x: (iteration: number) => number;
  /** First and last iteration. */
  ends: readonly [number, number];
  height: number;
}

/** What panels over iterations share, on a plot of evidence: the selected range, and the hovered position. */
function Followed({ x, ends: [first, last], height }: FollowedProps) {
  const { store } = useExperiment();
  const { brush, reading, axis } = useStore(store, useShallow(selectFollowed));
  const [from, to] = [Math.max(first, brush?.[0] ?? last), Math.min(last, brush?.[1] ?? first)];
  const isRead = reading !== null && reading >= first && reading <= last;
  const read = (next: number | null) => {
    if (axis === "iteration" && next !== reading) setCurves(store, { reading: next });
  };
  const at = ({ currentTarget, clientX }: PointerEvent<SVGRectElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.round(first + ((clientX - left) / (width || 1)) * (last - first));
  };
  return (
    <g>
      {from < to && (
        <rect
          className="doctor-brush"
          data-testid="doctor-brush"
          x={x(from)}
          width={x(to) - x(from)}
          height={height}
        />
      )}
      {isRead && (
        <path className="doctor-read" data-testid="doctor-read" d={`M${x(reading)},0V${height}`} />
      )}
      <rect
        data-testid="doctor-area"
        x={x(first)}
        width={x(last) - x(first)}
        height={height}
        fill="transparent"
        onPointerMove={(event) => read(at(event))}
        onPointerLeave={() => read(null)}
      />
    </g>
  );
}
