/** The rows behind a picture: folded, the newest ones, and all of them in full for saving. */
import { TABLE_ROWS, type MeaningsBlock, type NumbersBlock } from "../figures/figure.ts";
import { Button } from "../ui/Button.tsx";
import { csvOf } from "../ui/csv.ts";
import { TextTable } from "../ui/DataTable.tsx";
import { download } from "../ui/download.ts";
import { Folded } from "../ui/Folded.tsx";
import { cellInFull, cellText } from "./cellText.ts";

export function NumbersView({ block }: { block: NumbersBlock }) {
  const { id, title, columns, rows, file } = block;
  const head = columns.map(({ name }) => name);
  const inFull = () => rows().map((row) => row.map(cellInFull));
  const save = (name: string) => download(csvOf(head, inFull()), name, "text/csv;charset=utf-8");
  return (
    <>
      <Folded className="chart-data" title={title} titleTestId={`${id}-open`}>
        <Rows block={block} whole={() => ({ head, rows: inFull() })} />
      </Folded>
      {file && (
        <Button className="figure-save" data-testid={`${id}-save`} onClick={() => save(file.name)}>
          {file.button}
        </Button>
      )}
    </>
  );
}

interface RowsProps {
  block: NumbersBlock;
  whole: () => { head: string[]; rows: (string | number | null)[][] };
}

/** Made only when it is opened. */
function Rows({ block: { id, title, says, note, columns, rows }, whole }: RowsProps) {
  const all = rows();
  return (
    <>
      {says !== undefined && <p>{says}</p>}
      {note !== undefined && <p>{note}</p>}
      {all.length > TABLE_ROWS && <p>{`The latest ${TABLE_ROWS} of ${all.length} rows.`}</p>}
      <TextTable
        label={title}
        testId={id}
        head={columns.map(({ name }) => name)}
        rows={all
          .slice(-TABLE_ROWS)
          .map((row) => row.map((cell, i) => cellText(cell, columns[i]!.unit)))}
        whole={whole}
      />
    </>
  );
}

/** Tooltips on headings do not reach every reader. */
export function Meanings({ block: { title, items } }: { block: MeaningsBlock }) {
  return (
    <details className="meanings">
      <summary>{title}</summary>
      <dl>
        {items.map(({ name, hint }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{hint}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
