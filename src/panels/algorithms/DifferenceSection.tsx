/** Two rows side by side: the differences of their choices, settings and source files. */
import { useEffect, useMemo, useRef } from "react";
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";
import { differences, diffLines, type DiffLine } from "./differences.ts";
import { PartFailed, usePart } from "../../ui/parts/lazyPart.tsx";
import { fileOf, sourceOf, sources } from "./sources.ts";
import { words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";

interface PairProps {
  /** Two names of rows. */
  pair: readonly [string, string];
}

export function DifferenceSection({ pair }: PairProps) {
  const [a, b] = [resolveAlgorithm(pair[0]), resolveAlgorithm(pair[1])];
  const rows = differences(a, b);
  const heading = useRef<HTMLHeadingElement>(null);
  const both = pair.join();
  useEffect(() => heading.current?.focus(), [both]);
  return (
    <section
      className="panel algorithm"
      aria-labelledby="algorithm-differences"
      data-testid="differences"
    >
      <h2
        id="algorithm-differences"
        ref={heading}
        tabIndex={-1}
      >{`${words.differs}: ${a.title}, ${b.title}`}</h2>
      {rows.length === 0 ? (
        <Empty>{words.nothing}</Empty>
      ) : (
        <>
          <p className="note">{words.differsNote}</p>
          <DataTable
            label={words.differs}
            className="figures difference-table"
            columns={[
              {
                id: "axis",
                head: words.axis,
                kind: "name",
                cell: ({ name, about }) => (
                  <>
                    <span className="axis-title">{about}</span>
                    <code className="note">{name}</code>
                  </>
                ),
              },
              {
                id: "a",
                head: a.title,
                cell: ({ values, meanings }) => valueInWords(values[0], meanings[0]),
              },
              {
                id: "b",
                head: b.title,
                cell: ({ values, meanings }) => valueInWords(values[1], meanings[1]),
              },
            ]}
            rows={rows}
            keyOf={({ name }) => name}
            rowProps={({ name }) => ({ "data-differs": name })}
          />
        </>
      )}
      <SourceDiff key={pair.join()} pair={pair} />
    </section>
  );
}

/** The meaning first, then the name in code. */
function valueInWords(value: string, meaning: string) {
  if (meaning === "") return value;
  return (
    <>
      {meaning}
      <code className="note">{value}</code>
    </>
  );
}

function SourceDiff({ pair }: PairProps) {
  return (
    <Folded title={words.code} titleTestId="source-diff-summary">
      <Diff pair={pair} />
    </Folded>
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
  if (!lines) return <Empty>{texts ? words.noFile : words.opening}</Empty>;
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
