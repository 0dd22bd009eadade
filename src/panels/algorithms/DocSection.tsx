/** One algorithm: text, formulas, choices, settings. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { resolveAlgorithm, type AlgorithmConfig } from "../../spec/algorithms.ts";
import {
  outsideDoc,
  outsideSettings,
  rowDoc,
  type AlgorithmDoc,
} from "../../spec/algorithmDocs/docs.ts";
import type { SettingStyle } from "../../method/formula/symbols.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";
import { InputError } from "../../numeric/inputError.ts";
import { Formulas } from "./Formulas.tsx";
import { AxisChoices, AlgorithmSettings } from "./Settings.tsx";
import { words } from "./words.ts";

interface DocSectionProps {
  name: string;
}

interface RowSectionProps extends DocSectionProps {
  /** Whether the page scrolls to it; not if something else about it comes first. */
  leads: boolean;
}

export function RowSection({ name, leads }: RowSectionProps) {
  const [style, setStyle] = useState<SettingStyle>("values");
  const [set, setSet] = useState<Record<string, string>>({});
  const own = resolveAlgorithm(name);
  const { config, problem } = tried(own, set);
  return (
    <Section doc={rowDoc(config, style)} leads={leads}>
      {(doc) => (
        <>
          <Formulas doc={doc} style={style} onStyle={setStyle} valueOf={valueIn(config)} />
          <h3>{words.choices}</h3>
          <AxisChoices config={config} />
          <AlgorithmSettings config={config} own={own} set={set} problem={problem} onSet={setSet} />
        </>
      )}
    </Section>
  );
}

/** The row with the settings; the default row if they are invalid, with the reason. */
function tried(own: AlgorithmConfig, set: Record<string, string>) {
  try {
    return { config: resolveAlgorithm(own.name, set), problem: null };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { config: own, problem: error.message };
  }
}

export function OutsideSection({ name }: DocSectionProps) {
  const [style, setStyle] = useState<SettingStyle>("values");
  return (
    <Section doc={outsideDoc(name, style)} leads>
      {(doc) => (
        <Formulas
          doc={doc}
          style={style}
          onStyle={setStyle}
          valueOf={valueIn(outsideSettings(name))}
        />
      )}
    </Section>
  );
}

/** Values of settings by path. */
function valueIn(settings: object) {
  const values = settings as Record<string, unknown>;
  return (binds: Binding) =>
    binds.startsWith("settings.") ? String(values[binds.slice("settings.".length)]) : null;
}

interface SectionProps {
  doc: AlgorithmDoc;
  leads: boolean;
  children: (doc: AlgorithmDoc) => React.ReactNode;
}

function Section({ doc, leads, children }: SectionProps) {
  const { name, title, arxiv, about } = doc;
  const heading = useRef<HTMLHeadingElement>(null);
  // After picking an algorithm far down in a table, the reader is scrolled to it once it is
  // mounted.
  const arrive = useEffectEvent(() => {
    if (leads) heading.current?.focus();
  });
  useEffect(() => arrive(), []);
  return (
    <section
      className="panel algorithm"
      aria-labelledby="algorithm"
      data-testid="algorithm"
      data-name={name}
    >
      <h2 id="algorithm" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p className="algorithm-name">
        <code>{name}</code>
        {arxiv !== null && (
          <a href={`https://arxiv.org/abs/${arxiv}`} rel="noreferrer">{`arXiv ${arxiv}`}</a>
        )}
      </p>
      <p>{about}</p>
      <DocParagraphs text={doc.text} />
      {children(doc)}
    </section>
  );
}

const PARAGRAPHS = ["does", "answers", "watch", "sources"] as const;

function DocParagraphs({ text }: Pick<AlgorithmDoc, "text">) {
  return (
    <div className="algorithm-text">
      {PARAGRAPHS.map((key) => (
        <div key={key}>
          <h3>{words[key]}</h3>
          <p>{text[key]}</p>
        </div>
      ))}
      {text.source !== undefined && (
        <p className="note">
          {`${words.source} ${text.source}.`}
          {text.uncertain !== undefined && ` ${words.open} ${text.uncertain}`}
        </p>
      )}
    </div>
  );
}
