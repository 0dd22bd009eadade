/** The glossary: all terms in sections, with search; or those of one panel. */
import { useEffect, useState } from "react";
import { glossary, type GlossaryTerm } from "../../spec/glossary.ts";
import { Tex, TexTrouble } from "../../ui/maths/Tex.tsx";
import { causeSection } from "./causeTerms.ts";
import { words } from "./words.ts";
import { InlineField } from "../../ui/Field.tsx";

interface GlossaryPanelProps {
  /** A term's id, to which the page scrolls. */
  picked: string | null;
  /** Shows only this panel's terms. */
  panel: { title: string; terms: readonly string[] } | null;
  /** Address of all terms. */
  allHref: string;
}

const SECTIONS = [...glossary, causeSection];
const ALL = SECTIONS.reduce((sum, { terms }) => sum + terms.length, 0);

export function GlossaryPanel({ picked, panel, allHref }: GlossaryPanelProps) {
  const [query, setQuery] = useState("");
  const sections = SECTIONS.map(({ id, title, terms }) => ({
    id,
    title,
    terms: terms.filter(wanted(query, panel?.terms)),
  })).filter(({ terms }) => terms.length > 0);
  const shown = sections.reduce((sum, { terms }) => sum + terms.length, 0);
  useEffect(() => {
    if (picked !== null) document.getElementById(anchorOf(picked))?.scrollIntoView();
  }, [picked]);
  return (
    <>
      <InlineField label={words.search}>
        <input type="search" value={query} onChange={({ target }) => setQuery(target.value)} />
      </InlineField>
      <p role="status" data-testid="glossary-count">
        {shown === 0 ? words.none : words.shown(shown, ALL)}
      </p>
      {panel && (
        <p>
          {words.ofPanel(panel.title)} <a href={allHref}>{words.showAll}</a>
        </p>
      )}
      <TexTrouble />
      {sections.map(({ id, title, terms }) => (
        <section key={id} className="panel" aria-labelledby={`glossary-${id}`}>
          <h2 id={`glossary-${id}`}>{title}</h2>
          <dl className="glossary">
            {terms.map((term) => (
              <Entry key={term.id} term={term} />
            ))}
          </dl>
        </section>
      ))}
    </>
  );
}

const anchorOf = (id: string) => `term-${id}`;

/** Whether a term is shown: one of the panel's, if given, that matches the query. */
function wanted(query: string, ids: readonly string[] | undefined) {
  const text = query.trim().toLowerCase();
  return ({ id, term, meaning, verl = "" }: GlossaryTerm) =>
    (ids === undefined || ids.includes(id)) &&
    `${term} ${meaning} ${verl}`.toLowerCase().includes(text);
}

function Entry({ term: { id, term, meaning, equation, source, verl } }: { term: GlossaryTerm }) {
  return (
    <div id={anchorOf(id)} data-term={id}>
      <dt>{term}</dt>
      <dd>
        {meaning}.{" "}
        {equation !== undefined && (
          <>
            <Tex tex={equation} />{" "}
          </>
        )}
        <span className="note">
          {words.source}: {source}
          {verl !== undefined && (
            <>
              ; {words.verl}: <code>{verl}</code>
            </>
          )}
        </span>
      </dd>
    </div>
  );
}
