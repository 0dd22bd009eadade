/** The table in words, and its numbers in full. */
import { useState } from "react";
import { columnName, summarise } from "./summary.ts";
import type { TableInput, TableRow } from "./tableModel.ts";
import { words } from "./words.ts";

export function ExactNumbers({ input, rows }: { input: TableInput; rows: readonly TableRow[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="chart-data"
      data-testid="credits-numbers"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{words.numbers}</summary>
      {open && (
        <>
          <p data-testid="credits-summary">{summarise(rows, input.columns, input.quantity)}</p>
          <p className="note">{words.exactNote}</p>
          <Exact input={input} rows={rows} />
        </>
      )}
    </details>
  );
}

function Exact({ input: { columns }, rows }: { input: TableInput; rows: readonly TableRow[] }) {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={words.numbers}>
      <table data-testid="credits-exact">
        <thead>
          <tr>
            <th scope="col">{words.unit}</th>
            {rows.map(({ id, title }) => (
              <th scope="col" key={id} data-row={id}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.map((column, i) => (
            <tr key={column.id} data-column={column.id}>
              <th scope="row">{columnName(column)}</th>
              {rows.map(({ id, values, missing }) => (
                <td key={id} className="number" data-row={id}>
                  {exact(values[i]!, missing)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Twelve significant digits, as a program can read them. */
function exact(value: number | null, missing = "not a number"): string {
  if (value === null) return words.unused;
  return Number.isFinite(value) ? String(Number(value.toPrecision(12))) : missing;
}
