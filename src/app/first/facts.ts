/** What the first screen shows, as the build writes it into the page (`../build/frame.ts`): nothing of it is fetched. */
import type { Picture } from "../../env/picture.ts";
import type { Opening } from "../../reading/opening.ts";

export interface FirstFacts {
  /** The figure's file, beside the page. */
  file: string;
  opening: Opening;
  /** Of its boards. */
  pictures: readonly (Picture | null)[];
  /** What its methods are called, by name. */
  titles: Readonly<Record<string, string>>;
  /** What may be concluded from the curves; "" for nothing. */
  note: string;
  /** How many methods Run trains. */
  methods: number;
}

/** Id of the element that holds them. */
export const FIRST_ID = "turnbook-first";

/** Null where the first notebook opens with no figure. */
export function firstFacts(): FirstFacts | null {
  const text = document.getElementById(FIRST_ID)?.textContent;
  return text ? (JSON.parse(text) as FirstFacts) : null;
}
