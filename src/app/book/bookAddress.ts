/**
 * Addresses of notebooks: `#book/ID` for one kept here, `#lesson/NAME` for one that the site
 * serves, `#text/WORD` for one that the address holds whole, `#url=HTTPS-ADDRESS` and
 * `#gh:OWNER/REPO/PATH` for one that another site serves; anything else is the opening page. The id
 * of an experiment may follow, and a place after "?": then the address of another site has its
 * slashes encoded, as `bookHash` writes it.
 */

export type BookAddress =
  | { kind: "opening" }
  | { kind: "own"; id: string }
  | { kind: "served"; name: string }
  | { kind: "text"; word: string }
  | RemoteAddress;

/** Another site's address as written; see `remoteUrl`. */
export interface RemoteAddress {
  kind: "remote";
  scheme: "url=" | "gh:";
  at: string;
}

/** For a lesson that the site serves. */
const LONGEST_NAME = 40;
/** The address of a lesson and nothing else, as a pattern's source. */
export const LESSON_ALONE = `^#lesson/([\\w-]{1,${LONGEST_NAME}})$`;
const ADDRESS = /^#(book|lesson|text)\/([\w-]+)(?:\/([\w-]{1,64}))?(?:\?.*)?$/;
/** Written by a reader or another page. */
const PLAIN_REMOTE = /^#(?:(url=)([a-z]+:\/\/[^#]+)|(gh:)((?:[^?#/]+\/){2,}[^?#]+)(?:\?.*)?)$/i;
/** Written by `bookHash`. */
const ENCODED_REMOTE = /^#(url=|gh:)([\w.!~*'()%-]+)(?:\/([\w-]{1,64}))?(?:\?.*)?$/;
const MOST_OF_REMOTE = 2000;

export function bookAddressOf(hash: string): BookAddress {
  const [, kind, name = ""] = ADDRESS.exec(hash) ?? [];
  if (kind === "book" && /^[a-z0-9]{4,20}$/.test(name)) return { kind: "own", id: name };
  if (kind === "lesson" && name.length <= LONGEST_NAME) return { kind: "served", name };
  if (kind === "text") return { kind, word: name };
  return remoteIn(hash) ?? { kind: "opening" };
}

function remoteIn(hash: string): RemoteAddress | null {
  // Encoded it is at most three times as long, and a place may follow.
  if (hash.length > 4 * MOST_OF_REMOTE) return null;
  const [, urlScheme, url, ghScheme, path] = PLAIN_REMOTE.exec(hash) ?? [];
  const [, scheme, word] = ENCODED_REMOTE.exec(hash) ?? [];
  const at = url ?? decoded(path ?? word ?? "");
  if (!at || at.length > MOST_OF_REMOTE) return null;
  const isUrl = (urlScheme ?? ghScheme ?? scheme)!.toLowerCase() === "url=";
  return { kind: "remote", scheme: isUrl ? "url=" : "gh:", at };
}

function decoded(word: string): string | null {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}

/** The experiment that a notebook's address names; null if it names none. */
export function experimentInAddress(hash: string): string | null {
  if (hash.length <= 4 * MOST_OF_REMOTE && PLAIN_REMOTE.test(hash)) return null;
  return (ADDRESS.exec(hash) ?? ENCODED_REMOTE.exec(hash))?.[3] ?? null;
}

/** Whether an address is a notebook's, so that its experiments are those of the notebook. */
export function isBookHash(hash: string): boolean {
  return bookAddressOf(hash).kind !== "opening";
}

export function bookHash(address: BookAddress): string {
  if (address.kind === "own") return `#book/${address.id}`;
  if (address.kind === "text") return `#text/${address.word}`;
  if (address.kind === "remote") return `#${address.scheme}${encodeURIComponent(address.at)}`;
  return address.kind === "served" ? `#lesson/${address.name}` : "#";
}

/** The notebook's part of an experiment's address: all before the experiment's id. */
export function bookPart(home: string): string {
  return bookHash(bookAddressOf(home));
}
