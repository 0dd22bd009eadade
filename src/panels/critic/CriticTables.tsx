/** The numbers behind the critic panel's pictures. */
import { formatPercent } from "../../numeric/format.ts";
import { NumbersTable } from "../../charts/NumbersTable.tsx";
import { download } from "../../ui/download.ts";
import { csvOf, type CsvCell } from "../../ui/csv.ts";
import { signedCell } from "./describe.ts";
import type { FitPoint, TruthPoint } from "./fit.ts";
import type { CriticModel } from "./model.ts";
import type { Pair } from "./pairs.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

/** Rows of a table that may have thousands. */
const MOST = 500;

export function CriticTables({ model }: { model: CriticModel }) {
  const { tables, heads } = words;
  const { points, bins, byTurn, truth } = model;
  return (
    <>
      <NumbersTable
        title={tables.turns}
        testId="critic-turns-table"
        head={heads.turns}
        rows={byTurn.map(({ n, recorded, metric }, h) => [
          ...[String(h + 1), String(n)],
          ...[signedCell(recorded, formatPercent), signedCell(metric, formatPercent)],
        ])}
      />
      <NumbersTable
        title={tables.bins}
        testId="critic-bins-table"
        head={heads.bins}
        note={words.dependent}
        rows={bins.map(({ x, y, low, high, n }) => [
          ...[x, y, low, high].map((value) => signedCell(value)),
          String(n),
        ])}
      />
      <LongTable
        title={tables.points}
        testId="critic-points-table"
        head={heads.points}
        items={points}
        row={pointCells}
        file="critic-turns.csv"
        all={pointNumbers}
      />
      {truth.length > 0 && (
        <LongTable
          title={tables.truth}
          testId="critic-truth-table"
          head={heads.truth}
          items={truth}
          row={truthCells}
          file="critic-truth.csv"
          all={truthNumbers}
        />
      )}
    </>
  );
}

interface LongTableProps<T> {
  title: string;
  testId: string;
  head: readonly string[];
  items: readonly T[];
  row: (item: T) => string[];
  /** What a file has of an item, in the columns of `head`. */
  all: (item: T) => CsvCell[];
  file: string;
}

/** A table of the first rows, and a file of all where there are more. */
function LongTable<T>({ items, row, all, file, head, ...rest }: LongTableProps<T>) {
  const save = () => download(csvOf(head, items.map(all)), file, "text/csv;charset=utf-8");
  return (
    <>
      <NumbersTable
        {...rest}
        head={head}
        {...(items.length > MOST && { note: words.rowsCapped(MOST, items.length) })}
        rows={items.slice(0, MOST).map(row)}
        whole={() => ({ head, rows: items.map(all) })}
      />
      {items.length > MOST && (
        <Button className="critic-save" aria-label={`${rest.title}: ${words.save}`} onClick={save}>
          {words.save}
        </Button>
      )}
    </>
  );
}

function pointCells({ pair }: FitPoint): string[] {
  return [
    ...place(pair),
    ...[pair.value, pair.target, pair.came].map((value) => signedCell(value)),
    pair.cutOff ? words.yes : words.no,
  ];
}

function pointNumbers({ pair }: FitPoint): CsvCell[] {
  const { value, target, came, cutOff } = pair;
  return [...place(pair), value, target, came, cutOff ? words.yes : words.no];
}

function truthCells({ pair, x, y, interval, other }: TruthPoint): string[] {
  const numbers = [x, y, ...interval].map((value) => signedCell(value));
  return [...place(pair), ...numbers, trainedText(pair, other)];
}

function truthNumbers({ pair, x, y, interval, other }: TruthPoint): CsvCell[] {
  return [...place(pair), x, y, ...interval, trainedText(pair, other)];
}

/** Whose truth it is, as iterations of training. */
const trainedText = ({ iteration }: Pair, other: number | null) => String(other ?? iteration - 1);

function place({ iteration, episode, turn }: Pair): string[] {
  return [iteration, episode + 1, turn + 1].map(String);
}
