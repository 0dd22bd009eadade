/** The numbers behind the critic panel's pictures. */
import { formatPercent } from "../../charts/format.ts";
import { NumbersTable } from "../../charts/NumbersTable.tsx";
import { cell } from "./describe.ts";
import type { CriticModel } from "./model.ts";
import type { Pair } from "./pairs.ts";
import { words } from "./words.ts";

/** Rows of a table that may have thousands. */
const MOST = 500;

export function CriticTables({ model }: { model: CriticModel }) {
  const { tables, heads } = words;
  const { points, bins, byTurn, truth } = model;
  return (
    <>
      <NumbersTable
        {...{ title: tables.turns, testId: "critic-turns-table", head: heads.turns }}
        rows={byTurn.map(({ n, recorded, metric }, h) => [
          ...[String(h + 1), String(n)],
          ...[cell(recorded, formatPercent), cell(metric, formatPercent)],
        ])}
      />
      <NumbersTable
        {...{ title: tables.bins, testId: "critic-bins-table", head: heads.bins }}
        note={words.dependent}
        rows={bins.map(({ x, y, low, high, n }) => [
          ...[x, y, low, high].map((value) => cell(value)),
          String(n),
        ])}
      />
      <NumbersTable
        {...{ title: tables.points, testId: "critic-points-table", head: heads.points }}
        {...(points.length > MOST && { note: words.rowsCapped(MOST) })}
        rows={points
          .slice(0, MOST)
          .map(({ pair }) => [
            ...place(pair),
            ...[pair.value, pair.target, pair.came].map((value) => cell(value)),
            pair.cutOff ? words.yes : words.no,
          ])}
      />
      {truth.length > 0 && (
        <NumbersTable
          {...{ title: tables.truth, testId: "critic-truth-table", head: heads.truth }}
          rows={truth
            .slice(0, MOST)
            .map(({ pair, x, y, interval }) => [
              ...place(pair),
              ...[x, y, ...interval].map((value) => cell(value)),
            ])}
        />
      )}
    </>
  );
}

function place({ iteration, episode, turn }: Pair): string[] {
  return [iteration, episode + 1, turn + 1].map(String);
}
