/**
 * Plots as data. In a cell `Plot` looks like Observable Plot; it returns a description, checked
 * here, which the page draws: marks from a list of allowed ones, options as plain JSON, functions
 * already evaluated over the data.
 */
import { InputError, show } from "../../numeric/inputError.ts";

/** Marks of Observable Plot that a cell may draw. */
const PLOT_MARKS = [
  ..."dot dotX dotY circle line lineX lineY areaX areaY area barX barY rect rectX rectY cell cellX cellY".split(
    " ",
  ),
  ..."ruleX ruleY tickX tickY text textX textY link arrow vector frame boxX boxY".split(" "),
  ..."linearRegressionX linearRegressionY hexgrid density contour axisX axisY gridX gridY".split(
    " ",
  ),
] as const;

export interface PlotMark {
  mark: string;
  /** Rows, or numbers; null: the mark has no data. */
  data: unknown;
  options: Record<string, unknown>;
}

/** `Plot.plot(options)` of Observable Plot, with these marks. */
export interface PlotDescription {
  options: Record<string, unknown>;
  marks: PlotMark[];
}

/** Options that reach outside of the plot. */
const REFUSED = new Set([
  "href",
  "target",
  "src",
  "style",
  "className",
  "document",
  "render",
  "ariaDescription",
]);
const MOST_MARKS = 50;
const MOST_ROWS = 200_000;

/** What cells have in addition to the language: `Plot` and `table`. Evaluated first in their sandbox. */
export const CELL_SETUP = `(() => {
"use strict";
const isList = (x) => Array.isArray(x) || ArrayBuffer.isView(x);
const worked = (options, data) => {
  const rows = data == null ? null : Array.from(data);
  const result = {};
  for (const [name, value] of Object.entries(options ?? {}))
    result[name] = typeof value === "function" && rows ? rows.map((row, i) => value(row, i, rows)) : value;
  return result;
};
const mark = (name) => (data, options) => {
  const lone = options === undefined && data != null && !isList(data) && typeof data[Symbol.iterator] !== "function";
  const [rows, rest] = lone ? [null, data] : [data ?? null, options];
  return { $mark: name, data: rows === null ? null : isList(rows) ? rows : Array.from(rows), options: worked(rest, rows) };
};
const names = ${JSON.stringify(PLOT_MARKS)};
const plot = ({ marks = [], ...options } = {}) => ({
  $plot: { options, marks: marks.flat(Infinity).filter((one) => one != null) },
});
const known = { ...Object.fromEntries(names.map((name) => [name, mark(name)])), plot };
const refuse = (name) => () => {
  throw new Error("Plot." + name + " is not available here; marks that are: Plot.dot, Plot.line, Plot.barY, Plot.text and " + (names.length - 4) + " more");
};
globalThis.Plot = new Proxy(known, {
  get: (_, name) => Object.hasOwn(known, name) || typeof name !== "string" || name === "toJSON" ? known[name] : refuse(name),
});
globalThis.table = (rows) => ({ $table: rows });
})();`;

/** The description of a plot; null if the value is not a plot. @throws InputError naming what is not allowed. */
export function plotOf(value: unknown): PlotDescription | null {
  const { $plot, $mark } = Object(value) as { $plot?: unknown; $mark?: unknown };
  if ($plot === undefined && $mark === undefined) return null;
  const { options = {}, marks = [value] } = Object($plot ?? {}) as {
    options?: unknown;
    marks?: unknown;
  };
  if (!Array.isArray(marks) || marks.length > MOST_MARKS)
    throw new InputError(`the plot has more than ${MOST_MARKS} marks, or no list of them`);
  return { options: checkedOptions("plot", options), marks: marks.map(checkedMark) };
}

function checkedMark(value: unknown): PlotMark {
  const { $mark, data = null, options = {} } = Object(value) as Record<string, unknown>;
  if (!(PLOT_MARKS as readonly unknown[]).includes($mark))
    throw new InputError(`the plot's mark is ${show($mark)}; allowed: ${PLOT_MARKS.join(", ")}`);
  const length = Object(data) as { length?: unknown };
  if (typeof length.length === "number" && length.length > MOST_ROWS)
    throw new InputError(
      `${String($mark)} has ${length.length} rows; it must have at most ${MOST_ROWS}`,
    );
  return { mark: $mark as string, data, options: checkedOptions(String($mark), options) };
}

function checkedOptions(what: string, options: unknown): Record<string, unknown> {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new InputError(`the options of ${what} are ${show(options)}; they must be an object`);
  refuseDeep(what, options);
  return options as Record<string, unknown>;
}

function refuseDeep(what: string, options: object): void {
  if (ArrayBuffer.isView(options) || Array.isArray(options)) return;
  for (const [name, value] of Object.entries(options)) {
    if (REFUSED.has(name)) throw new InputError(`the option ${name} of ${what} is not available`);
    if (typeof value === "object" && value !== null) refuseDeep(what, value as object);
  }
}
