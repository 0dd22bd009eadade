/**
 * Rollouts inside of something else: an object around a list, a line for each step or group with its rollouts in a list,
 * lists in lists, or columns that are lists. What a group says once, each of its rollouts says.
 */
import { isRecord } from "../../spec/jsonText.ts";
import { ROW_NAMES } from "./choices.ts";
import { evaluationIn } from "./sources.ts";
import { listOf, type Fields } from "./values.ts";

/** What a rollout has in common with those beside it; a reward or an answer never is. */
const SHARED: readonly string[] = [...ROW_NAMES.prompt, ...ROW_NAMES.group, ...ROW_NAMES.step];

/** Objects and lists around rollouts. */
const DEEPEST = 4;

interface Unwrapped {
  rows: Fields[];
  /** Names of lists that are of an evaluation, beside one that is not. */
  leftOut: string[];
}

const NOTHING: Unwrapped = { rows: [], leftOut: [] };

/** The objects in the value that fit, with what is shared; the value itself if it does. */
export function unwrap(
  value: unknown,
  fits: (value: unknown) => boolean,
  shared: Fields = {},
  depth = 0,
): Unwrapped {
  const own = isRecord(value) ? { ...shared, ...value } : value;
  if (isRecord(own) && fits(own)) return { rows: [own], leftOut: [] };
  if (depth === DEEPEST) return NOTHING;
  if (Array.isArray(value))
    return joined(value.map((one: unknown) => unwrap(one, fits, shared, depth + 1)));
  if (!isRecord(own)) return NOTHING;
  const common = Object.fromEntries(
    Object.entries(own).filter(([name, one]) => SHARED.includes(name) && typeof one !== "object"),
  );
  const found = Object.entries(own).flatMap(([name, one]) => {
    const within = typeof one === "object" ? unwrap(one, fits, common, depth + 1) : NOTHING;
    return within.rows.length > 0 ? [{ name, within }] : [];
  });
  const trained = found.filter(({ name }) => !evaluationIn(name));
  const kept = trained.length > 0 ? trained : found;
  const others = found.filter((one) => !kept.includes(one)).map(({ name }) => name);
  const { rows, leftOut } = joined(kept.map(({ within }) => within));
  if (rows.length > 0) return { rows, leftOut: [...leftOut, ...others] };
  return { rows: rowsOfColumns(own).filter(fits), leftOut: [] };
}

function joined(all: readonly Unwrapped[]): Unwrapped {
  return {
    rows: all.flatMap(({ rows }) => rows),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
  };
}

/** Rows of an object whose lists are of one length, of `{"0": …}` as of lists (pandas' `to_json`); the rest is in each row. */
function rowsOfColumns(value: Fields): Fields[] {
  const columns = Object.entries(value).map(([name, one]) => [name, cellsOf(one)] as const);
  const lists = columns.flatMap(([name, cells]) => (cells ? [{ name, cells }] : []));
  const [first] = lists;
  if (!first || lists.some(({ cells }) => cells.length !== first.cells.length)) return [];
  const rest = columns.filter(([, cells]) => !cells).map(([name]) => [name, value[name]] as const);
  return first.cells.map((_, i) =>
    Object.fromEntries([
      ...rest,
      ...lists.map(({ name, cells }) => [cellName(name, cells[i]), cells[i]] as const),
    ]),
  );
}

function cellsOf(value: unknown): readonly unknown[] | null {
  if (!isRecord(value)) return listOf(value);
  const names = Object.keys(value);
  return names.length > 0 && names.every((name, i) => name === String(i))
    ? Object.values(value)
    : null;
}

const NAMES = new Set<string>(Object.values(ROW_NAMES).flat());

/** Of a column of one cell a row: "rewards" are those of turns where each cell is a list. */
function cellName(name: string, cell: unknown): string {
  const single = name.replace(/s$/, "");
  return NAMES.has(single) && !Array.isArray(cell) ? single : name;
}
