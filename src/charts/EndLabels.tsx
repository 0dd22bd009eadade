/** The labels at the ends of lines, with a thin line to where each belongs. */
import type { Curve } from "./curveTypes.ts";
import type { PlotScales } from "./CurveLine.tsx";
import { LABEL_HEIGHT, spreadOut, type EndLabel, type LabelPlan } from "./endLabels.ts";
import { MarkerShape } from "./MarkerShape.tsx";

interface EndLabelsProps {
  plan: LabelPlan;
  curves: readonly Curve[];
  place: PlotScales;
}

/** Pixels right of the plot. */
const MARKER_AT = 12;
const TEXT_AT = 20;

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
          from={{ x: place.x.at(label.x), y: ends[i]! }}
          to={{ x: area.x + area.width, y: places[i]! }}
          named={kind === "named"}
        />
      ))}
    </g>
  );
}

interface LabelProps {
  label: EndLabel;
  curve: Curve;
  from: { x: number; y: number };
  to: { x: number; y: number };
  named: boolean;
}

function Label({ label: { name, value }, curve: { colour, marker }, from, to, named }: LabelProps) {
  const right = Math.min(from.x, to.x);
  const leader = `M${right},${from.y}L${to.x + 2},${from.y}L${to.x + MARKER_AT - 5},${to.y}`;
  return (
    <g data-label={name}>
      <path
        d={leader}
        fill="none"
        stroke={colour}
        strokeWidth={1}
        strokeDasharray="1 3"
        opacity={0.5}
      />
      {marker && <MarkerShape marker={marker} cx={to.x + MARKER_AT} cy={to.y} colour={colour} />}
      <text x={to.x + TEXT_AT} y={to.y + (named ? -2 : 4)} fill={colour} fontWeight={600}>
        {named ? name : value}
      </text>
      {named && (
        <text x={to.x + TEXT_AT} y={to.y + 12} fill="var(--ink)">
          {value}
        </text>
      )}
    </g>
  );
}
