/** Upright lines over the curves: where charts are read, and where the page's cursor stands. */
import { useMark, useReading, type ChartSync } from "./chartSync.ts";
import type { Place } from "./CurveLine.tsx";
import { readAt } from "./curve.ts";
import { type Curve } from "./curveTypes.ts";

interface LineProps {
  sync: ChartSync;
  place: Place;
}

/** A little flag at the top: the line is not a curve, whatever its colour. */
export function MarkLine({ sync, place: { x, area } }: LineProps) {
  const mark = useMark(sync);
  if (mark === null) return null;
  const at = x.at(mark);
  return (
    <g data-testid="cursor-mark" data-x={mark} className="curve-cursor">
      <path d={`M${at},${area.y}V${area.y + area.height}`} />
      <path d={`M${at - 4},${area.y}h8l-4,6z`} className="curve-cursor-flag" />
    </g>
  );
}

export function ReadingLine({ sync, place, curves }: LineProps & { curves: readonly Curve[] }) {
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
