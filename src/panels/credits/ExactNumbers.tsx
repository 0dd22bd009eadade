/** The table in words, and its exact numbers. */
import { DataTable } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";
import type { CreditColumn } from "../../figures/credits/columns.ts";
import { columnName, summarise } from "../../figures/credits/summary.ts";
import type { TableInput, TableRow } from "../../figures/credits/tableModel.ts";
import { words } from "../../figures/credits/words.ts";

interface ExactNumbersProps {
  input: TableInput;
  rows: readonly TableRow[];
}

export function ExactNumbers(props: ExactNumbersProps) {
  return (
    <Folded className="chart-data" testId="credits-numbers" title={words.numbers}>
      <Exact {...props} />
    </Folded>
  );
}

/** A column for each of the table's rows. */
function Exact({ input: { columns, quantity }, rows }: ExactNumbersProps) {
  return (
    <>
      <p data-testid="credits-summary">{summarise(rows, columns, quantity)}</p>
      <p className="note prose-note">{words.exactNote}</p>
      <DataTable
        label={words.numbers}
        testId="credits-exact"
        columns={[
          { id: "unit", head: words.unit, kind: "name", cell: columnName },
          ...rows.map(({ id, title, whose, values, missing }) => ({
            id: `row ${id}`,
            head: whose ? `${title} ${whose}` : title,
            headProps: { "data-row": id },
            kind: "number" as const,
            cell: (_column: CreditColumn, i: number) => exact(values[i]!, missing),
            cellProps: () => ({ "data-row": id }),
          })),
        ]}
        rows={columns}
        keyOf={({ id }) => id}
        rowProps={({ id }) => ({ "data-column": id })}
      />
    </>
  );
}

/** Twelve significant digits, in a form that programs can parse. */
function exact(value: number | null, missing = "not a number"): string {
  if (value === null) return words.unused;
  return Number.isFinite(value) ? String(Number(value.toPrecision(12))) : missing;
}
