/** What was answered in a notebook's questions: beside the notebook, never in it. One record a question, by its text. */
import type { IDBPDatabase } from "idb";
import { ofNotebook, ON_DISK } from "./database.ts";

export interface KeptAnswer {
  /** Id of its notebook. */
  notebook: string;
  /** The cell's text: a question that is worded anew is another one. */
  question: string;
  /** The number of an option, or a number, as a text. */
  given: string;
  verdict: string;
  hinted: boolean;
  /** It was answered once, or skipped. */
  seen?: boolean;
}

export const ANSWERS = "answers";
export const ANSWER_KEY = ["notebook", "question"];
/** Of one notebook at most. */
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
