/** Which episodes are shown, in which order, and the turn that each leads to. */
import type { SettingValue } from "../../store/lensCodecs.ts";
import type { EpisodeFacts } from "./facts.ts";
import type { episodes } from "./manifest.ts";

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

type Numbered = Exclude<SortColumn, "task">;

const NUMBERS: Record<Numbered, (row: EpisodeFacts, place: number) => number> = {
  // In the recorded order.
  episode: (_row, place) => place,
  outcome: ({ outcome }) => ({ solved: 1, failed: 0, unknown: NaN })[outcome],
  reward: ({ reward }) => reward ?? NaN,
  turns: ({ turns }) => turns,
  error: ({ error }) => Math.abs(error?.value ?? NaN),
  clipped: ({ clipped }) => clipped ?? NaN,
  surprise: ({ surprise }) => surprise?.value ?? NaN,
  advantage: ({ advantage }) => Math.abs(advantage?.value ?? NaN),
};

/** Unknown values come last either way; ties keep the recorded order. */
export function sorted(rows: readonly EpisodeFacts[], order: Order): EpisodeFacts[] {
  const { column, direction } = order;
  const keys = column === "task" ? taskRanks(rows) : Float64Array.from(rows, NUMBERS[column]);
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

/** Rank of each row's task among all names; those without a name are unknown. */
function taskRanks(rows: readonly EpisodeFacts[]): Float64Array {
  const names = [...new Set(rows.map(({ task }) => task))].sort();
  const ranks = new Map(names.map((name, i) => [name, name === "" ? NaN : i]));
  return Float64Array.from(rows, ({ task }) => ranks.get(task)!);
}

/** A column's initial sort direction: descending for numbers, ascending for others. */
export function firstDirection(column: SortColumn): Order["direction"] {
  return column === "episode" || column === "task" ? "up" : "down";
}

/** The turn that the search, else the sorted column, refers to; else `first`. */
export function turnOf(row: EpisodeFacts, column: SortColumn, first = 0): number {
  if (row.hit) return row.hit.turn;
  if (column === "clipped") return row.firstClipped ?? first;
  if (column === "error" || column === "surprise" || column === "advantage")
    return row[column]?.turn ?? first;
  return first;
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
export function unknownColumns(rows: readonly EpisodeFacts[]): SortColumn[] {
  if (rows.length === 0) return [];
  const columns = Object.keys(NUMBERS) as Numbered[];
  return columns.filter((column) => rows.every((row, i) => Number.isNaN(NUMBERS[column](row, i))));
}
