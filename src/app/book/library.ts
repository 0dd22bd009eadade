/** The notebooks of a page: those in use, and the last few that were read. */
import { bookHash, type BookAddress } from "./bookAddress.ts";
import { bookAt, openedBook, type OpenBook } from "./openBook.ts";

export interface Library {
  /** Rejects with a sentence where there is none. */
  open(address: BookAddress): Promise<OpenBook>;
  /** A notebook of another site, whose text has been fetched: it is open from now on. */
  give(address: BookAddress, text: string): void;
}

/** Notebooks that stay open though nothing goes on in them: the one that is read, and those that one goes back to. */
export const MOST_AT_REST = 4;

export function createLibrary(): Library {
  /** What was opened last stands last. */
  const books = new Map<string, Promise<OpenBook>>();
  const open = (key: string, make: () => Promise<OpenBook>) => {
    const book = books.get(key) ?? make();
    books.delete(key);
    books.set(key, book);
    // What failed is tried anew.
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

/** A run goes on while another notebook is read; where nothing goes on, a notebook comes again as it was. */
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
