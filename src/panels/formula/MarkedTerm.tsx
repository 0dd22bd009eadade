/** What is marked, in words; stays in sight while the formulas scroll. */
import { termOf } from "../../spec/algorithmDocs/vocabulary.ts";
import { brief } from "./known.ts";
import type { Links } from "./marks.ts";
import { findNumber } from "./numbers.ts";
import type { BatchPlace } from "./place.ts";
import { words } from "./words.ts";

interface MarkedTermProps {
  links: Links;
  /** Whether a cell was chosen, and not a term. */
  isCell: boolean;
  place: BatchPlace;
}

export function MarkedTerm({ links: { terms }, isCell, place }: MarkedTermProps) {
  const isMarked = terms.length > 0;
  return (
    <p
      className={isMarked ? "marked-term" : "marked-term note"}
      role="status"
      data-testid="formula-marked"
    >
      {isMarked ? textOf({ terms, isCell, place }) : words.hint}
    </p>
  );
}

interface TextOptions extends Pick<MarkedTermProps, "isCell" | "place"> {
  terms: Links["terms"];
}

function textOf({ terms, isCell, place }: TextOptions): string {
  if (isCell) return words.used(terms.map((id) => termOf(id).name));
  const { value, from } = findNumber(terms[0]!, place);
  return words.said(termOf(terms[0]!).name, value === null ? words.unknown : brief(value), from);
}
