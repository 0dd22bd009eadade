/** The opening page's figures as tables, for saving. */
import type { CsvCell } from "../../ui/csv.ts";
import type { NumberTable } from "../../ui/tablesIn.ts";
import type { Opening } from "../../reading/opening.ts";
import { OPENING_METHODS } from "../../reading/openingMethods.ts";
import { titleOf } from "../../reading/titles.ts";
import { cutsOf } from "./cuts.ts";
import { numbersWords as words } from "./words.ts";

/** A row for each turn: the response, its reward, and its credit by each method and in truth. */
export function numbersOfStrip({ turns, credits, truth }: Opening): NumberTable {
  const methods = OPENING_METHODS.filter((name) => credits[name]);
  return {
    head: [...words.turn, ...methods.map(titleOf), ...words.truth],
    rows: turns.map(({ text, actions, reward }, h): CsvCell[] => [
      ...[h + 1, text, actions.join(" "), reward],
      ...methods.map((name) => credits[name]![h] ?? null),
      ...[truth.advantage[h] ?? null, truth.low[h] ?? null, truth.high[h] ?? null],
    ]),
  };
}

/** A row for each piece. If a method does not cut the episode, its one piece belongs to no turn. */
export function numbersOfCuts(opening: Opening): NumberTable {
  const rows = cutsOf(opening).flatMap(({ method, turns }) =>
    turns.flatMap((pieces, h) =>
      pieces.map((value, i): CsvCell[] => [
        ...[titleOf(method), turns.length > 1 ? h + 1 : null, i + 1, value],
      ]),
    ),
  );
  return { head: words.cuts, rows };
}
