/** Answers to a notebook's questions: stored beside the notebook, never in it. One record per question, keyed by its text. */
import type { IDBPDatabase } from "idb";
import { ofNotebook, ON_DISK } from "./database.ts";

export interface KeptAnswer {
  /** Id of its notebook. */
  notebook: string;
  /** The cell's text: a reworded question counts as a new one. */
  question: string;
  /** The index of an option, or a number, as a string. */
  given: string;
  verdict: string;
  hinted: boolean;
  /** The solution has been shown: it was answered once, or skipped. */
  seen?: boolean;
}

export const ANSWERS = "answers";
export const ANSWER_KEY = ["notebook", "question"];
/** Maximum per notebook. */
export const MOST_ANSWERS = 500;

export function readAnswers(database: IDBPDatabase, id: string): Promise<KeptAnswer[]> {
  return database.getAll(ANSWERS, ofNotebook(id), MOST_ANSWERS) as Promise<KeptAnswer[]>;
}

/** All or nothing. */
export async function writeAnswers(
  database: IDBPDatabase,
  answers: readonly KeptAnswer[],
): Promise<void> {
  const { store, done } = database.transaction(ANSWERS, "readwrite", ON_DISK);
  await Promise.all([...answers.map((one) => store.put(one)), done]);
}
