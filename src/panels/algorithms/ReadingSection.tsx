/** The three algorithms to read, from rewards to gradients: one, or two side by side. */
import { useMemo, useState } from "react";
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import { Empty } from "../../ui/Empty.tsx";
import { InlineField, Select } from "../../ui/Field.tsx";
import { Folded } from "../../ui/Folded.tsx";
import { PartFailed, usePart } from "../../ui/parts/lazyPart.tsx";
import { diffLines, sideBySide } from "./differences.ts";
import { fileOf, readings, readableText, READ_ROWS, type ReadRow } from "./sources.ts";
import { words } from "./words.ts";

interface ReadingSectionProps {
  /** Names of rows that are open on the page: the readable ones among them come first. */
  picked: readonly string[];
}

export function ReadingSection({ picked }: ReadingSectionProps) {
  return (
    <section className="panel" aria-labelledby="algorithm-reading" data-testid="reading">
      <h2 id="algorithm-reading">{words.reading}</h2>
      <p>{words.readingIntro}</p>
      <Folded title={words.readingOpen} titleTestId="reading-summary">
        <Reader key={picked.join()} picked={picked} />
      </Folded>
    </section>
  );
}

const isRead = (name: string): name is ReadRow => READ_ROWS.some((row) => row === name);

function Reader({ picked }: ReadingSectionProps) {
  const [own, second] = picked.filter(isRead);
  const [name, setName] = useState<ReadRow>(own ?? "grpo");
  const [beside, setBeside] = useState<ReadRow | "">(
    second ?? (name === "turn-ppo" ? "grpo" : "turn-ppo"),
  );
  const other = beside === name ? "" : beside;
  return (
    <>
      <p className="reading-choice">
        <InlineField label={words.read}>
          <Select
            value={name}
            options={READ_ROWS.map(titled)}
            onPick={setName}
            data-testid="reading-name"
          />
        </InlineField>
        <InlineField label={words.beside}>
          <Select
            value={other}
            options={[["", words.nobody], ...READ_ROWS.filter((row) => row !== name).map(titled)]}
            onPick={setBeside}
            data-testid="reading-beside"
          />
        </InlineField>
      </p>
      <p className="note">
        {other === "" ? words.readingAlone : words.codeNote(fileOf(name), fileOf(other))}
      </p>
      <Texts name={name} other={other} />
    </>
  );
}

const titled = (name: ReadRow) => [name, resolveAlgorithm(name).title] as const;

/** The box has its height before the texts load. */
function Texts({ name, other }: { name: ReadRow; other: ReadRow | "" }) {
  const now = usePart(readings);
  if (now.state === "failed") return <PartFailed part={readings} why={now.why} />;
  const texts = now.state === "ready" ? now.value : null;
  const rows = [name, other].filter((row) => row !== "");
  return (
    <div
      className="reading-box"
      tabIndex={0}
      role="group"
      aria-label={rows.map(fileOf).join(", ")}
      aria-busy={!texts}
      data-testid="reading-texts"
    >
      {!texts && <Empty>{words.opening}</Empty>}
      {texts && other === "" && <Lines lines={readableText(name, texts).split("\n")} />}
      {texts && other !== "" && (
        <Pair
          files={[fileOf(name), fileOf(other)]}
          from={readableText(name, texts)}
          to={readableText(other, texts)}
        />
      )}
    </div>
  );
}

/** Lines that both have are announced once, and shown once if there is no space for two columns. */
function Pair({ files, from, to }: { files: readonly string[]; from: string; to: string }) {
  const stretches = useMemo(() => sideBySide(diffLines(from, to)), [from, to]);
  return (
    <>
      <div className="reading-stretch reading-heads">
        {files.map((file, i) => (
          <code key={file}>{`${i === 0 ? "−" : "+"} ${file}`}</code>
        ))}
      </div>
      {stretches.map(({ left, right, isSame }, i) => (
        <div key={i} className="reading-stretch" data-same={isSame}>
          <Lines lines={left} sign={isSame ? undefined : "−"} />
          <Lines lines={right} sign={isSame ? undefined : "+"} isTwin={isSame} />
        </div>
      ))}
    </>
  );
}

interface LinesProps {
  lines: readonly string[];
  /** The side that has them alone; absent: both. */
  sign?: "−" | "+" | undefined;
  /** Whether the same text is beside it. */
  isTwin?: boolean;
}

const CLASSES = { "−": "line-out", "+": "line-in" } as const;

/** The headings of the stages are bold: together they are the algorithm's outline. */
function Lines({ lines, sign, isTwin = false }: LinesProps) {
  const stage = (text: string) => (/^ *\/\/ \d\. /.test(text) ? "stage" : "");
  return (
    <pre aria-hidden={isTwin || undefined}>
      {lines.map((text, i) => (
        <span key={i} className={`${sign ? CLASSES[sign] : ""} ${stage(text)}`}>
          {`${sign ?? "\u00a0"} ${text}\n`}
        </span>
      ))}
    </pre>
  );
}
