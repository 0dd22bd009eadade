/** What the doctor has checked for which method, so that a lack of findings can be interpreted. */
import { titleOf } from "../../reading/titles.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Meanings } from "../../ui/Meanings.tsx";
import type { Check, CheckRow } from "./checks.ts";
import { words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";

export function Checks({ rows }: { rows: readonly CheckRow[] }) {
  const algorithms = rows[0]?.checks.map(({ algorithm }) => algorithm) ?? [];
  if (algorithms.length === 0) return <Empty>{words.noMethods}</Empty>;
  const unmet = rows.filter(({ checks }) => checks.some(({ needs }) => needs !== null));
  return (
    <section aria-label={words.checks}>
      <h4>{words.checks}</h4>
      <p className="chart-hint">{words.checksHint}</p>
      <DataTable
        label={words.checks}
        className="doctor-checks"
        testId="doctor-checks"
        columns={[
          { id: "check", head: words.check, kind: "name", cell: ({ title }) => title },
          ...algorithms.map(stateColumn),
        ]}
        rows={rows}
        keyOf={({ name }) => name}
        rowProps={({ name }) => ({ "data-detector": name })}
      />
      <Meanings
        title={words.checksMeaning}
        meanings={rows.map(({ title, says }) => ({ name: title, hint: says }))}
      />
      <Unfit rows={rows} />
      {unmet.length > 0 && (
        <>
          <h5>{words.needsTitle}</h5>
          <ul className="doctor-needs">
            {unmet.map(({ name, title, checks }) => (
              <li key={name}>
                {title} {words.needs([...new Set(checks.flatMap((c) => c.needs ?? []))].join(", "))}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Which checks do not apply to which methods, and why. */
function Unfit({ rows }: { rows: readonly CheckRow[] }) {
  const unfit = rows.flatMap(({ name, title, checks }) => {
    const methods = checks.filter(({ lacks }) => lacks !== null);
    const lacks = methods[0]?.lacks;
    const titles = methods.map(({ algorithm }) => titleOf(algorithm));
    return lacks ? [{ name, text: words.unfit(title, titles, lacks) }] : [];
  });
  if (unfit.length === 0) return null;
  return (
    <ul className="doctor-needs" data-testid="doctor-unfit">
      {unfit.map(({ name, text }) => (
        <li key={name}>{text}</li>
      ))}
    </ul>
  );
}

function stateColumn(algorithm: string, i: number): TableColumn<CheckRow> {
  return {
    id: algorithm,
    head: titleOf(algorithm),
    cell: ({ checks }) => stateOf(checks[i]!).text,
    cellProps: ({ checks }) => ({ className: stateOf(checks[i]!).tone }),
  };
}

function stateOf({ found, needs, lacks }: Check): { text: string; tone?: string } {
  if (found !== null) return { text: words.state.found(found), tone: "bad" };
  if (lacks !== null) return { text: words.state.unfit, tone: "note" };
  return needs === null
    ? { text: words.state.passed }
    : { text: words.state.notMeasured, tone: "note" };
}
