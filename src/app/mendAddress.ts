/** Repairs addresses mangled by mail and chats: `&amp;` for `&`, and the punctuation of the sentence after them. */
import { decodeLink, decodePlace } from "../spec/link.ts";
import { isBookHash } from "./book/bookAddress.ts";
import type { PageWindow } from "./hashSync.ts";
import { routeOf } from "./route.ts";

/** Characters that close a sentence or a quotation; no address written by the page ends with one that matters. */
const ENDING = /(?:[.,;:!?'"“”‘’»>*_)\]]|%22|%3E|%E2%80%9D)+$/i;

/** Values of a place end in a letter, a digit or a bracket that was opened before. */
const PLACE = /[?&](?:at|view|layout|open|alone|fp)=[^&]*$/;

/** The intended address if that is clear: one of which more can be read. Otherwise unchanged, and its reader reports what is wrong. */
export function mendedAddress(hash: string): string {
  const plain = hash.replace(/&amp;(?=[\w.:-]+=)/gi, "&");
  const bare = closed(plain, plain.replace(ENDING, ""));
  const isMeant = PLACE.test(plain) ? unread(bare) <= unread(plain) : unread(bare) < unread(plain);
  return isMeant ? bare : plain;
}

/** Adds the closing brackets for those that are open in it. */
function closed(whole: string, bare: string): string {
  const open = bare.split("(").length - bare.split(")").length;
  const behind = /^\)*/.exec(whole.slice(bare.length))![0];
  return bare + behind.slice(0, Math.max(open, 0));
}

/** How much of an address cannot be read. */
function unread(hash: string): number {
  if (/^#v\d/.test(hash)) return decodeLink(hash).warnings.length;
  if (isBookHash(hash)) return decodePlace(hash).warnings.length;
  return hash.length < 2 || (routeOf(hash) !== "notebook" && !ENDING.test(hash)) ? 0 : 1;
}

/** Repairs the page's address, now and whenever it changes: before any other code reads it. Returns the function that stops it. */
export function mendAddresses(page: PageWindow = window): () => void {
  const mend = () => {
    const { hash } = page.location;
    const mended = mendedAddress(hash);
    if (mended !== hash) page.history.replaceState(page.history.state, "", mended);
  };
  mend();
  page.addEventListener("hashchange", mend);
  return () => page.removeEventListener("hashchange", mend);
}
