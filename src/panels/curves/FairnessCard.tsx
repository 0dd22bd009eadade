/** Beside the curves: which conditions the methods share, and what makes the comparison moot. */
import { useMemo } from "react";
import { fairnessOfLogged, type FairnessRow } from "../../spec/fairness.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { words } from "./fairnessWords.ts";

const titles = (names: readonly string[]) => names.map(titleOf);

export function FairnessCard({ log }: { log: RunLog }) {
  const spec = log.start?.spec;
  const fairness = useMemo(() => fairnessOfLogged(spec), [spec]);
  if (!fairness) return null;
  const { rows, warnings } = fairness;
  const equal = rows.filter((row) => row.equal).length;
  return (
    <details className="fairness" data-testid="fairness">
      <summary>
        <strong>{words.title}</strong>{" "}
        <span className="note">{words.summary(equal, rows.length, warnings.length)}</span>
      </summary>
      {warnings.length > 0 && (
        <ul className="notice notice-warning">
          {warnings.map((warning) => (
            <li key={warning.id} data-warning={warning.id}>
              {words.warning(warning, titles)}
            </li>
          ))}
        </ul>
      )}
      <FairnessTable rows={rows} />
      <p className="note">{words.search}</p>
    </details>
  );
}

function FairnessTable({ rows }: { rows: readonly FairnessRow[] }) {
  const methods = Object.keys(rows[0]!.values);
  if (methods.length === 0) return null;
  return (
    <DataTable
      label={words.title}
      columns={[
        { id: "condition", head: words.condition, kind: "name", cell: ({ id }) => words.rows[id] },
        ...methods.map((name) => ({
          id: `of ${name}`,
          head: titleOf(name),
          cell: ({ values }: FairnessRow) => values[name] ?? words.none,
        })),
        {
          id: "equal",
          head: words.equal,
          cell: ({ equal }) => (equal ? words.equal : words.differs),
        },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
      rowProps={({ id }) => ({ "data-row": id })}
    />
  );
}
