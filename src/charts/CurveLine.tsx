/** One curve: its band, its raw numbers faint, its line, its marks. */
import { memo } from "react";
import { crashHeightOf, type BandPoint, type Curve } from "../figures/curves/curve.ts";
import { MarkerShape } from "./MarkerShape.tsx";
import type { Point } from "../numeric/downsample.ts";
import type { DrawnCurve } from "./palette.ts";
import type { Scale } from "../numeric/scale.ts";

/** Positions of numbers in the frame. */
export interface PlotScales {
  x: Scale;
  y: Scale;
  area: { x: number; y: number; width: number; height: number };
}

/** Width and opacity: the run under study is prominent, ghosts are faint. */
export const WEIGHTS: Record<Curve["weight"], { width: number; opacity: number }> = {
  main: { width: 2, opacity: 1 },
  other: { width: 1.5, opacity: 0.9 },
  ghost: { width: 1.5, opacity: 0.65 },
  // A line on top of it is as thin as any other.
  sender: { width: 7, opacity: 0.3 },
  baseline: { width: 3.5, opacity: 1 },
};

const RAW_STRENGTH = 0.3;
const BAND_STRENGTH = 0.16;

interface CurveLineProps {
  curve: DrawnCurve;
  place: PlotScales;
}

export const CurveLine = memo(function CurveLine({ curve, place }: CurveLineProps) {
  const { id, points, raw, band, bars, colour, dash, weight } = curve;
  const { x, y, area } = place;
  const { width, opacity } = WEIGHTS[weight];
  return (
    <g data-curve={id} opacity={opacity}>
      {band && bars && <Bars band={band} place={place} colour={colour} />}
      {band && !bars && (
        <path
          d={bandPath(band, x, y, area.y + area.height)}
          fill={colour}
          fillOpacity={BAND_STRENGTH}
          data-testid="band"
        />
      )}
      {raw && <Stroke points={raw} place={place} colour={colour} width={1} faint />}
      <Stroke points={points} place={place} colour={colour} width={width} dash={dash} />
      {markedPoints(curve, place).map((point) => (
        <MarkerShape
          key={point.x}
          marker={curve.marker!}
          cx={x.at(point.x)}
          cy={y.at(point.y!)}
          colour={colour}
        />
      ))}
    </g>
  );
});

/** Pixels between two markers at least: denser ones would be a second line. */
const MARKER_GAP = 22;

/** Points that are measured so seldom that each is to be seen; of ghosts none. */
function markedPoints({ points, marker, weight }: DrawnCurve, { x, y, area }: PlotScales): Point[] {
  if (!marker || weight === "ghost" || weight === "sender") return [];
  const inside = points.filter((point) => {
    const at = x.at(point.x);
    const isInside = at >= area.x - 1 && at <= area.x + area.width + 1;
    return isInside && point.y !== null && Number.isFinite(y.at(point.y));
  });
  const [first, last] = [inside[0], inside.at(-1)];
  if (!first || !last || inside.length < 2) return inside;
  return (x.at(last.x) - x.at(first.x)) / (inside.length - 1) >= MARKER_GAP ? inside : [];
}

const CAP = 3;

interface BarsProps {
  band: readonly BandPoint[];
  place: PlotScales;
  colour: string;
}

/** Each interval as an upright bar. */
function Bars({ band, place: { x, y }, colour }: BarsProps) {
  return (
    <g data-testid="bars" stroke={colour} strokeWidth={1.25}>
      {band.map(({ x: at, low, high }) => {
        const [left, top, foot] = [x.at(at), y.at(high), y.at(low)];
        const cap = (height: number) => `M${left - CAP},${height}h${2 * CAP}`;
        return <path key={at} d={`M${left},${foot}V${top}${cap(foot)}${cap(top)}`} />;
      })}
    </g>
  );
}

interface StrokeProps {
  points: Curve["points"];
  place: PlotScales;
  colour: string;
  width: number;
  dash?: string;
  faint?: boolean;
}

function Stroke({ points, place: { x, y }, colour, width, dash = "", faint }: StrokeProps) {
  return (
    <g opacity={faint ? RAW_STRENGTH : 1}>
      <path
        d={curvePath(points, x, y)}
        fill="none"
        stroke={colour}
        strokeWidth={width}
        strokeDasharray={dash}
        strokeLinejoin="round"
        data-testid={faint ? "raw" : "line"}
      />
      {lonelyPoints(points).map((point) => {
        const [cx, cy] = [x.at(point.x), y.at(point.y!)];
        return Number.isFinite(cy) ? (
          <circle key={point.x} cx={cx} cy={cy} r={3} fill={colour} />
        ) : null;
      })}
    </g>
  );
}

interface CurveMarksProps extends CurveLineProps {
  /** Which of the chart's curves it is. */
  turn: number;
  of: number;
}

/** Crosses where runs ended, and the runs' letters on the line. */
export function CurveMarks({ curve, place, turn, of }: CurveMarksProps) {
  const { x, y, area } = place;
  const floor = area.y + area.height;
  return (
    <g>
      {letterPlaces(curve, turn, of, place).map(({ cx, cy }) => (
        <Letter key={cx} text={curve.mark} colour={curve.colour} cx={cx} cy={cy} />
      ))}
      {curve.crashes.map((crash, i) => {
        const cy = y.at(crashHeightOf(curve, crash.x));
        return (
          <g key={i}>
            <title>{crash.cause}</title>
            <CrashMark
              colour={curve.colour}
              cx={x.at(crash.x)}
              cy={Number.isFinite(cy) ? Math.max(area.y, Math.min(floor, cy)) : floor}
            />
          </g>
        );
      })}
    </g>
  );
}

/** One place on the line, another for each curve, so that letters do not lie on each other. */
function letterPlaces(
  { mark, points }: Curve,
  turn: number,
  of: number,
  { x, y, area }: PlotScales,
) {
  if (mark === "") return [];
  const room = halfWidth(mark);
  const inside = points
    .map((point) => ({ cx: x.at(point.x), cy: point.y === null ? NaN : y.at(point.y) }))
    .filter(
      ({ cx, cy }) => cx >= area.x + room && cx <= area.x + area.width - room && cy >= area.y,
    );
  const place = inside[Math.floor((inside.length * (turn + 1)) / (of + 1))];
  return place ? [place] : [];
}

const halfWidth = (text: string) => 4 + 4 * text.length;

interface LetterProps {
  text: string;
  colour: string;
  cx: number;
  cy: number;
}

function Letter({ text, colour, cx, cy }: LetterProps) {
  const half = halfWidth(text);
  return (
    <g className="curve-letter">
      <rect
        x={cx - half}
        y={cy - 8}
        width={2 * half}
        height={16}
        rx={8}
        fill="var(--page)"
        stroke={colour}
      />
      <text x={cx} y={cy + 4} textAnchor="middle" fontSize={11} fontWeight={600} fill="var(--ink)">
        {text}
      </text>
    </g>
  );
}

const ARM = 6;

/** A cross where a series ended in numbers that are not finite, at cx, cy in pixels. */
function CrashMark({ colour, cx = 0, cy = 0 }: { colour: string; cx?: number; cy?: number }) {
  const cross = `M${cx - ARM},${cy - ARM}L${cx + ARM},${cy + ARM}M${cx - ARM},${cy + ARM}L${cx + ARM},${cy - ARM}`;
  return (
    <g data-testid="crash-mark">
      <path d={cross} stroke="var(--page)" strokeWidth={6} />
      <path d={cross} stroke={colour} strokeWidth={3} />
    </g>
  );
}

/** An SVG path through points; gaps, and places that a scale does not have, break it. */
export function curvePath(points: readonly Point[], x: Scale, y: Scale): string {
  let path = "";
  let pen = "M";
  for (const point of points) {
    const [left, top] = [x.at(point.x), point.y === null ? NaN : y.at(point.y)];
    if (!Number.isFinite(left) || !Number.isFinite(top)) {
      pen = "M";
      continue;
    }
    path += `${pen}${round(left)},${round(top)}`;
    pen = "L";
  }
  return path;
}

/** Points between two gaps: a line would not show them. */
export function lonelyPoints(points: readonly Point[]): Point[] {
  const isGap = (i: number) => (points[i]?.y ?? null) === null;
  return points.filter((_, i) => !isGap(i) && isGap(i - 1) && isGap(i + 1));
}

/** The closed shape of a band, one piece for each stretch without a gap. */
export function bandPath(band: readonly BandPoint[], x: Scale, y: Scale, floor: number): string {
  const height = (value: number) => (Number.isFinite(y.at(value)) ? y.at(value) : floor);
  return stretches(band)
    .map((piece) => {
      const upper = piece.map((p) => `${round(x.at(p.x))},${round(height(p.high))}`);
      const lower = piece.map((p) => `${round(x.at(p.x))},${round(height(p.low))}`).reverse();
      return `M${[...upper, ...lower].join("L")}Z`;
    })
    .join("");
}

function stretches(band: readonly BandPoint[]): BandPoint[][] {
  const pieces: BandPoint[][] = [[]];
  for (const point of band) {
    if (Number.isFinite(point.low) && Number.isFinite(point.high)) pieces.at(-1)!.push(point);
    else pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}

const round = (value: number) => Math.round(value * 10) / 10;
