/** Beside the curves: which conditions the methods share, and what makes the comparison moot. */
import { useMemo } from "react";
import { fairnessOfLogged, type FairnessRow } from "../../spec/fairness.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
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
    <div className="table-scroll" tabIndex={0} role="group" aria-label={words.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.condition}</th>
            {methods.map((name) => (
              <th key={name} scope="col">
                {titleOf(name)}
              </th>
            ))}
            <th scope="col">{words.equal}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, equal, values }) => (
            <tr key={id} data-row={id}>
              <th scope="row">{words.rows[id]}</th>
              {methods.map((name) => (
                <td key={name}>{values[name] ?? words.none}</td>
              ))}
              <td>{equal ? words.equal : words.differs}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
