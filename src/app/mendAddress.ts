/** Addresses as mail and chats mangle them: `&amp;` for `&`, and what ended the sentence behind them. */
import { decodeLink, decodePlace } from "../spec/link.ts";
import { isBookHash } from "./book/bookAddress.ts";
import type { PageWindow } from "./hashSync.ts";
import { routeOf } from "./route.ts";

/** What closes a sentence or a quotation; no address that the page writes ends so where it means something else without it. */
const ENDING = /(?:[.,;:!?'"“”‘’»>*_)\]]|%22|%3E|%E2%80%9D)+$/i;

/** Values of a place end in a letter, a digit or a bracket that is open before. */
const PLACE = /[?&](?:at|view|layout|open|alone|fp)=[^&]*$/;

/** The address that was meant where that is plain: one of which more can be read. Else as it is, and its reader says what is wrong. */
export function mendedAddress(hash: string): string {
  const plain = hash.replace(/&amp;(?=[\w.:-]+=)/gi, "&");
  const bare = closed(plain, plain.replace(ENDING, ""));
  const isMeant = PLACE.test(plain) ? unread(bare) <= unread(plain) : unread(bare) < unread(plain);
  return isMeant ? bare : plain;
}

/** With the brackets again that close what is open in it. */
function closed(whole: string, bare: string): string {
  const open = bare.split("(").length - bare.split(")").length;
  const behind = /^\)*/.exec(whole.slice(bare.length))![0];
  return bare + behind.slice(0, Math.max(open, 0));
}

/** How much of an address means nothing here. */
function unread(hash: string): number {
  if (/^#v\d/.test(hash)) return decodeLink(hash).warnings.length;
  if (isBookHash(hash)) return decodePlace(hash).warnings.length;
  return hash.length < 2 || (routeOf(hash) !== "notebook" && !ENDING.test(hash)) ? 0 : 1;
}

/** Mends the page's address, now and whenever it changes: before anybody else reads it. Returns what ends that. */
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
