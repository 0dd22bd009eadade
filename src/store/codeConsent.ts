/**
 * Code from elsewhere (from a link, a notebook or a run's file) runs only after the reader has seen
 * it and agreed. Consent is for a text: the same text need not be confirmed again in this tab, a
 * different one must. Code cells of the reader's own notebooks, or of those that come with the
 * page, need no question.
 */
import { readTexts, writeValue } from "../runtime/shelf/smallValue.ts";
import { createStore } from "zustand/vanilla";
import { cellsWith, definitionsIn } from "../notebook/cell.ts";
import type { Definition } from "../spec/definitions.ts";
import { bookCells, type BookStore } from "./bookStore.ts";

/** One piece of code, as shown. */
export interface CodePiece {
  /** Its kind and name, such as `reward hurry`. */
  title: string;
  source: string;
}

/** A question waiting for the reader's answer. */
interface AskedCode {
  pieces: readonly CodePiece[];
  answer: (yes: boolean) => void;
}

export const codeConsent = createStore<{
  asked: AskedCode | null;
  /** Grows whenever more code may run. */
  version: number;
}>(() => ({ asked: null, version: 0 }));

/** Notebooks that are open. */
const books = new Set<BookStore>();

/** Registers this notebook's code cells; returns the function that unregisters them. */
export function countBook(book: BookStore): () => void {
  books.add(book);
  if (definitionsIn(cellsOf(book)).length > 0) changed();
  const end = book.subscribe((now, before) => {
    if (now.isForeign !== before.isForeign) changed();
  });
  return () => {
    end();
    books.delete(book);
  };
}

/** Whether all of this may run without a question. */
export function mayRun(definitions: readonly Definition[] = []): boolean {
  return definitions.every(isAllowed);
}

function isAllowed(one: Definition): boolean {
  return agreed().has(one.source) || [...books].some((book) => isOwn(book) && has(book, one));
}

const isOwn = (book: BookStore) => !book.getState().isForeign;

const cellsOf = (book: BookStore) => bookCells(book.getState());

function has(book: BookStore, { source }: Definition): boolean {
  return definitionsIn(cellsOf(book)).some((own) => own.source === source);
}

/** Records that the reader allows this to run: for this tab, including reloads. */
export function allowCode(definitions: readonly Definition[] = []): void {
  const texts = agreed();
  const added = definitions.filter(({ source }) => !texts.has(source));
  if (added.length === 0) return;
  for (const { source } of added) texts.add(source);
  keep(texts);
  changed();
}

function changed(): void {
  codeConsent.setState(({ version }) => ({ version: version + 1 }));
}

/** Resolves to whether these may run: at once if they are allowed already, else when the reader has answered. */
export async function askForCode(definitions: readonly Definition[]): Promise<boolean> {
  return inTurn(async () => {
    if (mayRun(definitions)) return true;
    // A notebook is confirmed once, as a whole.
    const book = [...books].find((one) => !isOwn(one) && definitions.every((d) => has(one, d)));
    if (book) return askAbout(book);
    const yes = await ask(definitions.map(pieceOf));
    if (yes) allowCode(definitions);
    return yes;
  });
}

/** The same for all code of a notebook. */
export async function askForBook(book: BookStore): Promise<boolean> {
  return inTurn(async () => isOwn(book) || askAbout(book));
}

async function askAbout(book: BookStore): Promise<boolean> {
  const cells = cellsOf(book);
  const yes = await ask(
    cellsWith(cells, "isCode").map(({ defines = "cell", id, body }) => ({
      title: `${defines} ${id}`,
      source: body,
    })),
  );
  if (!yes) return false;
  allowCode(definitionsIn(cells));
  book.setState({ isForeign: false });
  return true;
}

const pieceOf = ({ kind, name, source }: Definition): CodePiece => ({
  title: `${kind} ${name}`,
  source,
});

let last: Promise<unknown> = Promise.resolve();

/** One question at a time. */
function inTurn(question: () => Promise<boolean>): Promise<boolean> {
  const answer = last.then(question);
  last = answer.catch(() => {});
  return answer;
}

function ask(pieces: readonly CodePiece[]): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      codeConsent.setState({ asked: null });
      resolve(yes);
    };
    codeConsent.setState({ asked: { pieces, answer } });
  });
}

/** Survives a reload of the tab, so that its run continues; no link or file can write there. */
const PLACE = "turnbook-code";
/** Maximum characters stored; the oldest texts go first. */
const MOST = 500_000;

let known: Set<string> | null = null;

function agreed(): Set<string> {
  known ??= new Set(readTexts("tab", PLACE));
  return known;
}

function keep(texts: ReadonlySet<string>): void {
  const newest: string[] = [];
  let room = MOST;
  for (const text of [...texts].reverse()) {
    room -= text.length;
    if (room >= 0) newest.unshift(text);
  }
  writeValue("tab", PLACE, newest);
}

/** Resets to a new tab's state: no consent, and no open notebook. */
export function forgetConsent(): void {
  books.clear();
  known = new Set();
  keep(known);
  codeConsent.getState().asked?.answer(false);
  changed();
}
