/** A notebook's file becomes a notebook of this browser, from elsewhere: its code waits for the reader's consent. */
import { createBook } from "./openBook.ts";
import { words } from "./words.ts";

/** Bytes; see MAX_LENGTH of the document. */
const LARGEST = 4_000_000;

type Opened = { hash: string; problem: null } | { hash: null; problem: string };

export async function openFile(file: File): Promise<Opened> {
  if (file.size > LARGEST) return { hash: null, problem: words.gallery.tooLong(file.name) };
  return { hash: await createBook(await file.text(), true), problem: null };
}
