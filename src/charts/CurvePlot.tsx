/** The picture of a chart of curves: recharts makes the frame and its axes, the curves are paths in it. */
import { useId, useMemo } from "react";
import { CartesianGrid, LineChart, usePlotArea, XAxis, YAxis } from "recharts";
import type { ChartSync } from "./chartSync.ts";
import { CurveLine, CurveMarks } from "./CurveLine.tsx";
import type { Curve } from "./curveTypes.ts";
import { MarkLine, ReadingLine } from "./CurveOverlay.tsx";
import { PointerLayer } from "./PointerLayer.tsx";
import { XTick } from "./XTick.tsx";
import { scaleOf, ticksWithin, type Axis } from "./scale.ts";

export interface CurvePlotProps {
  curves: readonly Curve[];
  xDomain: readonly [number, number];
  /** What is along x. */
  xTitle: string;
  formatX: (x: number) => string;
  /** Whether x is the iteration itself: there is nothing between two of them. */
  byIteration: boolean;
  y: Axis;
  format: (value: number) => string;
  /** Null in a picture that nobody points at. */
  sync: ChartSync | null;
  /** Pixels; absent fills the place it is in. */
  size?: { width: number; height: number };
}

const MARGIN = { top: 8, right: 16, bottom: 20, left: 0 };
const FILL = { width: "100%", height: 220 };
const AXIS = { stroke: "var(--line-strong)", tick: { fill: "var(--ink-soft)", fontSize: 12 } };

export function CurvePlot(props: CurvePlotProps) {
  const { xDomain, xTitle, formatX, byIteration, y, format, size } = props;
  const ticks = ticksWithin(xDomain).filter((x) => !byIteration || Number.isInteger(x));
  const texts = ticks.map(formatX);
  // Without data recharts writes no numbers along x.
  const ends = useMemo(() => xDomain.map((x) => ({ x })), [xDomain]);
  const place = size ?? { responsive: true, style: FILL };
  return (
    <LineChart {...place} data={ends} margin={MARGIN} accessibilityLayer={false}>
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        {...AXIS}
        type="number"
        dataKey="x"
        domain={[...xDomain]}
        ticks={ticks}
        interval={0}
        tick={(tick) => <XTick {...tick} texts={texts} />}
        allowDataOverflow
        label={{
          value: xTitle,
          position: "insideBottom",
          offset: -12,
          fill: "var(--ink-soft)",
          fontSize: 12,
        }}
      />
      <YAxis
        {...AXIS}
        type="number"
        width={56}
        scale={y.log ? "log" : "linear"}
        domain={[...y.domain]}
        ticks={y.ticks}
        interval={0}
        tickFormatter={(value: number) => shortened(format(value))}
        allowDataOverflow
      />
      <Inside {...props} />
    </LineChart>
  );
}

/** A fixed number of decimals makes ticks collide with the edge; short ones fit. */
function shortened(text: string): string {
  return text.replace(/(\.\d*?)0+(?=$|\s)/, "$1").replace(/\.(?=$|\s)/, "");
}

/** What stands in the frame, once recharts has measured it. */
function Inside({ curves, xDomain, y: yAxis, sync }: CurvePlotProps) {
  const area = usePlotArea();
  const clip = useId();
  if (!area || area.width <= 0) return null;
  const x = scaleOf({ domain: xDomain, log: false }, [area.x, area.x + area.width]);
  const y = scaleOf(yAxis, [area.y + area.height, area.y]);
  const place = { x, y, area };
  return (
    <g>
      <clipPath id={clip}>
        {/* Half a stroke more, so that a line along an edge keeps its width. */}
        <rect x={area.x} y={area.y - 2} width={area.width + 2} height={area.height + 4} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        {curves.map((curve) => (
          <CurveLine key={curve.id} curve={curve} place={place} />
        ))}
        {curves.map((curve, i) => (
          <CurveMarks key={curve.id} curve={curve} turn={i} of={curves.length} place={place} />
        ))}
        {sync && <MarkLine sync={sync} place={place} />}
        {sync && <ReadingLine sync={sync} curves={curves} place={place} />}
      </g>
      {sync && <PointerLayer sync={sync} curves={curves} domain={xDomain} place={place} />}
    </g>
  );
}
