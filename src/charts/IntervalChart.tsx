/** Lines over a few steps of x, each point with its interval; the same in words and as a table. */
import { useId } from "react";
import {
  CartesianGrid,
  ErrorBar,
  Line,
  LineChart as RechartsLineChart,
  ReferenceLine,
  XAxis,
  YAxis,
} from "recharts";
import { TextTable } from "../ui/DataTable.tsx";
import { Folded } from "../ui/Folded.tsx";
import { niceTicks } from "./axis.ts";
import { LineSwatch } from "./LineSwatch.tsx";

export interface IntervalPoint {
  /** Null where it is undefined. */
  value: number | null;
  low: number | null;
  high: number | null;
}

export interface IntervalSeries {
  id: string;
  name: string;
  colour: string;
  dash: string;
  /** One per step. */
  points: readonly IntervalPoint[];
}

export interface IntervalChartProps {
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

const MARGIN = { top: 8, right: 12, bottom: 20, left: 0 };
const SIZE = { width: "100%", height: 220 };
const AXIS = { stroke: "var(--line-strong)", tick: { fill: "var(--ink-soft)", fontSize: 12 } };
/** Series stand beside each other within this share of a step, so that their intervals can be told apart. */
const SPREAD = 0.36;

export function IntervalChart(props: IntervalChartProps) {
  const { title, hint, testId, series } = props;
  const titleId = useId();
  const summary = series.map((one) => inWords(one, props)).join(" ");
  return (
    <figure className="chart interval-chart" aria-labelledby={titleId} data-testid={testId}>
      <figcaption>
        <h4 id={titleId}>{title}</h4>
        <p className="chart-hint">{hint}</p>
      </figcaption>
      <ul className="chart-legend">
        {series.map(({ id, name, colour, dash }) => (
          <li key={id}>
            <LineSwatch colour={colour} dash={dash} />
            <span>{name}</span>
          </li>
        ))}
      </ul>
      <div role="img" aria-label={`${title}. ${summary}`} className="chart-drawing">
        <Drawing {...props} />
      </div>
      <Behind {...props} summary={summary} />
    </figure>
  );
}

function Drawing({ steps, series, xName, format }: IntervalChartProps) {
  const ends = series.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high]));
  const known = [0, ...ends.filter((end) => end !== null)];
  const ticks = niceTicks(
    known.reduce((a, b) => Math.min(a, b)),
    known.reduce((a, b) => Math.max(a, b)),
  );
  const places = steps.map((_, i) => i);
  return (
    <RechartsLineChart responsive style={SIZE} margin={MARGIN} accessibilityLayer={false}>
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        {...AXIS}
        type="number"
        dataKey="x"
        domain={[-0.35, steps.length - 0.65]}
        ticks={places}
        interval={0}
        tickFormatter={(place: number) => String(steps[place] ?? "")}
        allowDuplicatedCategory={false}
        label={{
          value: xName,
          position: "insideBottom",
          offset: -12,
          fill: "var(--ink-soft)",
          fontSize: 12,
        }}
      />
      <YAxis
        {...AXIS}
        width={48}
        interval={0}
        ticks={ticks}
        domain={[ticks[0]!, ticks.at(-1)!]}
        tickFormatter={format}
      />
      <ReferenceLine y={0} stroke="var(--line-strong)" />
      {series.map((one, place) => (
        <Line
          key={one.id}
          data={placed(one, beside(place, series.length))}
          name={one.name}
          dataKey="y"
          stroke={one.colour}
          strokeWidth={2}
          strokeDasharray={one.dash}
          dot={{ r: 3, fill: one.colour, strokeDasharray: "" }}
          activeDot={false}
          isAnimationActive={false}
          type="linear"
        >
          <ErrorBar
            dataKey="interval"
            direction="y"
            width={3}
            stroke={one.colour}
            strokeWidth={1.25}
            isAnimationActive={false}
          />
        </Line>
      ))}
    </RechartsLineChart>
  );
}

function beside(place: number, count: number): number {
  return count < 2 ? 0 : SPREAD * (place / (count - 1) - 0.5);
}

/** As recharts reads it: heights, and how far the interval reaches below and above. */
function placed({ points }: IntervalSeries, shift: number) {
  return points.flatMap(({ value, low, high }, i) =>
    value === null || low === null || high === null
      ? []
      : [{ x: i + shift, y: value, interval: [value - low, high - value] }],
  );
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

function Behind(props: IntervalChartProps & { summary: string }) {
  const { title, testId, xName, steps, series, format, summary } = props;
  return (
    <Folded
      className="chart-data"
      title={`${title} in words and numbers`}
      always={<p data-testid={`${testId}-summary`}>{summary}</p>}
    >
      <TextTable
        label={`Table of ${title} by ${xName}`}
        testId={`${testId}-table`}
        head={[xName, ...series.map(({ name }) => name)]}
        rows={steps.map((step, i) => [
          String(step),
          ...series.map(({ points }) => intervalText(points[i]!, format)),
        ])}
      />
    </Folded>
  );
}
