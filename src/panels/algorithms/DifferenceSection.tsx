/** Two rows side by side: where their choices, settings and source files part. */
import { useMemo, useState } from "react";
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import { differences, diffLines, type DiffLine } from "./differences.ts";
import { PartFailed, usePart } from "../../ui/parts/lazyPart.tsx";
import { fileOf, sourceOf, sources } from "./sources.ts";
import { words } from "./words.ts";

interface PairProps {
  /** Two names of rows. */
  pair: readonly [string, string];
}

export function DifferenceSection({ pair }: PairProps) {
  const [a, b] = [resolveAlgorithm(pair[0]), resolveAlgorithm(pair[1])];
  const rows = differences(a, b);
  return (
    <section
      className="panel algorithm"
      aria-labelledby="algorithm-differences"
      data-testid="differences"
    >
      <h2 id="algorithm-differences">{`${words.differs}: ${a.title}, ${b.title}`}</h2>
      {rows.length === 0 ? (
        <p className="empty">{words.nothing}</p>
      ) : (
        <>
          <p className="note">{words.differsNote}</p>
          <div className="table-scroll" tabIndex={0} role="group" aria-label={words.differs}>
            <table className="figures difference-table">
              <thead>
                <tr>
                  <th scope="col">{words.axis}</th>
                  <th scope="col">{a.title}</th>
                  <th scope="col">{b.title}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, about, values }) => (
                  <tr key={name} data-differs={name}>
                    <th scope="row">
                      <code>{name}</code>
                      <span className="note">{about}</span>
                    </th>
                    <td>{values[0]}</td>
                    <td>{values[1]}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <SourceDiff key={pair.join()} pair={pair} />
    </section>
  );
}

function SourceDiff({ pair }: PairProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary data-testid="source-diff-summary">{words.code}</summary>
      {open && <Diff pair={pair} />}
    </details>
  );
}

function Diff({ pair: [a, b] }: PairProps) {
  const now = usePart(sources);
  const texts = now.state === "ready" ? now.value : null;
  const lines = useMemo(() => {
    const [from, to] = [a, b].map((name) => texts && sourceOf(name, texts));
    return from && to ? diffLines(from, to) : null;
  }, [texts, a, b]);
  if (fileOf(a) === fileOf(b)) return <p className="note">{words.sameCode(fileOf(a))}</p>;
  if (now.state === "failed") return <PartFailed part={sources} why={now.why} />;
  if (!lines) return <p className="empty">{texts ? words.noFile : words.opening}</p>;
  return (
    <>
      <p className="note">{words.codeNote(fileOf(a), fileOf(b))}</p>
      <DiffText lines={lines} />
    </>
  );
}

const SIGNS = { " ": "\u00a0", "-": "−", "+": "+" } as const;
const CLASSES = { " ": undefined, "-": "line-out", "+": "line-in" } as const;

function DiffText({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <pre
      className="source-diff"
      tabIndex={0}
      role="group"
      aria-label={words.code}
      data-testid="source-diff"
    >
      {lines.map(({ sign, text }, i) => (
        <span key={i} className={CLASSES[sign]}>
          {`${SIGNS[sign]} ${text}\n`}
        </span>
      ))}
    </pre>
  );
}
