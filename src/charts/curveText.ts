/** Curves as a table of text: what a spreadsheet takes. */
import { csvOf, tsvOf, type CsvCell } from "../ui/csv.ts";
import type { Curve } from "./curveTypes.ts";

/** Between two cells of a row. */
export type Separator = "comma" | "tab";

/**
 * One row for each place on x that a curve has a point at, one column for each curve, and two more for the ends of its interval where
 * it has one. Numbers are whole, before smoothing; a cell is empty where there is none.
 */
export function curvesAsText(
  curves: readonly Curve[],
  xName: string,
  separator: Separator,
): string {
  const columns = curves.flatMap(columnsOf);
  const places = new Set(curves.flatMap(({ x }) => [...x]));
  const head = [xName, ...columns.map(({ name }) => name)];
  const rows = [...places]
    .sort((a, b) => a - b)
    .map((x): CsvCell[] => [x, ...columns.map(({ at }) => at.get(x) ?? null)]);
  return (separator === "comma" ? csvOf : tsvOf)(head, rows);
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
