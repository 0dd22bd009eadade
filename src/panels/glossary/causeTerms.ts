/** The causes of the story as terms: what each is, and by what it would be measured. */
import { CAUSE_NAMES, type CauseName } from "../../reading/story/causeNames.ts";
import { CAUSES } from "../../reading/story/causeTable.ts";
import type { GlossaryTerm } from "../../spec/glossary.ts";
import { words } from "./words.ts";

export const causeTermId = (cause: CauseName) => `cause-${cause}`;

/** A section of the glossary. */
export const causeSection = {
  id: "causes",
  title: words.causes,
  terms: CAUSE_NAMES.map((name): GlossaryTerm => {
    const { title, says, measuredBy } = CAUSES[name];
    const meaning = `${says.replace(/\.$/, "")}. ${words.measuredBy(measuredBy)}`;
    return { id: causeTermId(name), term: title, meaning, source: words.story };
  }),
};
