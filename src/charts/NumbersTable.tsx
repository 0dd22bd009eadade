/** Numbers behind a picture, in a table that is built only for those who open it. */
import { useState } from "react";

export interface TableData {
  /** Names of the columns; the first one's cells name the rows. */
  head: readonly string[];
  /** Cells as they are to be read. */
  rows: readonly (readonly string[])[];
}

interface NumbersTableProps extends TableData {
  /** What one presses to see it. */
  title: string;
  testId: string;
  /** A sentence above the table. */
  note?: string;
}

export function NumbersTable({ title, testId, note, head, rows }: NumbersTableProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="chart-data" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary data-testid={`${testId}-open`}>{title}</summary>
      {open && (
        <>
          {note !== undefined && <p>{note}</p>}
          {/* tabIndex: a region that scrolls must be reachable by keyboard. */}
          <div className="table-scroll" tabIndex={0} role="group" aria-label={title}>
            <Table {...{ head, rows, testId }} />
          </div>
        </>
      )}
    </details>
  );
}

function Table({ head, rows, testId }: TableData & { testId: string }) {
  return (
    <table data-testid={testId}>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], i) => (
          <tr key={i}>
            <th scope="row">{name}</th>
            {cells.map((cell, j) => (
              <td key={j} className="number">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
