/** The content of the first screen, written into the page by the build (`../build/frame.ts`): none of it is fetched. */
import type { Picture } from "../../env/picture.ts";
import type { Opening } from "../../reading/opening.ts";

export interface FirstFacts {
  /** The figure's file, next to the page. */
  file: string;
  opening: Opening;
  /** Pictures of its boards. */
  pictures: readonly (Picture | null)[];
  /** Titles of its methods, by name. */
  titles: Readonly<Record<string, string>>;
  /** The conclusion from the curves; "" for none. */
  note: string;
  /** Number of methods that Run trains. */
  methods: number;
}

/** Id of the element that contains them. */
export const FIRST_ID = "turnbook-first";

/** Null if the first notebook opens without a figure. */
export function firstFacts(): FirstFacts | null {
  const text = document.getElementById(FIRST_ID)?.textContent;
  return text ? (JSON.parse(text) as FirstFacts) : null;
}
