/** Which line is which, with its number where the charts are read, or its newest one. */
import { useReading, type ChartSync } from "./chartSync.ts";
import { WEIGHTS } from "./CurveLine.tsx";
import { readAt } from "./curve.ts";
import { type Curve } from "./curveTypes.ts";
import { differenceTo, heightAt } from "./difference.ts";
import { formatSignedLike } from "./format.ts";
import { chartWords as words } from "./words.ts";

interface CurveLegendProps {
  curves: readonly Curve[];
  sync: ChartSync;
  format: (value: number) => string;
  formatX: (x: number) => string;
  xName: string;
  /** Whether x counts iterations. */
  byIteration: boolean;
  /** Whether changes are spoken: only while the chart has the focus, or a run would never be silent. */
  spoken: boolean;
}

export function CurveLegend(props: CurveLegendProps) {
  const { curves, sync, format, formatX, xName, byIteration, spoken } = props;
  const reading = useReading(sync);
  const baseline = curves.find(({ weight }) => weight === "baseline");
  return (
    <div
      className="curve-legend"
      data-testid="legend"
      role="group"
      aria-label={words.legend}
      aria-live={spoken && reading !== null ? "polite" : "off"}
    >
      <p className="curve-at">
        {reading === null ? words.newest : words.at(xName, formatX(reading))}
      </p>
      <ul className="chart-legend">
        {curves.map((curve) => (
          <Entry
            key={curve.id}
            curve={curve}
            value={valueAt(curve, reading)}
            difference={
              baseline && curve !== baseline
                ? differenceAt(curve, baseline, reading, byIteration)
                : null
            }
            hint={byIteration ? words.differenceHint : words.differenceAtX(xName)}
            format={format}
          />
        ))}
      </ul>
    </div>
  );
}

/** Undefined where the line has no point, null where its point is no number. */
function valueAt(curve: Curve, reading: number | null): number | null | undefined {
  if (reading !== null) return readAt(curve, reading)?.y;
  return curve.y.findLast((value) => value !== null);
}

/** Where both are read; else at the last place that both have, for a longer line's lead is no lead. */
function differenceAt(
  curve: Curve,
  baseline: Curve,
  reading: number | null,
  byIteration: boolean,
): number | null {
  if (reading === null) return differenceTo(curve, baseline, byIteration)?.value ?? null;
  const here = readAt(curve, reading);
  const base = here && (byIteration ? readAt(baseline, reading)?.y : heightAt(baseline, here.x));
  return typeof here?.y === "number" && typeof base === "number" ? here.y - base : null;
}

interface EntryProps {
  curve: Curve;
  value: number | null | undefined;
  /** To the baseline. */
  difference: number | null;
  /** What the difference is. */
  hint: string;
  format: (value: number) => string;
}

function Entry({ curve, value, difference, hint, format }: EntryProps) {
  const { colour, dash, name, weight, note, crashes } = curve;
  const { width, opacity } = WEIGHTS[weight];
  const text = value === undefined ? words.none : value === null ? words.notFinite : format(value);
  return (
    <li data-curve={curve.id}>
      <svg width="28" height="10" aria-hidden="true" opacity={opacity}>
        <line
          {...{ x1: 0, x2: 28, y1: 5, y2: 5 }}
          stroke={colour}
          strokeWidth={width + 0.5}
          strokeDasharray={dash}
        />
      </svg>
      <span>
        {name}
        {note !== "" && <span className="note"> {note}</span>}
      </span>
      <span className="number">
        {text}
        {difference !== null && (
          <>
            {" "}
            <span className="curve-difference" title={hint}>
              {formatSignedLike(format, difference)}
            </span>
          </>
        )}
      </span>
      {crashes.length > 0 && <span className="tag tag-crash">{words.crashed}</span>}
      {weight === "baseline" && <span className="tag">{words.baseline}</span>}
    </li>
  );
}
