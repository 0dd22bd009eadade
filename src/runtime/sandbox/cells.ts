/**
 * Code cells of a notebook: each computes one value from the values that it names, in its own
 * sandbox, which is closed afterwards. Cells share only data.
 */
import { InputError } from "../../numeric/inputError.ts";
import { CodeError, type ConsoleLine } from "./codeError.ts";
import { readCell } from "./freeNames.ts";
import { CELL_LIMITS, type SandboxLimits } from "./limits.ts";
import { CELL_SETUP, plotOf, type PlotDescription } from "./plot.ts";
import { Sandbox } from "./sandbox.ts";
import { type JsonObject, isRecord } from "../../spec/jsonText.ts";

export interface CodeCell {
  /** The name that other cells use for its value. */
  name: string;
  /** JavaScript or TypeScript; its value is that of its last expression, or of its `return`. */
  source: string;
}

export interface CellColumn {
  name: string;
  /** One value per row; null for a row without one. */
  values: unknown[];
}

/**
 * What a cell shows. `value` is what other cells read; like everything that crosses, it is data.
 */
export type CellShown =
  | { kind: "nothing" }
  | { kind: "value"; value: unknown }
  | { kind: "table"; columns: CellColumn[]; rows: number }
  | { kind: "plot"; plot: PlotDescription };

interface CellProblem {
  /** With the cell's name and line. */
  message: string;
  /** From 1; null if unknown. */
  line: number | null;
  what: string;
}

export type CellOutput = { lines: ConsoleLine[] } & (
  { ok: true; shown: CellShown; value: unknown } | { ok: false; problem: CellProblem }
);

/**
 * Runs one cell. `inputs`: values that it may name, data only; those it does not name are left out.
 * quickjs: the interpreter's compiled binary. Errors in the code are an output, not an exception.
 */
export async function runCell(
  quickjs: WebAssembly.Module,
  { name, source }: CodeCell,
  inputs: Readonly<Record<string, unknown>> = {},
  limits: SandboxLimits = CELL_LIMITS,
): Promise<CellOutput> {
  try {
    const { script, free, value: at } = await readCell(source, name);
    const given = free.filter((one) => Object.hasOwn(inputs, one));
    const code = wrapped(script, given, at);
    const sandbox = await Sandbox.open(quickjs, name, code, {
      limits,
      setup: CELL_SETUP,
      stripped: true,
    });
    const needed = Object.fromEntries(given.map((one) => [one, inputs[one]]));
    const { value, lines } = sandbox.call("cell", needed);
    return { ok: true, value, shown: shownOf(value), lines };
  } catch (error) {
    return failed(name, error);
  }
}

/** As the body of one function that starts on the cell's own first line, so that line numbers stay the same. */
function wrapped(script: string, given: readonly string[], at: number | null): string {
  const body = at === null ? script : `${script.slice(0, at)}return ${script.slice(at)}`;
  return `export const cell = ({ ${given.join(", ")} }) => {${body}\n};`;
}

function failed(name: string, error: unknown): CellOutput {
  if (error instanceof CodeError) {
    const { message, line, what, lines } = error;
    return { ok: false, lines: [...lines], problem: { message, line, what } };
  }
  if (!(error instanceof InputError)) throw error;
  const what = error.message;
  return { ok: false, lines: [], problem: { message: `${name}: ${what}`, line: null, what } };
}

/** Maximum number of rows shown. */
const MOST_ROWS = 10_000;

/** @throws InputError if a plot is not allowed. */
function shownOf(value: unknown): CellShown {
  if (value === undefined) return { kind: "nothing" };
  const plot = plotOf(value);
  if (plot) return { kind: "plot", plot };
  const { $table } = Object(value) as { $table?: unknown };
  const table = tableOf($table ?? value);
  if (table) return table;
  if ($table !== undefined)
    throw new InputError("table needs a list of objects, or an object of lists of equal length");
  return { kind: "value", value };
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || ArrayBuffer.isView(value);

/** A list of objects, or an object of lists of equal length; null for anything else. */
function tableOf(value: unknown): Extract<CellShown, { kind: "table" }> | null {
  if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) return ofRows(value);
  if (!isRecord(value)) return null;
  const entries = Object.entries(value);
  const lists = entries.map(([, list]) => list);
  if (entries.length === 0 || !lists.every(isList)) return null;
  const rows = lists[0]!.length;
  if (!lists.every((list) => list.length === rows)) return null;
  const columns = entries.map(([name, list]) => ({
    name,
    values: Array.from(list as ArrayLike<unknown>).slice(0, MOST_ROWS),
  }));
  return { kind: "table", columns, rows };
}

function ofRows(all: readonly JsonObject[]): Extract<CellShown, { kind: "table" }> {
  const rows = all.slice(0, MOST_ROWS);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => ({ name, values: rows.map((row) => row[name] ?? null) }));
  return { kind: "table", columns, rows: all.length };
}
