/** What lies over and under the curves: the selected stretch, the page's cursor, and where charts are read. */
import { useBrush, useMark, useReading, type ChartSync } from "./chartSync.ts";
import type { PlotScales } from "./CurveLine.tsx";
import type { OnsetMark } from "../figures/curves/chart.ts";
import { readAt } from "../figures/curves/curve.ts";
import type { Window } from "../numeric/scale.ts";
import type { DrawnCurve } from "./palette.ts";

interface PointerLineProps {
  sync: ChartSync;
  place: PlotScales;
}

/** Half of what one step takes on each side, or a hair where steps are dense. */
const HALF_BAND = 3.5;

/** The page's cursor: yellow behind the curves, with an edge that is seen on any ground. */
export function MarkLine({ sync, place: { x, area } }: PointerLineProps) {
  const mark = useMark(sync);
  if (mark === null) return null;
  const at = x.at(mark);
  return (
    <g data-testid="cursor-mark" data-x={mark} className="curve-cursor">
      <rect x={at - HALF_BAND} y={area.y} width={2 * HALF_BAND} height={area.height} />
      <path d={`M${at},${area.y}V${area.y + area.height}`} />
    </g>
  );
}

/** The stretch that the reader has selected. */
export function BrushArea({ sync, place }: PointerLineProps) {
  const brush = useBrush(sync);
  if (!brush) return null;
  const { x, area } = place;
  const stretch = [x.at(brush[0]), x.at(brush[1])] as const;
  return <StretchArea stretch={stretch} area={area} testId="brush" />;
}

interface OnsetProps {
  onset: OnsetMark;
  place: PlotScales;
}

const onsetColour = ({ isBad }: OnsetMark) => (isBad ? "var(--bad)" : "var(--ink)");

/** Since when a method's story goes another way: dotted, with its interval in grey. */
export function OnsetArea({ onset, place: { x, area } }: OnsetProps) {
  const [from, to] = onset.between;
  const at = x.at(onset.at);
  return (
    <g data-testid="onset" data-x={onset.at} pointerEvents="none">
      <StretchArea stretch={[x.at(from), x.at(to)]} area={area} />
      <path
        d={`M${at},${area.y}V${area.y + area.height}`}
        stroke={onsetColour(onset)}
        strokeWidth={1.5}
        strokeDasharray="1.5 3"
      />
    </g>
  );
}

/** Pixels of a letter, at most. */
const LETTER = 6.8;

/** Where words at x begin: to the side that has more room, and within the picture, whose axis they may stand over. */
export function wordsStart(text: string, at: number, area: PlotScales["area"]): number {
  const [width, end] = [LETTER * text.length, area.x + area.width];
  const start = at < area.x + area.width / 2 ? Math.max(area.x, at - 40) : at + 40 - width;
  return Math.max(0, Math.min(start, end - width));
}

/** Above the lines. */
export function OnsetWords({ onset, place: { x, area } }: OnsetProps) {
  return (
    <text
      x={wordsStart(onset.says, x.at(onset.at), area)}
      y={area.y - 5}
      fontSize={12}
      fill={onsetColour(onset)}
      pointerEvents="none"
    >
      {onset.says}
    </text>
  );
}

interface StretchAreaProps {
  /** In pixels. */
  stretch: Window;
  area: PlotScales["area"];
  testId?: string;
}

export function StretchArea({ stretch: [from, to], area, testId }: StretchAreaProps) {
  return (
    <rect
      x={Math.min(from, to)}
      width={Math.max(1, Math.abs(to - from))}
      y={area.y}
      height={area.height}
      className="curve-brush"
      data-testid={testId}
    />
  );
}

export function ReadingLine({
  sync,
  place,
  curves,
}: PointerLineProps & { curves: readonly DrawnCurve[] }) {
  const reading = useReading(sync);
  if (reading === null) return null;
  const { x, y, area } = place;
  const at = x.at(reading);
  return (
    <g className="curve-reading" data-testid="reading-line" pointerEvents="none">
      <path d={`M${at},${area.y}V${area.y + area.height}`} />
      {curves.map((curve) => {
        const point = readAt(curve, reading);
        const cy = point?.y === null || !point ? NaN : y.at(point.y);
        if (!Number.isFinite(cy)) return null;
        return (
          <circle
            key={curve.id}
            cx={x.at(point!.x)}
            cy={cy}
            r={3.5}
            fill={curve.colour}
            stroke="var(--page)"
          />
        );
      })}
    </g>
  );
}
