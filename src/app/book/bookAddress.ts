/**
 * Addresses of notebooks: `#book/ID` for one kept here, `#lesson/NAME` for one that the site serves, `#text/WORD` for one
 * that the address holds whole; all else is the opening page. The id of an experiment may follow, and a place after "?".
 */

export type BookAddress =
  | { kind: "opening" }
  | { kind: "own"; id: string }
  | { kind: "served"; name: string }
  | { kind: "text"; word: string };

const ADDRESS = /^#(book|lesson|text)\/([\w-]+)(?:\/([\w-]{1,64}))?(?:\?.*)?$/;

export function bookAddressOf(hash: string): BookAddress {
  const [, kind, name = ""] = ADDRESS.exec(hash) ?? [];
  if (kind === "book" && /^[a-z0-9]{4,20}$/.test(name)) return { kind: "own", id: name };
  if (kind === "lesson" && name.length <= 40) return { kind: "served", name };
  return kind === "text" ? { kind, word: name } : { kind: "opening" };
}

/** The experiment of the notebook that the address is about; null where it names none. */
export function experimentInAddress(hash: string): string | null {
  return ADDRESS.exec(hash)?.[3] ?? null;
}

/** Whether an address is a notebook's, so that its experiments are the notebook's own. */
export function isBookHash(hash: string): boolean {
  return bookAddressOf(hash).kind !== "opening";
}

export function bookHash(address: BookAddress): string {
  if (address.kind === "own") return `#book/${address.id}`;
  if (address.kind === "text") return `#text/${address.word}`;
  return address.kind === "served" ? `#lesson/${address.name}` : "#";
}
