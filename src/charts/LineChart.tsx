/** Lines over a common x axis, with the same in words and as a table behind it. */
import { useId } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceDot,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { Folded } from "../ui/Folded.tsx";
import { yTicks } from "./axis.ts";
import { ticksWithin } from "./scale.ts";
import { XTick } from "./XTick.tsx";
import { ChartTable } from "./ChartTable.tsx";
import { ChartTooltip } from "./ChartTooltip.tsx";
import { CrashMark } from "./CrashMark.tsx";
import {
  crashHeight,
  describeBand,
  describeSeries,
  finitePoints,
  type ChartBand,
  type ChartSeries,
} from "./describe.ts";
import { shorten } from "./format.ts";

export interface LineChartProps {
  title: string;
  /** One sentence under the title. */
  hint?: string;
  /** For tests and scripts: data-testid of the figure. */
  testId: string;
  series: readonly ChartSeries[];
  /** Behind the lines. */
  bands?: readonly ChartBand[];
  /** What one step on the x axis is, e.g. "iteration". */
  xName: string;
  xDomain: readonly [number, number];
  /** Fixed ends of the y axis; absent fits the data. */
  yDomain?: readonly [number, number];
  format: (value: number) => string;
}

const MARGIN = { top: 8, right: 16, bottom: 20, left: 0 };
/** As in the lens's charts. */
const BAND_STRENGTH = 0.16;
const MEAN_STRENGTH = 0.65;
const SIZE = { width: "100%", height: 220 };
const AXIS = { stroke: "var(--line-strong)", tick: { fill: "var(--ink-soft)", fontSize: 12 } };

export function LineChart(props: LineChartProps) {
  const { title, hint, testId, series, bands = NO_BANDS, xName, format } = props;
  const titleId = useId();
  const summary = [
    ...series.map((one) => describeSeries(one, xName, format)),
    ...bands.map((one) => describeBand(one, xName, format)),
  ].join(" ");
  return (
    <figure className="chart" aria-labelledby={titleId} data-testid={testId}>
      <figcaption>
        <h4 id={titleId}>{title}</h4>
        {hint !== undefined && <p className="chart-hint">{hint}</p>}
      </figcaption>
      <Legend series={series} format={format} />
      <div role="img" aria-label={`${title}. ${summary}`} className="chart-drawing">
        <Drawing {...props} />
      </div>
      <Folded
        className="chart-data"
        title={`${title} in words and numbers`}
        always={<p data-testid={`${testId}-summary`}>{summary}</p>}
      >
        {/* Hundreds of cells, four times a second: only for those who look. */}
        <ChartTable
          series={[...series, ...bands.map(asSeries)]}
          xName={xName}
          format={format}
          testId={`${testId}-table`}
        />
      </Folded>
    </figure>
  );
}

const NO_BANDS: readonly ChartBand[] = [];

/** The means, for the table. */
function asSeries({ id, name, colour, dash, n, points }: ChartBand): ChartSeries {
  const means = points.map(({ x, mean }) => ({ x, y: mean }));
  const title = `${name}, mean of ${n} seeds`;
  return { id: `band-${id}`, name: title, colour, dash, points: means, crashes: [] };
}

function Drawing({ series, bands = NO_BANDS, xName, xDomain, yDomain, format }: LineChartProps) {
  // A fixed number of decimals makes ticks collide with the edge; short ones fit.
  const tick = (value: number) => shorten(format(value));
  const ticks = yTicks(series, yDomain, bands);
  const xTicks = ticksWithin(xDomain).filter(Number.isInteger);
  return (
    <ComposedChart responsive style={SIZE} margin={MARGIN} accessibilityLayer={false}>
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        {...AXIS}
        type="number"
        dataKey="x"
        domain={[...xDomain]}
        ticks={xTicks}
        interval={0}
        tick={(tick) => <XTick {...tick} texts={xTicks.map(String)} />}
        allowDataOverflow
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
        width={56}
        interval={0}
        {...(ticks && { ticks, domain: [ticks[0]!, ticks.at(-1)!] })}
        tickFormatter={tick}
      />
      <Tooltip isAnimationActive={false} content={<ChartTooltip xName={xName} format={format} />} />
      {bands.flatMap((band) => [
        <Area
          key={`band-${band.id}`}
          data={[...band.points]}
          dataKey={({ low, high }: ChartBand["points"][number]) => [low, high]}
          fill={band.colour}
          fillOpacity={BAND_STRENGTH}
          stroke="none"
          className="chart-band"
          isAnimationActive={false}
          activeDot={false}
          tooltipType="none"
          type="linear"
        />,
        <Line
          key={`mean-${band.id}`}
          data={[...band.points]}
          dataKey="mean"
          stroke={band.colour}
          strokeWidth={1}
          strokeOpacity={MEAN_STRENGTH}
          strokeDasharray={band.dash}
          dot={false}
          activeDot={false}
          tooltipType="none"
          isAnimationActive={false}
          type="linear"
        />,
      ])}
      {series.map((one) => (
        <Line
          key={one.id}
          data={[...one.points]}
          name={one.name}
          dataKey="y"
          stroke={one.colour}
          strokeWidth={2}
          strokeDasharray={one.dash}
          dot={one.points.length === 1 ? { r: 3, strokeDasharray: "" } : false}
          activeDot={{ r: 4 }}
          isAnimationActive={false}
          type="linear"
        />
      ))}
      {series.flatMap((one) =>
        one.crashes.map(({ x }) => (
          <ReferenceDot
            key={`${one.id}-${x}`}
            x={x}
            y={crashHeight(one, x)}
            shape={<CrashMark colour={one.colour} />}
            zIndex={900}
          />
        )),
      )}
    </ComposedChart>
  );
}

function Legend({ series, format }: Pick<LineChartProps, "series" | "format">) {
  return (
    <ul className="chart-legend">
      {series.map((one) => {
        const last = finitePoints(one.points).at(-1);
        return (
          <li key={one.id}>
            <svg width="28" height="10" aria-hidden="true">
              <line
                x1="0"
                x2="28"
                y1="5"
                y2="5"
                stroke={one.colour}
                strokeWidth="2.5"
                strokeDasharray={one.dash}
              />
            </svg>
            <span>{one.name}</span>
            <span className="number">{last ? format(last.y) : "\u2013"}</span>
            {one.crashes.length > 0 && <span className="tag tag-crash">crashed</span>}
          </li>
        );
      })}
    </ul>
  );
}
