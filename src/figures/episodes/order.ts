/** The columns of the table: what a row shows, what it is sorted by, and the turn that it leads to. */
import type { SettingValue } from "../../store/lensCodecs.ts";
import type { FigureCell, GridCell, GridColumn } from "../figure.ts";
import type { EpisodeFacts, Peak } from "./facts.ts";
import type { episodes } from "./manifest.ts";
import { words } from "./words.ts";

type EpisodeOptions = (typeof episodes)["settings"];

export type SortColumn = SettingValue<EpisodeOptions["sort"]>;

export interface Order {
  column: SortColumn;
  direction: SettingValue<EpisodeOptions["direction"]>;
}

interface Filters {
  outcome: SettingValue<EpisodeOptions["outcome"]>;
  /** Only episodes with a clipped turn. */
  clipped: boolean;
}

/** Those that pass the filters. */
export function filtered(
  rows: readonly EpisodeFacts[],
  { outcome, clipped }: Filters,
): EpisodeFacts[] {
  return rows.filter(
    (row) =>
      (outcome === "any" || row.outcome === outcome) &&
      (!clipped || (row.clipped !== null && row.clipped > 0)),
  );
}

interface EpisodeColumn extends GridColumn {
  /** By which rows are sorted; NaN is unknown. */
  rank: (row: EpisodeFacts) => number;
  cell: (row: EpisodeFacts) => GridCell;
  /** In a file, if that is more than the number. */
  peak?: (row: EpisodeFacts) => Peak | null;
  /** The turn that it is about. */
  turn?: (row: EpisodeFacts) => number | null;
}

type RowNumber = (row: EpisodeFacts) => number | null;

const numberColumn = (of: RowNumber) => ({ cell: of, rank: (row: EpisodeFacts) => of(row) ?? NaN });

function peakColumn(peak: (row: EpisodeFacts) => Peak | null) {
  return {
    peak,
    rank: (row: EpisodeFacts) => Math.abs(peak(row)?.value ?? NaN),
    cell: (row: EpisodeFacts): GridCell => {
      const found = peak(row);
      return found && { value: found.value, more: words.inTurn(found.turn) };
    },
    turn: (row: EpisodeFacts) => peak(row)?.turn ?? null,
  };
}

const SOLVED = { solved: 1, failed: 0, unknown: NaN };
const SIGNS = { solved: "good", failed: "bad", unknown: "open" } as const;
const { columns: names } = words;

type NamedColumn = Exclude<SortColumn, "episode">;

/** By name; their order is the table's. */
export const COLUMNS: Readonly<Record<NamedColumn, EpisodeColumn>> = {
  outcome: {
    ...names.outcome,
    width: 1.25,
    rank: ({ outcome }) => SOLVED[outcome],
    cell: ({ outcome }) => ({ text: words.outcome[outcome], sign: SIGNS[outcome] }),
  },
  reward: { ...names.reward, unit: "signed", width: 3.25, ...numberColumn((row) => row.reward) },
  turns: { ...names.turns, unit: "count", width: 2.5, ...numberColumn((row) => row.turns) },
  error: { ...names.error, unit: "signed", ...peakColumn((row) => row.error) },
  clipped: {
    ...names.clipped,
    unit: "count",
    ...numberColumn((row) => row.clipped),
    turn: (row) => row.firstClipped,
  },
  surprise: { ...names.surprise, unit: "number", ...peakColumn((row) => row.surprise) },
  advantage: { ...names.advantage, unit: "signed", ...peakColumn((row) => row.advantage) },
  task: { ...names.task, look: "cut", rank: () => NaN, cell: taskCell },
};

/** Its name often contains the seed. */
function taskCell({ task, seed }: EpisodeFacts): GridCell {
  const needsSeed = seed !== null && !task.endsWith(`:${seed}`);
  return {
    text: task || words.noName,
    hint: task,
    ...(needsSeed && { more: words.seed(seed) }),
  };
}

/** Unknown values come last either way; ties keep the recorded order. */
export function sorted(rows: readonly EpisodeFacts[], order: Order): EpisodeFacts[] {
  const { column, direction } = order;
  const keys = ranksOf(rows, column);
  const sign = direction === "up" ? 1 : -1;
  const places = Uint32Array.from(rows, (_, i) => i).sort((a, b) => {
    const [x, y] = [keys[a]!, keys[b]!];
    if (x === y) return a - b;
    if (x < y) return -sign;
    // If two numbers are neither equal nor ordered, one is NaN.
    return x > y ? sign : Number.isNaN(x) === Number.isNaN(y) ? a - b : Number.isNaN(x) ? 1 : -1;
  });
  return Array.from(places, (i) => rows[i]!);
}

/** Of tasks: the rank among all names; those without a name are unknown. */
function ranksOf(rows: readonly EpisodeFacts[], column: SortColumn): Float64Array {
  if (column === "episode") return Float64Array.from(rows, (_, place) => place);
  if (column !== "task") return Float64Array.from(rows, (row) => COLUMNS[column].rank(row));
  const tasks = [...new Set(rows.map(({ task }) => task))].sort();
  const ranks = new Map(tasks.map((name, i) => [name, name === "" ? NaN : i]));
  return Float64Array.from(rows, ({ task }) => ranks.get(task)!);
}

/** The order after a click on a column: in reverse if it is sorted by it, else numbers from the largest down. */
export function orderAfter({ column, direction }: Order, next: SortColumn): Order {
  const isText = next === "episode" || next === "task";
  const isUp = next === column ? direction === "down" : isText;
  return { column: next, direction: isUp ? "up" : "down" };
}

/** The turn that the search, else the sorted column, refers to; else `first`. */
export function turnOf(row: EpisodeFacts, column: SortColumn, first = 0): number {
  if (row.hit) return row.hit.turn;
  return (column === "episode" ? null : COLUMNS[column].turn?.(row)) ?? first;
}

type RowPlace = Pick<EpisodeFacts, "iteration" | "episode">;

/** Index of the episode at the cursor among the rows; -1 if it is not one of them. */
export function rowIndexOf(
  rows: readonly EpisodeFacts[],
  { iteration, episode }: RowPlace,
): number {
  return rows.findIndex((row) => row.iteration === iteration && row.episode === episode);
}

/** The next or previous row, cyclically; from elsewhere the first or the last. */
export function beside(rows: readonly EpisodeFacts[], here: number, by: 1 | -1): EpisodeFacts {
  if (here < 0) return rows.at(by > 0 ? 0 : -1)!;
  return rows[(here + by + rows.length) % rows.length]!;
}

/** Columns that are unknown in every row. */
export function unknownColumns(rows: readonly EpisodeFacts[]): NamedColumn[] {
  if (rows.length === 0) return [];
  const columns = Object.keys(COLUMNS) as NamedColumn[];
  return columns.filter((column) =>
    rows.every((row) => column !== "task" && Number.isNaN(COLUMNS[column].rank(row))),
  );
}

const inWords = (name: string) => name.replaceAll("\u00a0", " ");

/** All rows for a file: episodes and turns count from 0 here, in the file from 1. */
export function wholeTable(rows: readonly EpisodeFacts[]) {
  const { task, outcome, ...numbers } = COLUMNS;
  const own = Object.values(numbers);
  const head = [
    ...[words.iterationColumn, names.episode.name, words.moves.name, outcome.name],
    ...own.flatMap(({ name, peak }) => (peak ? [name, words.ofTurn(name)] : [name])),
    ...[task.name, words.seedColumn],
  ];
  const cellsOf = (row: EpisodeFacts): FigureCell[] => [
    ...[row.iteration, row.episode + 1, row.moves, words.outcome[row.outcome]],
    ...own.flatMap((column) => fileCells(column, row)),
    ...[row.task || null, row.seed],
  ];
  return { head: head.map(inWords), rows: rows.map(cellsOf) };
}

function fileCells({ peak, rank }: EpisodeColumn, row: EpisodeFacts): FigureCell[] {
  if (peak) {
    const found = peak(row);
    return found ? [found.value, found.turn + 1] : [null, null];
  }
  const value = rank(row);
  return [Number.isNaN(value) ? null : value];
}
