/** The picture of a chart of curves: recharts makes the frame and its axes, the curves are paths in it. */
import { useId, useMemo } from "react";
import {
  CartesianGrid,
  LineChart,
  usePlotArea,
  XAxis,
  YAxis,
  type XAxisTickContentProps,
  type YAxisTickContentProps,
} from "recharts";
import { greatest } from "../numeric/lists.ts";
import { ticksWithin } from "../numeric/axis.ts";
import type { ChartSync } from "./chartSync.ts";
import { CurveLine, CurveMarks, type PlotScales } from "./CurveLine.tsx";
import type { CurveFigure } from "../figures/curves/chart.ts";
import type { Curve } from "../figures/curves/curve.ts";
import { BrushArea, MarkLine, OnsetArea, OnsetWords, ReadingLine } from "./CurveOverlay.tsx";
import type { LabelPlan } from "./endLabels.ts";
import { EndLabels } from "./EndLabels.tsx";
import type { DrawnCurve } from "./palette.ts";
import { PointerLayer } from "./PointerLayer.tsx";
import { shorten } from "../numeric/format.ts";
import { scaleOf } from "../numeric/scale.ts";
import type { Size } from "./useSize.ts";

type PlottedParts = Pick<
  CurveFigure,
  "xDomain" | "xTitle" | "formatX" | "byIteration" | "steps" | "y" | "format" | "onset"
>;

interface CurvePlotProps extends PlottedParts {
  curves: readonly DrawnCurve[];
  behind?: readonly DrawnCurve[];
  /** Null in a picture that nobody points at. */
  sync: ChartSync | null;
  /** CSS pixels. */
  size: Size;
  /** Labels at the lines' ends; none when absent. */
  labels?: LabelPlan | undefined;
}

const MARGIN = { top: 8, right: 16, bottom: 0, left: 0 };
/** Height of the words of an onset, in a strip of their own. */
const STRIP = 16;
/** Height of the numbers along x, and of the axis' name if that is below them. */
const X_AXIS = { height: 24, name: 18 };
/** A lower picture has no room for the name of x and for every number along y. */
const LOW = 120;
const CHARACTER = 6.8;
const TEXT = { fill: "var(--ink-2)", fontSize: 12 };
const AXIS = { axisLine: false, tickLine: false, interval: 0, allowDataOverflow: true } as const;

export function CurvePlot(props: CurvePlotProps) {
  const { xDomain, xTitle, formatX, byIteration, steps, y, format, size, labels } = props;
  const isLow = size.height < LOW;
  const xName = isLow ? "" : xTitle;
  const ticks = steps ?? ticksWithin(xDomain, byIteration);
  const texts = ticks.map(formatX);
  // Without data recharts writes no numbers along x.
  const ends = useMemo(() => xDomain.map((x) => ({ x })), [xDomain]);
  // A fixed number of decimals makes ticks collide with the edge; short ones fit.
  const yText = (value: number) => shorten(format(value));
  const yTicks = isLow ? y.ticks.filter((_, i) => i % 2 === 0) : y.ticks;
  const right = Math.max(MARGIN.right, labels?.room ?? 0);
  const isBeside = xName.length * CHARACTER <= right - 14;
  const top = MARGIN.top + (onsetIn(props) ? STRIP : 0);
  const bottom = MARGIN.bottom + (isBeside || xName === "" ? 0 : X_AXIS.name);
  return (
    <LineChart
      {...size}
      data={ends}
      margin={{ ...MARGIN, top, right, bottom }}
      accessibilityLayer={false}
    >
      {/* Without its own places it would measure every number. */}
      <CartesianGrid
        stroke="var(--line)"
        vertical={false}
        verticalCoordinatesGenerator={() => []}
        horizontalCoordinatesGenerator={({ offset }) => {
          const [head, foot] = [offset.top, offset.top + offset.height];
          return [...new Set([...yTicks.map(scaleOf(y, [foot, head]).at), head, foot])];
        }}
      />
      <XAxis
        {...AXIS}
        type="number"
        dataKey="x"
        height={X_AXIS.height}
        scale={steps ? "log" : "linear"}
        domain={[...xDomain]}
        ticks={[...ticks]}
        tick={(tick) => <XTick {...tick} texts={texts} />}
      />
      <YAxis
        {...AXIS}
        type="number"
        tick={(tick) => <YTick {...tick} write={yText} />}
        width={14 + CHARACTER * greatest(y.ticks.map((tick) => yText(tick).length))}
        scale={y.log ? "log" : "linear"}
        domain={[...y.domain]}
        ticks={yTicks}
      />
      <XName title={xName} isBeside={isBeside} />
      <Inside {...props} />
    </LineChart>
  );
}

/** The onset, where x are iterations and it is among them. */
function onsetIn({ onset, byIteration, xDomain: [first, last] }: PlottedParts) {
  return byIteration && onset && onset.at >= first && onset.at <= last ? onset : null;
}

/** What x counts: right of its numbers where labels have made room, else below them. */
function XName({ title, isBeside }: { title: string; isBeside: boolean }) {
  const area = usePlotArea();
  if (!area) return null;
  const [right, foot] = [area.x + area.width, area.y + area.height];
  return isBeside ? (
    <text {...TEXT} x={right + 14} y={foot + 18}>
      {title}
    </text>
  ) : (
    <text {...TEXT} x={area.x + area.width / 2} y={foot + 36} textAnchor="middle">
      {title}
    </text>
  );
}

/** Opacity of background lines. */
const BEHIND = 0.35;

/** Pixels between intervals of one step, so that none covers another. */
const BESIDE = 5;

const beside = (place: PlotScales, steps: number): PlotScales => ({
  ...place,
  x: { ...place.x, at: (value) => place.x.at(value) + BESIDE * steps },
});

/** The content of the frame, once recharts has measured it. */
function Inside(props: CurvePlotProps) {
  const { curves: all, behind = [], xDomain, steps, y: yAxis, sync, labels } = props;
  const area = usePlotArea();
  const clip = useId();
  if (!area || area.width <= 0 || area.height <= 0) return null;
  const x = scaleOf({ domain: xDomain, log: steps !== undefined }, [area.x, area.x + area.width]);
  const y = scaleOf(yAxis, [area.y + area.height, area.y]);
  const place = { x, y, area };
  const onset = onsetIn(props);
  const order = (weight: Curve["weight"]) => (weight === "sender" ? 0 : weight === "ghost" ? 1 : 2);
  const curves = all.toSorted((a, b) => order(a.weight) - order(b.weight));
  return (
    <g>
      <clipPath id={clip}>
        {/* A marker more, so that a line along an edge keeps its width and a point there its shape. */}
        <rect x={area.x - 5} y={area.y - 5} width={area.width + 10} height={area.height + 10} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        {onset && <OnsetArea onset={onset} place={place} />}
        {sync && <BrushArea sync={sync} place={place} />}
        {sync && <MarkLine sync={sync} place={place} />}
        <g data-testid="behind">
          {behind.map((curve) => (
            // A sender's line is as pale as it should be.
            <g key={curve.id} opacity={curve.weight === "sender" ? 1 : BEHIND}>
              <CurveLine curve={curve} place={place} />
            </g>
          ))}
        </g>
        {curves.map((curve, i) => (
          <CurveLine
            key={curve.id}
            curve={curve}
            place={curve.bars ? beside(place, i - (curves.length - 1) / 2) : place}
          />
        ))}
        {curves.map((curve, i) => (
          <CurveMarks key={curve.id} curve={curve} turn={i} of={curves.length} place={place} />
        ))}
        {sync && <ReadingLine sync={sync} curves={curves} place={place} />}
      </g>
      {onset && <OnsetWords onset={onset} place={place} />}
      {labels && labels.kind !== "none" && (
        <EndLabels plan={labels} curves={curves} place={place} />
      )}
      {sync && <PointerLayer sync={sync} curves={curves} domain={xDomain} place={place} />}
    </g>
  );
}

/** Pixels of a tick's character at most, and between two ticks. */
const TICK = { character: 7, gap: 10 };

/** Of texts that share a width, each so manieth has room. */
export function tickStep(texts: readonly string[], width: number): number {
  const longest = greatest([0, ...texts.map((text) => text.length)]) * TICK.character + TICK.gap;
  const room = width / Math.max(1, texts.length - 1);
  return Math.max(1, Math.ceil(longest / Math.max(1, room)));
}

interface XTickProps extends Pick<XAxisTickContentProps, "x" | "y" | "index"> {
  /** Of all ticks. */
  texts: readonly string[];
}

/**
 * A number along x. Where they would touch, only every so manieth is written. Lengths are estimated: measuring a text
 * lays the whole page out, a tenth of a second where many panels are open.
 */
function XTick({ x, y, index, texts }: XTickProps) {
  const area = usePlotArea();
  if (!area || index % tickStep(texts, area.width) !== 0) return null;
  return (
    <text x={x} y={y} dy="0.71em" textAnchor="middle" fontSize={12} fill="var(--ink-2)">
      {texts[index]}
    </text>
  );
}

interface YTickProps extends Pick<YAxisTickContentProps, "x" | "y" | "payload"> {
  write: (value: number) => string;
}

/** A number along y, which is not measured either. */
function YTick({ x, y, payload, write }: YTickProps) {
  return (
    <text {...TEXT} x={x} y={y} dy="0.355em" textAnchor="end">
      {write(Number(payload.value))}
    </text>
  );
}
