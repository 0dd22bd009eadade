/** Curves as a table: what a spreadsheet takes. */
import type { NumberTable } from "../ui/tablesIn.ts";
import type { Curve } from "./curveTypes.ts";

/**
 * One row for each place on x that a curve has a point at, one column for each curve, and two more for the ends of its interval where
 * it has one. Numbers are whole, before smoothing; a cell is null where there is none.
 */
export function tableOfCurves(curves: readonly Curve[], xName: string): NumberTable {
  const columns = curves.flatMap(columnsOf);
  const places = new Set(curves.flatMap(({ x }) => [...x]));
  const head = [xName, ...columns.map(({ name }) => name)];
  const rows = [...places]
    .sort((a, b) => a - b)
    .map((x): (number | null)[] => [x, ...columns.map(({ at }) => at.get(x) ?? null)]);
  return { head, rows };
}

interface Column {
  name: string;
  at: ReadonlyMap<number, number | null>;
}

function columnsOf({ name, note, x, rawY, band }: Curve): Column[] {
  const full = note === "" ? name : `${name}, ${note}`;
  const own = { name: full, at: new Map(x.map((at, i) => [at, rawY[i] ?? null])) };
  if (!band) return [own];
  const end = (which: "low" | "high") => ({
    name: `${full}, ${which}`,
    at: new Map(band.map((point) => [point.x, finiteOrNull(point[which])])),
  });
  return [own, end("low"), end("high")];
}

const finiteOrNull = (value: number) => (Number.isFinite(value) ? value : null);
