/** Episodes as rows, some of them at a time; headers sort, a row's button moves all panels. */
import { memo, useEffect, useRef, useState } from "react";
import { useNumberFormats } from "../../ui/explained.ts";
import { Table } from "../../ui/DataTable.tsx";
import { rove } from "../../ui/roving.ts";
import type { Hit } from "./find.ts";
import type { SortColumn, Order } from "./order.ts";
import { Button } from "../../ui/Button.tsx";
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
function wholeTable(rows: readonly EpisodeFacts[]): NumberTable {
  return { head: HEAD, rows: rows.map(cellsOf) };
}

/** All episodes found, for a file: complete, while the table draws a part. */
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

/** Rows drawn at once. */
export const MOST_ROWS = 50;

/** Moves the cursor. */
export type GoToRow = (row: EpisodeFacts) => void;

interface EpisodeTableProps {
  rows: readonly EpisodeFacts[];
  /** All rows, of which these are a part. */
  all: readonly EpisodeFacts[];
  /** Index of the first of them among all rows. */
  from: number;
  /** Index of the row at the cursor among all rows; -1 if there is none. */
  here: number;
  order: Order;
  sortBy: (column: SortColumn) => void;
  /** What the rows belong to: several iterations, one, or a fork. */
  kind: RowKind;
  searched: boolean;
  go: GoToRow;
}

type RowKind = "several" | "one" | "fork";

export function EpisodeTable(props: EpisodeTableProps) {
  const { rows, all, from, here, order, sortBy, kind, searched, go } = props;
  const box = useHereInSight(here - from);
  const hasMoves = rows.some(({ moves }) => moves !== null);
  const [focused, setFocused] = useState<EpisodeFacts | null>(null);
  const stop = Math.max(0, rows.indexOf(focused ?? rows[here - from]!));
  return (
    <div className="episodes-box" ref={box} role="group" aria-label={words.table}>
      <Table
        className="episodes-table"
        testId="episodes-table"
        head={
          <>
            <Header column="episode" order={order} sortBy={sortBy} />
            {hasMoves && (
              <th scope="col" title={words.moves.hint}>
                {words.moves.name}
              </th>
            )}
            {searched && <th scope="col">{words.foundColumn}</th>}
            {(Object.keys(words.columns) as SortColumn[]).slice(1).map((column) => (
              <Header key={column} column={column} order={order} sortBy={sortBy} />
            ))}
          </>
        }
        whole={() => wholeTable(all)}
        bodyProps={{ onKeyDown: (event) => rove(event, "column") }}
      >
        {rows.map((row, i) => (
          <Row
            key={`${row.iteration} ${row.episode}`}
            row={row}
            kind={kind}
            searched={searched}
            hasMoves={hasMoves}
            go={go}
            onFocus={setFocused}
            isHere={from + i === here}
            isStop={i === stop}
          />
        ))}
      </Table>
    </div>
  );
}

/** Scrolls the box, never the page. */
function useHereInSight(here: number) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = ref.current;
    const row = box?.querySelectorAll<HTMLElement>("tbody tr")[here];
    if (!box || !row) return;
    const head = box.querySelector("thead")!.getBoundingClientRect().height;
    const [at, around] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
    if (at.top < around.top + head) box.scrollTop -= around.top + head - at.top;
    else if (at.bottom > around.bottom) box.scrollTop += at.bottom - around.bottom;
  }, [here]);
  return ref;
}

interface HeaderProps {
  column: SortColumn;
  order: Order;
  sortBy: (column: SortColumn) => void;
}

function Header({ column, order, sortBy }: HeaderProps) {
  const { name, hint } = words.columns[column];
  const short: string | undefined = words.short[column as keyof typeof words.short];
  const isSorted = order.column === column;
  const isUp = order.direction === "up";
  return (
    <th
      scope="col"
      title={hint}
      aria-sort={isSorted ? (isUp ? "ascending" : "descending") : undefined}
    >
      <Button look="quiet" data-sort={column} onClick={() => sortBy(column)}>
        {/* An attribute: drawn only in a pane, and never announced. */}
        <span className={short && "episodes-short"} data-short={short}>
          <span className={short && "episodes-word"}>{name}</span>
        </span>
        {/* Never on its own line. */}
        <span className="episodes-arrow" aria-hidden="true">
          {"\u00a0"}
          {isSorted ? (isUp ? "↑" : "↓") : "↕"}
        </span>
      </Button>
    </th>
  );
}

interface RowProps {
  row: EpisodeFacts;
  kind: RowKind;
  searched: boolean;
  hasMoves: boolean;
  isHere: boolean;
  /** Whether it is the tab stop. */
  isStop: boolean;
  go: GoToRow;
  onFocus: (row: EpisodeFacts) => void;
}

/** Only rows that change are redrawn when the cursor moves. */
const Row = memo(function Row(props: RowProps) {
  const { plain, signed } = useNumberFormats();
  const { row, kind, searched, hasMoves, isHere, isStop, go, onFocus } = props;
  return (
    <tr className={isHere ? "episodes-here" : undefined}>
      <th scope="row">
        <Button
          aria-current={isHere ? "true" : undefined}
          tabIndex={isStop ? 0 : -1}
          onFocus={() => onFocus(row)}
          onClick={() => go(row)}
        >
          <Name row={row} kind={kind} />
        </Button>
      </th>
      {hasMoves && <td className="episodes-moves">{row.moves ?? words.absent}</td>}
      {searched && <td className="episodes-found">{row.hit && <Context hit={row.hit} />}</td>}
      <td data-outcome={row.outcome}>
        <span className="episodes-word">{words.outcome[row.outcome]}</span>
      </td>
      <td className="number">{row.reward === null ? words.absent : signed(row.reward)}</td>
      <td className="number">{row.turns}</td>
      <PeakCell peak={row.error} format={signed} />
      <td className="number">{row.clipped ?? words.absent}</td>
      <PeakCell peak={row.surprise} format={plain} />
      <PeakCell peak={row.advantage} format={signed} />
      <TaskCell row={row} />
    </tr>
  );
});

function Name({ row: { iteration, episode }, kind }: Pick<RowProps, "row" | "kind">) {
  if (kind === "fork") return words.continuation(episode);
  if (kind === "several") return words.place(iteration, episode);
  return (
    <>
      <span className="episodes-word">{words.episode} </span>
      {episode + 1}
    </>
  );
}

/** Its name often contains the seed. */
function TaskCell({ row: { task, seed } }: { row: EpisodeFacts }) {
  const needsSeed = seed !== null && !task.endsWith(`:${seed}`);
  return (
    <td>
      <span className="episodes-name" title={task}>
        {task || words.noName}
      </span>{" "}
      {needsSeed && <span className="note">{words.seed(seed)}</span>}
    </td>
  );
}

function PeakCell({ peak, format }: { peak: Peak | null; format: (value: number) => string }) {
  return (
    <td className="number">
      {peak === null ? words.absent : format(peak.value)}{" "}
      {peak && <span className="note">{words.inTurn(peak.turn)}</span>}
    </td>
  );
}

function Context({ hit: { turn, where, before, match, after } }: { hit: Hit }) {
  return (
    <>
      <span className="note">
        {words.inTurn(turn)}, {words.where[where]}:
      </span>{" "}
      {before}
      <mark>{match}</mark>
      {after}
    </>
  );
}
