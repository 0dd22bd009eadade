/** The axis that the panel's pictures stand on: round ticks, 0 always among them, and a line through the picture there. */
import { formatNumber, shorten } from "../../numeric/format.ts";
import { ticksWithin } from "../../numeric/axis.ts";
import { linearScale, type Scale } from "../../numeric/scale.ts";
import { max, min } from "../../numeric/statistics.ts";

export const WIDTH = 640;
export const LEFT = 14;
/** Height of the axis with its name. */
export const AXIS = 40;

export interface AxisOfPicture {
  /** The numbers at the left and at the right. */
  ends: readonly [number, number];
  ticks: number[];
  at: Scale["at"];
}

/** An axis that holds 0 and all numbers; those that are not finite are left out. */
export function axisFor(values: readonly number[]): AxisOfPicture {
  const all = [0, ...values.filter(Number.isFinite)];
  const ends = [min(all), max(all)] as const;
  const { at } = linearScale(ends, [LEFT, WIDTH - LEFT]);
  return { ends, ticks: ticksWithin(ends), at };
}

interface PictureAxisProps {
  axis: AxisOfPicture;
  name: string;
  /** Where the axis lies; the line at 0 reaches down to it. */
  y: number;
}

export function PictureAxis({ axis: { ticks, at }, name, y }: PictureAxisProps) {
  return (
    <g className="fork-axis">
      <line className="fork-zero" x1={at(0)} x2={at(0)} y1={0} y2={y} />
      <line x1={LEFT} x2={WIDTH - LEFT} y1={y} y2={y} />
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={at(tick)} x2={at(tick)} y1={y} y2={y + 4} />
          <text x={at(tick)} y={y + 16} textAnchor={anchorOf(at(tick))} data-tick={tick}>
            {shorten(formatNumber(tick))}
          </text>
        </g>
      ))}
      <text x={WIDTH / 2} y={y + 32} textAnchor="middle" className="fork-axis-name">
        {name}
      </text>
    </g>
  );
}

/** Half as wide as the longest number. */
const HALF = 24;

/** None reaches over an edge of the picture. */
function anchorOf(x: number): "start" | "middle" | "end" {
  return x < HALF ? "start" : x > WIDTH - HALF ? "end" : "middle";
}
