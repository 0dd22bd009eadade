/** A whole notebook in an address: its text as one word. Opening it runs nothing. */
import { InputError } from "../numeric/inputError.ts";
import { packText, unpackText } from "../spec/packedText.ts";
import { MAX_LENGTH } from "./document.ts";

/** Some mail programs and chats cut longer addresses; such a notebook is sent as a file. */
export const LONGEST_LINK = 16_000;
/** Longer words are not read: the page writes none. */
const LONGEST_READ = 4 * LONGEST_LINK;
/** Of UTF-8. */
const MOST_BYTES = 3 * MAX_LENGTH;

/** The notebook's address within the page. */
export function notebookHash(text: string): string {
  return `#text/${notebookToWord(text)}`;
}

/** The word of a link to such a notebook; null of other text. */
export function wordOfLink(link: string): string | null {
  return /^\S*#text\/([^\s/?]+)\S*$/.exec(link)?.[1] ?? null;
}

/** The word, however long; see LONGEST_LINK. */
export function notebookToWord(text: string): string {
  return packText(text);
}

/** @throws InputError if the word is too long, damaged, cut short or expands to too much. */
export function notebookFromWord(word: string): string {
  if (word.length > LONGEST_READ)
    throw new InputError(
      `The notebook in this link has ${word.length} characters; at most ${LONGEST_READ} are read`,
    );
  return unpackText(word, MOST_BYTES, "The notebook in this link");
}

/** Markdown of a picture that opens the notebook, for a README. @param site the page's address, without what follows its folder. */
export function badgeMarkdown(site: string, hash: string): string {
  const { href } = new URL(".", site);
  return `[![Open in Turnbook](${href}badge.svg)](${href}${hash.replaceAll(/[()]/g, encodeURIComponent)})`;
}
