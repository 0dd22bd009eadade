/** Which line is which, with its number: where the charts are read, over the selected stretch, or the newest one. */
import { useBrush, useReading, type ChartSync } from "./chartSync.ts";
import { differenceTo, heightAt, meanWithin, readAt, type Curve } from "../figures/curves/curve.ts";
import { formatSignedLike } from "../numeric/format.ts";
import type { Window } from "../numeric/scale.ts";
import { LineSwatch } from "./LineSwatch.tsx";
import type { DrawnCurve, DrawnFigure } from "./palette.ts";
import { chartWords as words } from "./words.ts";

interface CurveLegendProps {
  figure: DrawnFigure;
  sync: ChartSync;
  /** Whether changes are spoken: only while the chart has the focus, or a run would never be silent. */
  spoken: boolean;
  /** Whether the lines are named elsewhere, so that it is seen only while something is read. */
  quiet: boolean;
}

export function CurveLegend({ figure, sync, spoken, quiet }: CurveLegendProps) {
  const { curves, format, formatX, xName, byIteration, hint } = figure;
  const reading = useReading(sync);
  const brush = useBrush(sync);
  const place: ReadingPlace = { reading, brush: reading === null ? brush : null };
  const isRead = reading !== null || brush !== null;
  const baseline = curves.find(({ weight }) => weight === "baseline");
  const listed = quiet ? curves.filter((curve) => !isBandOf(curve, curves)) : curves;
  return (
    <div
      className={quiet ? "curve-legend quiet" : "curve-legend"}
      data-read={isRead || undefined}
      data-testid="legend"
      role="group"
      aria-label={words.legend}
      aria-live={spoken && reading !== null ? "polite" : "off"}
    >
      {/* Keeps its room while something is read, so that nothing jumps. */}
      {quiet && hint !== undefined && <p className="curve-hint">{hint}</p>}
      <div className="curve-read">
        <p className="curve-at">{placeText(place, xName, formatX)}</p>
        <ul className="chart-legend">
          {listed.map((curve) => (
            <Entry
              key={curve.id}
              curve={curve}
              value={valueAt(curve, place)}
              difference={
                baseline && curve !== baseline
                  ? differenceAt(curve, baseline, place, byIteration)
                  : null
              }
              hint={byIteration ? words.differenceHint : words.differenceAtX(xName)}
              format={format}
            />
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Whether it is behind a line of the same name, such as a band over seeds. */
function isBandOf({ weight, name }: Curve, all: readonly Curve[]): boolean {
  return weight === "ghost" && all.some((other) => other.weight !== "ghost" && other.name === name);
}

/** Where the numbers are from: one place, a stretch, or, with neither, each line's end. */
interface ReadingPlace {
  reading: number | null;
  brush: Window | null;
}

function placeText(
  { reading, brush }: ReadingPlace,
  xName: string,
  formatX: (x: number) => string,
) {
  if (reading !== null) return words.at(xName, formatX(reading));
  return brush ? words.meanOver(xName, formatX(brush[0]), formatX(brush[1])) : words.newest;
}

/** Undefined if the line has no point there, null if its point is not a number. */
function valueAt(curve: Curve, { reading, brush }: ReadingPlace): number | null | undefined {
  if (reading !== null) return readAt(curve, reading)?.y;
  if (brush) return meanWithin(curve, brush);
  return curve.y.findLast((value) => value !== null);
}

/** Where both are read; else at the last place that both have: beyond it a longer line has no lead. */
function differenceAt(
  curve: Curve,
  baseline: Curve,
  place: ReadingPlace,
  byIteration: boolean,
): number | null {
  const { reading, brush } = place;
  if (brush) return minus(valueAt(curve, place), valueAt(baseline, place));
  if (reading === null) return differenceTo(curve, baseline, byIteration)?.value ?? null;
  const here = readAt(curve, reading);
  return minus(
    here?.y,
    here && (byIteration ? readAt(baseline, reading)?.y : heightAt(baseline, here.x)),
  );
}

function minus(a: number | null | undefined, b: number | null | undefined): number | null {
  return typeof a === "number" && typeof b === "number" ? a - b : null;
}

interface EntryProps {
  curve: DrawnCurve;
  value: number | null | undefined;
  /** To the baseline. */
  difference: number | null;
  /** What the difference is. */
  hint: string;
  format: (value: number) => string;
}

function Entry({ curve, value, difference, hint, format }: EntryProps) {
  const { colour, dash, marker, name, weight, note, crashes } = curve;
  const text = value === undefined ? words.none : value === null ? words.notFinite : format(value);
  return (
    <li data-curve={curve.id} data-weight={weight}>
      <LineSwatch colour={colour} dash={dash} marker={marker} />
      <span className="curve-name">
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
