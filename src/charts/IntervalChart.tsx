/** Lines over a few steps of x, each point with its interval; the same in words and as a table. */
import { TextTable } from "../ui/DataTable.tsx";
import { ChartFigure } from "./ChartFigure.tsx";
import { curveFrom } from "../figures/curves/curve.ts";
import { CurvePlot } from "./CurvePlot.tsx";
import { useSize, type Size } from "./useSize.ts";
import { LineSwatch } from "./LineSwatch.tsx";
import type { DrawnCurve } from "./palette.ts";
import { fitAxis } from "../numeric/scale.ts";

export interface IntervalPoint {
  /** Null where it is undefined. */
  value: number | null;
  low: number | null;
  high: number | null;
}

interface IntervalSeries {
  id: string;
  name: string;
  colour: string;
  dash: string;
  /** One per step. */
  points: readonly IntervalPoint[];
}

interface IntervalChartProps {
  title: string;
  hint: string;
  testId: string;
  /** What the steps are, e.g. "episodes". */
  xName: string;
  steps: readonly number[];
  series: readonly IntervalSeries[];
  /** Behind it, what is undefined. */
  format: (value: number) => string;
}

/** Series stand beside each other within this share of a step, so that no interval covers another. */
const SPREAD = 0.36;

export function IntervalChart(props: IntervalChartProps) {
  const { title, hint, testId, series } = props;
  const { ref, size } = useSize<HTMLDivElement>();
  const summary = series.map((one) => inWords(one, props)).join(" ");
  return (
    <ChartFigure
      title={title}
      hint={hint}
      testId={testId}
      summary={summary}
      className="interval-chart"
      table={<Intervals {...props} />}
    >
      <div ref={ref} role="img" aria-label={`${title}. ${summary}`} className="chart-drawing">
        {size && <Drawing {...props} size={size} />}
      </div>
    </ChartFigure>
  );
}

/** Once for charts of the same lines. */
export function IntervalLegend({ series }: { series: readonly IntervalSeries[] }) {
  return (
    <ul className="chart-legend chart-legend-row">
      {series.map(({ id, name, colour, dash }) => (
        <li key={id}>
          <LineSwatch colour={colour} dash={dash} />
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}

function Drawing({ steps, series, xName, format, size }: IntervalChartProps & { size: Size }) {
  const ends = series.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high]));
  return (
    <CurvePlot
      curves={series.map((one, place) => placed(one, beside(place, series.length)))}
      xDomain={[-0.35, steps.length - 0.65]}
      xTicks={steps.map((_, i) => i)}
      xTitle={xName}
      formatX={(place) => String(steps[place] ?? "")}
      byIteration
      y={fitAxis([0, ...ends.filter((end) => end !== null)], false)}
      format={format}
      sync={null}
      size={size}
      zero
    />
  );
}

function beside(place: number, count: number): number {
  return count < 2 ? 0 : SPREAD * (place / (count - 1) - 0.5);
}

/** A series as a curve over the places of its steps, moved aside by `shift`; undefined points are left out. */
function placed({ points, ...series }: IntervalSeries, shift: number): DrawnCurve {
  const band = points.flatMap(({ value, low, high }, i) =>
    value === null || low === null || high === null ? [] : [{ x: i + shift, y: value, low, high }],
  );
  const [x, y] = [band.map((point) => point.x), band.map((point) => point.y)];
  return { ...series, ...curveFrom({ id: series.id, name: series.name, x, y, band, bars: true }) };
}

function inWords({ name, points }: IntervalSeries, { steps, xName, format }: IntervalChartProps) {
  const last = points.at(-1);
  if (!last || last.value === null) return `${name}: undefined.`;
  return `${name}: ${intervalText(last, format)} at ${steps.at(-1)} ${xName}.`;
}

/** "0.42 (0.38 to 0.46)"; a dash where it is undefined. */
export function intervalText(
  { value, low, high }: IntervalPoint,
  format: (value: number) => string,
): string {
  if (value === null) return "–";
  if (low === null || high === null) return format(value);
  return `${format(value)} (${format(low)} to ${format(high)})`;
}

function Intervals({ title, testId, xName, steps, series, format }: IntervalChartProps) {
  return (
    <TextTable
      label={`Table of ${title} by ${xName}`}
      testId={`${testId}-table`}
      head={[xName, ...series.map(({ name }) => name)]}
      rows={steps.map((step, i) => [
        String(step),
        ...series.map(({ points }) => intervalText(points[i]!, format)),
      ])}
    />
  );
}
