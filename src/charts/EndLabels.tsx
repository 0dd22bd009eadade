/** The labels at the ends of lines, right of the plot: on it they would lie over other lines. */
import type { PlotScales } from "./CurveLine.tsx";
import { LABEL_HEIGHT, spreadOut, type EndLabel, type LabelPlan } from "./endLabels.ts";
import { MarkerShape } from "./MarkerShape.tsx";
import type { DrawnCurve } from "./palette.ts";

interface EndLabelsProps {
  plan: LabelPlan;
  curves: readonly DrawnCurve[];
  place: PlotScales;
}

/** Pixels right of the plot. */
const TEXT_AT = 12;
/** A label that had to give way to others by more than that has a line to its point, but none across the plot. */
const LEADER_FROM = 8;

export function EndLabels({ plan: { kind, labels }, curves, place }: EndLabelsProps) {
  const { area, y } = place;
  const [top, foot] = [area.y, area.y + area.height];
  const shown = labels.filter((label) => Number.isFinite(y.at(label.y)));
  const ends = shown.map((label) => Math.max(top, Math.min(foot, y.at(label.y))));
  const half = LABEL_HEIGHT[kind] / 2;
  const places = spreadOut(ends, LABEL_HEIGHT[kind], [top + half - 8, foot - half + 8]);
  return (
    <g data-testid="end-labels" className="end-labels" fontSize={12}>
      {shown.map((label, i) => (
        <Label
          key={label.id}
          label={label}
          curve={curves.find(({ id }) => id === label.id)!}
          end={endOf(label, place)}
          at={{ x: area.x + area.width, y: places[i]! }}
          named={kind === "named"}
        />
      ))}
    </g>
  );
}

interface LabelSpot {
  x: number;
  y: number;
}

/** The line's last point; null if it is outside the drawn range. */
function endOf({ x, y }: EndLabel, { x: along, y: up, area }: PlotScales): LabelSpot | null {
  const end = { x: along.at(x), y: up.at(y) };
  const isInside =
    end.x <= area.x + area.width + 1 && end.y >= area.y - 1 && end.y <= area.y + area.height + 1;
  return isInside ? end : null;
}

interface LabelProps {
  label: EndLabel;
  curve: DrawnCurve;
  end: LabelSpot | null;
  /** The label's position: its middle, and its left edge. */
  at: LabelSpot;
  named: boolean;
}

/** The marker lies on the point itself: one more beside it would be read as data. Bars have theirs. */
function Label({
  label: { name, value },
  curve: { colour, marker, bars },
  end,
  at,
  named,
}: LabelProps) {
  const text = at.x + TEXT_AT;
  return (
    <g data-label={name}>
      {end && at.x - end.x < TEXT_AT && Math.abs(end.y - at.y) > LEADER_FROM && (
        <path
          d={`M${end.x + 5},${end.y}L${text - 2},${at.y}`}
          fill="none"
          stroke="var(--line-2)"
          data-testid="leader"
        />
      )}
      {end && marker && !bars && (
        <MarkerShape marker={marker} cx={end.x} cy={end.y} colour={colour} />
      )}
      <text x={text} y={at.y + (named ? -2 : 4)} fill={colour} fontWeight={600}>
        {named ? name : value}
      </text>
      {named && (
        <text x={text} y={at.y + 12} fill="var(--ink)">
          {value}
        </text>
      )}
    </g>
  );
}
