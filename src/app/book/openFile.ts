/** A notebook's file becomes a notebook of this browser, from elsewhere: its code waits for the reader's consent. */
import { createBook } from "./openBook.ts";
import { words } from "./words.ts";

/** Bytes; see MAX_LENGTH of the document. */
const LARGEST = 4_000_000;

type Opened = { hash: string; problem: null } | { hash: null; problem: string };

export async function openFile(file: File): Promise<Opened> {
  const refused = (problem: string) => ({ hash: null, problem });
  if (file.size > LARGEST) return refused(words.gallery.tooLong(file.name));
  try {
    return { hash: await createBook(await textOfFile(file), true), problem: null };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refused(words.gallery.notOpened(file.name, why));
  }
}

/** A reader's file as the text of a notebook. @throws InputError where it is a file of a known kind and broken */
async function textOfFile(file: File): Promise<string> {
  const text = await file.text();
  if (!/\.ipynb$/i.test(file.name)) return text;
  const { fromJupyter } = await import("../../notebook/jupyter.ts");
  return fromJupyter(text);
}
