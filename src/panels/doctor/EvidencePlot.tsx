/** One metric over the iterations around a finding, with its limit and the first bad iteration. */
import { downsample } from "../../charts/downsample.ts";
import type { Evidence } from "../../record/runEvent.ts";
import type { Series } from "../../store/runLog.ts";
import { words } from "./words.ts";

const WIDTH = 260;
const HEIGHT = 64;
const EDGE = 5;

interface EvidencePlotProps {
  series: Series;
  evidence: Evidence;
  firstBad: number;
}

export function EvidencePlot({ series, evidence, firstBad }: EvidencePlotProps) {
  const points = downsample(series.x, series.y, 120);
  const finite = points.flatMap(({ y }) => (y === null ? [] : [y]));
  const reach = [...finite, ...(evidence.limit === null ? [] : [evidence.limit])];
  if (finite.length < 2) return null;
  const [low, high] = [Math.min(...reach), Math.max(...reach)];
  const [first, last] = [points[0]!.x, points.at(-1)!.x];
  const part = (value: number, from: number, to: number) => (value - from) / (to - from || 1);
  const x = (n: number) => EDGE + part(n, first, last) * (WIDTH - 2 * EDGE);
  const y = (value: number) => HEIGHT - EDGE - part(value, low, high) * (HEIGHT - 2 * EDGE);
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
        aria-label={`${words.plot(evidence.metric)}; ${words.plotHint}`}
      >
        {evidence.limit !== null && (
          <path d={`M0,${y(evidence.limit)}H${WIDTH}`} className="doctor-limit" />
        )}
        <path d={`M${x(firstBad)},0V${HEIGHT}`} className="doctor-first" />
        <path d={path} className="doctor-line" />
      </svg>
      <figcaption className="chart-hint">
        {words.iterations(first, last)}; {words.plotHint}
      </figcaption>
    </figure>
  );
}
