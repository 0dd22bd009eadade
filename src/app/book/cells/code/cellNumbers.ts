/** The full table of a code cell's result: its columns, or the rows that its plot draws. */
import type { CellColumn } from "../../../../runtime/sandbox/cells.ts";
import type { PlotDescription, PlotMark } from "../../../../runtime/sandbox/plot.ts";
import type { CsvCell } from "../../../../ui/csv.ts";
import type { NumberTable } from "../../../../ui/tablesIn.ts";

export function numbersOfColumns(columns: readonly CellColumn[]): NumberTable {
  const count = columns[0]?.values.length ?? 0;
  return {
    head: columns.map(({ name }) => name),
    rows: Array.from({ length: count }, (_, row) =>
      columns.map(({ values }) => cellOf(values[row])),
    ),
  };
}

/** The rows of all its marks, each with the mark's number and name; missing values are null. */
export function numbersOfPlot({ marks }: PlotDescription): NumberTable {
  const rows = marks.flatMap((mark, i) =>
    rowsOf(mark).map((row) => ({ mark: i + 1, kind: mark.mark, ...row })),
  );
  const head = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { head, rows: rows.map((row) => head.map((name) => cellOf((row as MarkRow)[name]))) };
}

type MarkRow = Readonly<Record<string, unknown>>;

/** Rows of a mark: its data, and the options that it computes per row. */
function rowsOf({ data, options }: PlotMark): MarkRow[] {
  if (!isList(data)) return [];
  const worked = Object.entries(options).filter(([, value]) => isList(value));
  return Array.from(data, (row, i) => ({
    ...(typeof row === "object" && row !== null && !isList(row) ? row : { value: row }),
    ...Object.fromEntries(worked.map(([name, list]) => [`${name} channel`, (list as List)[i]])),
  }));
}

type List = ArrayLike<unknown>;

function isList(value: unknown): value is List {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
}

function cellOf(value: unknown): CsvCell {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value === null || value === undefined) return null;
  return typeof value === "string"
    ? value
    : JSON.stringify(isList(value) ? Array.from(value) : value);
}
