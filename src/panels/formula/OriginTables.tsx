/** The numbers that formulas are filled from; those behind the marked term are highlighted, and each leads to its place. */
import { memo, useEffect, useRef } from "react";
import { termOf, type Binding } from "../../method/formula/vocabulary.ts";
import type { TurnChoice } from "../../store/turnChoice.ts";
import { Tex } from "../../ui/maths/Tex.tsx";
import { Table } from "../../ui/DataTable.tsx";
import { brief } from "./known.ts";
import { cursorOf } from "./marks.ts";
import type { OriginRow, OriginTable } from "./originData.ts";
import { rove } from "../../ui/roving.ts";
import { useOwnTask } from "./useOwnTask.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface OriginTablesProps {
  tables: readonly OriginTable[];
  /** Those behind the marked term. */
  cells: readonly string[];
  move: (changes: Partial<TurnChoice>) => void;
}

export function OriginTables({ tables, cells, move }: OriginTablesProps) {
  const shown = useOwnTask(tables);
  const marked = new Set(cells);
  return (
    <div className="origin-tables">
      {shown.map((table) => (
        <Origins key={table.id} table={table} marked={marked} move={move} />
      ))}
    </div>
  );
}

interface OriginsProps {
  table: OriginTable;
  marked: ReadonlySet<string>;
  move: (changes: Partial<TurnChoice>) => void;
}

function Origins({ table, marked, move }: OriginsProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => showCurrent(box.current), [table]);
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={table.name} ref={box}>
      <Table
        className="origins"
        caption={table.name}
        head={
          <>
            <th scope="col">{table.first}</th>
            {table.columns.map((binding) => (
              <ColumnHead key={binding} binding={binding} />
            ))}
          </>
        }
        bodyProps={{ onKeyDown: (event) => rove(event, "column") }}
      >
        {table.rows.map((row, i) => (
          <Row key={i} row={row} marked={marked} move={move} isText={table.id === "tokens"} />
        ))}
      </Table>
    </div>
  );
}

/** Scrolls a table's own box, not the page, to the row of the cursor. */
function showCurrent(box: HTMLElement | null): void {
  const row = box?.querySelector<HTMLElement>("tr[aria-current]");
  if (!box || !row || box.scrollHeight <= box.clientHeight) return;
  const head = box.querySelector("thead")?.clientHeight ?? 0;
  if (row.offsetTop - head < box.scrollTop) box.scrollTop = row.offsetTop - head;
  const end = row.offsetTop + row.offsetHeight - box.clientHeight;
  if (end > box.scrollTop) box.scrollTop = end;
}

function ColumnHead({ binding }: { binding: Binding }) {
  const { symbol, name } = termOf(binding);
  return (
    <th scope="col" title={name}>
      <span aria-hidden="true">
        <Tex tex={symbol} />
      </span>
      <span className="visually-hidden">{name}</span>
    </th>
  );
}

interface RowProps {
  row: OriginRow;
  isText: boolean;
  marked: ReadonlySet<string>;
  move: (changes: Partial<TurnChoice>) => void;
}

/** A click on any of its cells goes there too. */
function Row({ row: { head, goes, current, cells }, isText, marked, move }: RowProps) {
  const go = () => cells[0] && move(cursorOf(cells[0].id));
  return (
    <tr aria-current={current ? "step" : undefined} title={goes} onClick={go}>
      <th scope="row">
        <Button look="quiet" aria-label={`${goes}: ${head}`} tabIndex={current ? 0 : -1}>
          {isText ? <code>{head}</code> : head}
        </Button>
      </th>
      {cells.map(({ id, value }) => (
        <Cell key={id} id={id} value={value} isOrigin={marked.has(id)} />
      ))}
    </tr>
  );
}

interface CellProps {
  id: string;
  value: number | null;
  isOrigin: boolean;
}

const Cell = memo(function Cell({ id, value, isOrigin }: CellProps) {
  return (
    <td className={isOrigin ? "number origin" : "number"} data-cell={id}>
      {isOrigin && <span aria-hidden="true">▸ </span>}
      {value === null ? words.unknown : brief(value)}
    </td>
  );
});
