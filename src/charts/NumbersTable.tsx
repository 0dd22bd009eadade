/** Numbers behind a picture, in a table that is built only when it is opened. */
import { TextTable, type TableData } from "../ui/DataTable.tsx";
import { Folded } from "../ui/Folded.tsx";
import type { NumberTable } from "../ui/tablesIn.ts";

interface NumbersTableProps extends TableData {
  /** The label of the button that opens it. */
  title: string;
  testId: string;
  /** A sentence above the table. */
  note?: string;
  /** All rows, in full, if `rows` are only a part of them. */
  whole?: (() => NumberTable) | undefined;
}

export function NumbersTable({ title, testId, note, head, rows, whole }: NumbersTableProps) {
  return (
    <Folded className="chart-data" title={title} titleTestId={`${testId}-open`}>
      {note !== undefined && <p>{note}</p>}
      <TextTable label={title} head={head} rows={rows} testId={testId} whole={whole} />
    </Folded>
  );
}
