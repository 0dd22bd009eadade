/** The answers given in the open notebooks. */
import { notebookOf } from "../../runtime/shelf/claim.ts";
import type { BookStore } from "../../store/bookStore.ts";
import {
  answersInBrowser,
  answersInTab,
  listOfAnswers,
  QuizAnswers,
  readAnswerList,
} from "../../store/quizAnswers.ts";
import { shelf } from "./openBook.ts";

const known = new WeakMap<BookStore, QuizAnswers>();

/** @param store null: a question outside a notebook. */
export function answersIn(store: BookStore | null): QuizAnswers {
  if (!store) return new QuizAnswers(null);
  const answers = known.get(store) ?? new QuizAnswers(placeOf(store));
  known.set(store, answers);
  return answers;
}

function placeOf(store: BookStore) {
  const { id, title, isForeign } = store.getState();
  if (id !== null) return answersInBrowser(shelf, id);
  return isForeign ? null : answersInTab(title);
}

/** Passes answers to a notebook that is not open yet. @param hash its address; @param list unchecked. */
export async function bringAnswers(hash: string, list: unknown): Promise<void> {
  const notebook = notebookOf(`${hash}/`);
  const answers = listOfAnswers(readAnswerList(list));
  if (notebook === null || answers.length === 0) return;
  await shelf.putAnswers(answers.map((one) => ({ notebook, ...one })));
}
