/** Curves as a table of text: what a spreadsheet takes. */
import { csvOf, tsvOf } from "../ui/csv.ts";
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
  const { head, rows } = tableOf(curves, xName);
  return (separator === "comma" ? csvOf : tsvOf)(head, rows);
}

/** The same rows, one object a line; a number that was not finite, or is not there, is null. */
export function curvesAsJsonl(curves: readonly Curve[], xName: string): string {
  const { head, rows } = tableOf(curves, xName);
  return rows.map((row) => JSON.stringify(zipped(head, row)) + "\n").join("");
}

/** A name that comes twice gets its place: an object has each once. */
function zipped(head: readonly string[], row: readonly (number | null)[]): object {
  const names = head.map((name, i) => (head.indexOf(name) === i ? name : `${name} (${i})`));
  return Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]));
}

function tableOf(curves: readonly Curve[], xName: string) {
  const columns = curves.flatMap(columnsOf);
  const places = new Set(curves.flatMap(({ x }) => [...x]));
  const head = [xName, ...columns.map(({ name }) => name)];
  const rows = [...places]
    .sort((a, b) => a - b)
    .map((x): (number | null)[] => [x, ...columns.map(({ at }) => at.get(x) ?? null)]);
  return { head, rows };
}

interface TextColumn {
  name: string;
  at: ReadonlyMap<number, number | null>;
}

function columnsOf({ name, note, x, rawY, band }: Curve): TextColumn[] {
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
