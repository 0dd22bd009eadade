/** What the doctor has looked for in which method, so that its silence can be weighed. */
import { titleOf } from "../../reading/titles.ts";
import { Meanings } from "../../ui/Meanings.tsx";
import type { Check, CheckRow } from "./checks.ts";
import { words } from "./words.ts";

export function Checks({ rows }: { rows: readonly CheckRow[] }) {
  const algorithms = rows[0]?.checks.map(({ algorithm }) => algorithm) ?? [];
  if (algorithms.length === 0) return <p className="empty">{words.noMethods}</p>;
  const unmet = rows.filter(({ checks }) => checks.some(({ needs }) => needs !== null));
  return (
    <section aria-label={words.checks}>
      <h4>{words.checks}</h4>
      <p className="chart-hint">{words.checksHint}</p>
      <div className="table-scroll" tabIndex={0} role="group" aria-label={words.checks}>
        <table className="doctor-checks" data-testid="doctor-checks">
          <thead>
            <tr>
              <th scope="col">{words.check}</th>
              {algorithms.map((name) => (
                <th scope="col" key={name}>
                  {titleOf(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, title, checks }) => (
              <tr key={name} data-detector={name}>
                <th scope="row">{title}</th>
                {checks.map((check) => (
                  <State key={check.algorithm} check={check} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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

/** Which checks are not about which methods, and why. */
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

function State({ check: { found, needs, lacks } }: { check: Check }) {
  if (found !== null) return <td className="bad">{words.state.found(found)}</td>;
  if (lacks !== null) return <td className="note">{words.state.unfit}</td>;
  return needs === null ? (
    <td>{words.state.quiet}</td>
  ) : (
    <td className="note">{words.state.notMeasured}</td>
  );
}
