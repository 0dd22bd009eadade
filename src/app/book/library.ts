/** The notebooks of a page: those in use, and the last few that were read. */
import { bookHash, type BookAddress } from "./bookAddress.ts";
import { bookAt, openedBook, type OpenBook } from "./openBook.ts";

export interface Library {
  /** Rejects with a sentence if there is none. */
  open(address: BookAddress): Promise<OpenBook>;
  /** A notebook of another site whose text has been fetched: it is open from now on. */
  give(address: BookAddress, text: string): void;
}

/** Limit of notebooks that stay open without anything running: the one being read, and those that one may go back to. */
export const MOST_AT_REST = 4;

export function createLibrary(): Library {
  /** The most recently opened is last. */
  const books = new Map<string, Promise<OpenBook>>();
  const open = (key: string, make: () => Promise<OpenBook>) => {
    const book = books.get(key) ?? make();
    books.delete(key);
    books.set(key, book);
    // A failed load is tried again.
    book.then(
      () => closeOldest(books),
      () => books.delete(key),
    );
    return book;
  };
  return {
    open: (address) => open(bookHash(address), () => bookAt(address)),
    give: (address, text) => {
      books.delete(bookHash(address));
      void open(bookHash(address), () => Promise.resolve(openedBook(text, address, true)));
    },
  };
}

/** A run continues while another notebook is read; a notebook at rest can be closed and opened again unchanged. */
async function closeOldest(books: Map<string, Promise<OpenBook>>): Promise<void> {
  const all = await Promise.all(
    [...books].map(async ([key, book]) => ({ key, book: await book.catch(() => null) })),
  );
  const atRest = all.filter(({ book }) => book?.isAtRest() ?? false);
  for (const { key, book } of atRest.slice(0, -MOST_AT_REST)) {
    // What was opened meanwhile is in use.
    if (key === [...books.keys()].at(-1)) continue;
    books.delete(key);
    book!.close();
  }
}
