/** The cards of glossary terms in prose. */
import { glossary, glossaryTerm } from "../spec/glossary.ts";
import { TermCards } from "../ui/TermCards.tsx";

const known = new Set(glossary.flatMap(({ terms }) => terms.map(({ id }) => id)));

export function GlossaryCards() {
  return <TermCards termOf={(id) => (known.has(id) ? glossaryTerm(id) : null)} />;
}
