/** A second notebook of the reader's own, with the results of the first: runs of its experiments and sweeps, and answers. */
import type { KeptRun } from "../../runtime/shelf/keptRuns.ts";
import { listOfAnswers } from "../../store/quizAnswers.ts";
import { keepWhole, records, showWhenOpened } from "../keptRuns.ts";
import { answersIn, bringAnswers } from "./bookAnswers.ts";
import { bookHash, type BookAddress } from "./bookAddress.ts";
import { createBook, shelf, textAsShown, type OpenBook } from "./openBook.ts";

/** @returns its address. */
export async function duplicateBook(id: string, text: string, isForeign = false): Promise<string> {
  const hash = await createBook(text, isForeign);
  await copyRuns(bookHash({ kind: "own", id }), hash);
  await bringAnswers(hash, await shelf.answers(id));
  return hash;
}

/** A notebook that came by a link, as shown, as one of the reader's own; it never replaces another. Its address. */
export async function keepCopy(book: OpenBook, source: BookAddress): Promise<string> {
  const { isForeign } = book.store.getState();
  const answers = listOfAnswers(answersIn(book.store).store.getState().answers);
  const hash = await createBook(textAsShown(book), isForeign, source);
  await copyRuns(bookHash(source), hash);
  await bringAnswers(hash, answers);
  return hash;
}

/** Each notebook has its own runs, so that either may be deleted: the newest of every experiment, and the finished runs of sweeps. */
async function copyRuns(from: string, to: string): Promise<void> {
  const places = new Set<string>();
  for (const run of await records.list()) {
    if (!run.place.startsWith(`${from}/`) || places.has(run.place)) continue;
    places.add(run.place);
    const isSwept = run.place.startsWith(`${from}/~`);
    if (isSwept && run.state !== "finished") continue;
    await copyRun(run, to + run.place.slice(from.length), isSwept);
  }
}

/** A sweep's finished run is never continued, so its checkpoint is not copied. A run that trains now is paused in the copy. */
async function copyRun({ id }: KeptRun, place: string, isSwept: boolean): Promise<void> {
  const whole = await records.read(id);
  if (!whole) return;
  const { run, lines } = whole;
  // A checkpoint among the browser's files belongs to the other run.
  const checkpoint = isSwept || !whole.checkpoint ? null : { ...whole.checkpoint, inFile: false };
  const state = run.state === "finished" ? "finished" : "paused";
  const copy = await keepWhole({ ...run, place, state }, { lines, checkpoint });
  if (checkpoint) showWhenOpened(copy.id);
}
