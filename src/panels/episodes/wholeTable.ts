/** All episodes found, for a file: complete, while the table draws a part. */
import type { CsvCell } from "../../ui/csv.ts";
import type { NumberTable } from "../../ui/tablesIn.ts";
import type { EpisodeFacts, Peak } from "./facts.ts";
import { words } from "./words.ts";

const { columns: names, moves, ofTurn, seedColumn, iterationColumn } = words;

const HEAD = [
  ...[iterationColumn, names.episode.name, moves.name, names.outcome.name, names.reward.name],
  ...[names.turns.name, ...peakHead(names.error.name), names.clipped.name],
  ...[...peakHead(names.surprise.name), ...peakHead(names.advantage.name)],
  ...[names.task.name, seedColumn],
].map((name) => name.replaceAll("\u00a0", " "));

/** @param rows in the table's order; episodes and turns count from 0, in the file from 1. */
export function wholeTable(rows: readonly EpisodeFacts[]): NumberTable {
  return { head: HEAD, rows: rows.map(cellsOf) };
}

function cellsOf(row: EpisodeFacts): CsvCell[] {
  return [
    ...[row.iteration, row.episode + 1, row.moves, words.outcome[row.outcome], row.reward],
    ...[row.turns, ...peakCells(row.error), row.clipped],
    ...[...peakCells(row.surprise), ...peakCells(row.advantage)],
    ...[row.task || null, row.seed],
  ];
}

function peakHead(name: string): string[] {
  return [name, ofTurn(name)];
}

function peakCells(peak: Peak | null): CsvCell[] {
  return peak ? [peak.value, peak.turn + 1] : [null, null];
}
