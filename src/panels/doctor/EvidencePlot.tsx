/** One metric over a run's iterations, with the limits of a finding and its first bad iteration. */
import { niceTicks } from "../../numeric/axis.ts";
import { downsample } from "../../numeric/downsample.ts";
import { formatNumber, shorten } from "../../numeric/format.ts";
import { greatest, least } from "../../numeric/lists.ts";
import type { Series } from "../../reading/log/runLog.ts";
import { Followed } from "./Followed.tsx";
import { words } from "./words.ts";

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
