/** The numbers of a chart of curves as tables: the drawn ones, rounded, and all of them for files. */
import { finite } from "../../numeric/finite.ts";
import { formatSignedLike } from "../../numeric/format.ts";
import { greatest } from "../../numeric/lists.ts";
import type { CurveFigure } from "./chart.ts";
import { heightBeside, type Curve } from "./curve.ts";
import { words } from "./words.ts";

interface DrawnTable {
  /** After the iteration's: the line that a column is of, and its name. */
  columns: { key: string; name: string }[];
  /** An iteration and its cells. */
  rows: string[][];
}

type TableFigure = Pick<CurveFigure, "curves" | "format" | "formatX" | "byIteration">;

/** Every iteration that is drawn of any curve, with what each curve has there, and its difference to the baseline. */
export function drawnTable(figure: TableFigure): DrawnTable {
  const { curves, byIteration } = figure;
  const baseline = curves.find(({ weight }) => weight === "baseline");
  const columns = curves.flatMap((curve) => {
    const own = { key: curve.id, name: curve.name, cell: cellsOf(curve, figure) };
    if (!baseline || curve === baseline) return [own];
    const [key, name] = [`${curve.id}|difference`, words.table.difference];
    return [own, { key, name, cell: differencesOf(curve, baseline, byIteration, figure.format) }];
  });
  const drawn = new Set(curves.flatMap(({ kept, iteration }) => kept.map((i) => iteration[i]!)));
  const order = [...drawn].sort((a, b) => a - b);
  return {
    columns: columns.map(({ key, name }) => ({ key, name })),
    rows: order.map((n) => [String(n), ...columns.map(({ cell }) => cell(n))]),
  };
}

/** The value at an iteration; "" if the curve has no point there. */
type CellAt = (iteration: number) => string;

const atPlaces = ({ iteration }: Curve, cell: (i: number) => string): CellAt => {
  const places = new Map(iteration.map((n, i) => [n, i]));
  return (n) => (places.has(n) ? cell(places.get(n)!) : "");
};

/** If x is not the iteration, each number gives its position on x. */
function cellsOf(curve: Curve, { format, formatX, byIteration }: TableFigure): CellAt {
  const { x, y, n, band } = curve;
  const intervals = new Map(band?.map((point) => [point.x, point]));
  const isMean = greatest(n) > 1;
  return atPlaces(curve, (i) => {
    const [value, found] = [y[i] ?? null, intervals.get(x[i]!)];
    const isKnown = found !== undefined && Number.isFinite(found.low);
    const interval = isKnown ? ` [${format(found.low)}, ${format(found.high)}]` : "";
    const seeds = isMean ? ` (n = ${n[i]!})` : "";
    const place = byIteration ? "" : ` ${words.table.at(formatX(x[i]!))}`;
    return (value === null ? words.notFinite : format(value)) + interval + seeds + place;
  });
}

function differencesOf(
  curve: Curve,
  baseline: Curve,
  byIteration: boolean,
  format: CurveFigure["format"],
): CellAt {
  const base = heightBeside(curve, baseline, byIteration);
  return atPlaces(curve, (i) => {
    const [own, other] = [curve.y[i] ?? null, base(i)];
    return own === null || other === null ? "" : formatSignedLike(format, own - other);
  });
}

/** Names of columns, and rows. */
export interface CurveNumbers {
  head: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}

/**
 * One row for each place on x that a curve has a point at, one column for each curve, and two more for the ends of its interval where
 * it has one. Numbers are whole, before smoothing; a cell is null if there is none.
 */
export function tableOfCurves(curves: readonly Curve[], xName: string): CurveNumbers {
  const columns = curves.flatMap(({ name, note, x, rawY, band }) => {
    const full = note === "" ? name : `${name}, ${note}`;
    const own = { name: full, at: new Map(x.map((at, i) => [at, rawY[i] ?? null])) };
    const ends = (["low", "high"] as const).map((end) => ({
      name: `${full}, ${end}`,
      at: new Map(band?.map((point) => [point.x, finite(point[end])])),
    }));
    return band ? [own, ...ends] : [own];
  });
  const places = [...new Set(curves.flatMap(({ x }) => [...x]))].sort((a, b) => a - b);
  return {
    head: [xName, ...columns.map(({ name }) => name)],
    rows: places.map((x) => [x, ...columns.map(({ at }) => at.get(x) ?? null)]),
  };
}
