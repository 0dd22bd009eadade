/**
 * What a reader has answered, kept beside the notebook and never in it: with a notebook of the reader's own in the browser, for
 * the site's lessons in this tab, and in memory alone for notebooks from elsewhere.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { MOST_ANSWERS } from "../runtime/shelf/answers.ts";
import type { NotebookShelf } from "../runtime/shelf/notebooks.ts";

const VERDICTS = ["open", "right", "wrong", "shown"] as const;
type QuizVerdict = (typeof VERDICTS)[number];

export interface QuizAnswer {
  /** The number of an option, or a number, as a text. */
  given: string;
  verdict: QuizVerdict;
  hinted: boolean;
  /** It was answered once, or skipped: what waits for it is shown. */
  seen?: boolean;
}

export const UNANSWERED: QuizAnswer = { given: "", verdict: "open", hinted: false, seen: false };

/** Whether what waits for the question is shown. */
export function isPassed({ verdict, seen = false }: QuizAnswer = UNANSWERED): boolean {
  return seen || verdict !== "open";
}

/** Answers by the texts of their cells: a question that is worded anew is another one. */
type AnswersByQuiz = ReadonlyMap<string, QuizAnswer>;

/** Where answers outlive the page. */
interface AnswerPlace {
  read(): Promise<AnswersByQuiz> | AnswersByQuiz;
  /** `all`: with the one that has changed. */
  write(question: string, answer: QuizAnswer, all: AnswersByQuiz): void;
}

/** The questions of one notebook. */
export class QuizAnswers {
  readonly store: StoreApi<{ answers: AnswersByQuiz }> = createStore(() => ({
    answers: new Map(),
  }));
  #place: AnswerPlace | null;

  /** @param place null: they are gone with the page. */
  constructor(place: AnswerPlace | null) {
    this.#place = place;
    void this.#read();
  }

  change(question: string, answer: QuizAnswer): void {
    const answers = new Map(this.store.getState().answers).set(question, answer);
    this.store.setState({ answers });
    this.#place?.write(question, answer, answers);
  }

  /** What waits for the question is shown, though nobody has answered it. */
  skip(question: string): void {
    const now = this.store.getState().answers.get(question) ?? UNANSWERED;
    this.change(question, { ...now, seen: true });
  }

  async #read(): Promise<void> {
    const kept = (await this.#place?.read()) ?? [];
    // What has been answered meanwhile is newer.
    this.store.setState(({ answers }) => ({ answers: new Map([...kept, ...answers]) }));
  }
}

/** With a notebook that the browser keeps. */
export function answersInBrowser(
  shelf: Pick<NotebookShelf, "answers" | "putAnswers">,
  notebook: string,
): AnswerPlace {
  return {
    read: async () => readAnswerList(await shelf.answers(notebook)),
    // Where there is no room the notebook's own place says so.
    write: (question, answer) => void shelf.putAnswers([{ notebook, question, ...answer }]),
  };
}

const KEY = "turnbook-quiz:";

/** @param name of the notebook. */
export function answersInTab(name: string): AnswerPlace {
  return {
    read: () => readAnswerList(stored(KEY + name)),
    write: (_question, _answer, all) => {
      try {
        sessionStorage.setItem(KEY + name, JSON.stringify(listOfAnswers(all)));
      } catch {
        // Storage is full or forbidden: it stays in memory.
      }
    },
  };
}

function stored(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

interface ListedAnswer extends QuizAnswer {
  question: string;
}

/** Those that say something. */
export function listOfAnswers(answers: AnswersByQuiz): ListedAnswer[] {
  return [...answers].flatMap(([question, { given, verdict, hinted, seen = false }]) =>
    given === "" && verdict === "open" && !hinted && !seen
      ? []
      : [{ question, given, verdict, hinted, ...(seen && { seen }) }],
  );
}

/** What is no answer is left out, as is all else that an answer has. */
export function readAnswerList(list: unknown): AnswersByQuiz {
  const all = Array.isArray(list) ? list.slice(0, MOST_ANSWERS) : [];
  const answers = all.map((one) => Object(one) as Record<string, unknown>);
  return new Map(
    answers.flatMap(({ question, given, verdict, hinted, seen }): [string, QuizAnswer][] => {
      const known = VERDICTS.find((one) => one === verdict);
      if (typeof question !== "string" || typeof given !== "string" || !known) return [];
      const read = { given, verdict: known, hinted: hinted === true };
      return [[question, seen === true ? { ...read, seen } : read]];
    }),
  );
}
