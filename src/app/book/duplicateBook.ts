/** A second notebook of the reader's own, with what came of the first: finished runs of its sweeps, and answers. */
import { newId } from "../../store/bookStore.ts";
import { records } from "../keptRuns.ts";
import { bringAnswers } from "./bookAnswers.ts";
import { bookHash } from "./bookAddress.ts";
import { createBook, shelf } from "./openBook.ts";

/** @returns its address. */
export async function duplicateBook(id: string, text: string, isForeign = false): Promise<string> {
  const hash = await createBook(text, isForeign);
  await copySweeps(bookHash({ kind: "own", id }), hash);
  await bringAnswers(hash, await shelf.answers(id));
  return hash;
}

/** Each notebook has its own, so that either may be deleted. Without checkpoints: nothing goes on from a finished run. */
async function copySweeps(from: string, to: string): Promise<void> {
  const runs = await records.list();
  for (const run of runs) {
    const isIts = run.state === "finished" && run.place.startsWith(`${from}/~`);
    const whole = isIts && (await records.read(run.id));
    if (!whole) continue;
    const copy = { ...run, id: newId(), place: to + run.place.slice(from.length) };
    const { lines } = whole;
    await records.write({ run: { ...copy, checkpointBytes: 0 }, lines, from: 0, checkpoint: null });
  }
}
