/**
 * A reader's answers, stored beside the notebook and never in it: in the browser for the reader's
 * own notebooks, in this tab for the site's lessons, and only in memory for notebooks from
 * elsewhere.
 */
import { readValue, writeValue } from "../runtime/shelf/smallValue.ts";
import { createStore, type StoreApi } from "zustand/vanilla";
import { MOST_ANSWERS } from "../runtime/shelf/answers.ts";
import type { NotebookShelf } from "../runtime/shelf/notebooks.ts";

const VERDICTS = ["open", "right", "wrong", "shown"] as const;
type QuizVerdict = (typeof VERDICTS)[number];

export interface QuizAnswer {
  /** The index of an option, or a number, as a string. */
  given: string;
  verdict: QuizVerdict;
  hinted: boolean;
  /** It was answered once, or skipped: the content after it is shown. */
  seen?: boolean;
}

export const UNANSWERED: QuizAnswer = { given: "", verdict: "open", hinted: false, seen: false };

/** Whether the content that waits for the question is shown. */
export function isPassed({ verdict, seen = false }: QuizAnswer = UNANSWERED): boolean {
  return seen || verdict !== "open";
}

/** Answers by the texts of their cells: a reworded question counts as a new one. */
type AnswersByQuiz = ReadonlyMap<string, QuizAnswer>;

/** Where answers are stored beyond the page's lifetime. */
interface AnswerPlace {
  read(): Promise<AnswersByQuiz> | AnswersByQuiz;
  /** `all`: including the changed one. */
  write(question: string, answer: QuizAnswer, all: AnswersByQuiz): void;
}

/** The questions of one notebook. */
export class QuizAnswers {
  readonly store: StoreApi<{ answers: AnswersByQuiz }> = createStore(() => ({
    answers: new Map(),
  }));
  #place: AnswerPlace | null;

  /** @param place null: they are lost with the page. */
  constructor(place: AnswerPlace | null) {
    this.#place = place;
    void this.#read();
  }

  change(question: string, answer: QuizAnswer): void {
    const answers = new Map(this.store.getState().answers).set(question, answer);
    this.store.setState({ answers });
    this.#place?.write(question, answer, answers);
  }

  /** Shows the content that waits for the question, without an answer. */
  skip(question: string): void {
    const now = this.store.getState().answers.get(question) ?? UNANSWERED;
    this.change(question, { ...now, seen: true });
  }

  async #read(): Promise<void> {
    const kept = (await this.#place?.read()) ?? [];
    // Answers given in the meantime are newer.
    this.store.setState(({ answers }) => ({ answers: new Map([...kept, ...answers]) }));
  }
}

/** For a notebook stored in the browser. */
export function answersInBrowser(
  shelf: Pick<NotebookShelf, "answers" | "putAnswers">,
  notebook: string,
): AnswerPlace {
  return {
    read: async () => readAnswerList(await shelf.answers(notebook)),
    // If there is no space, the notebook's own place reports it.
    write: (question, answer) => void shelf.putAnswers([{ notebook, question, ...answer }]),
  };
}

const KEY = "turnbook-quiz:";

/** @param name of the notebook. */
export function answersInTab(name: string): AnswerPlace {
  return {
    read: () => readAnswerList(readValue("tab", KEY + name)),
    write: (_question, _answer, all) => writeValue("tab", KEY + name, listOfAnswers(all)),
  };
}

interface ListedAnswer extends QuizAnswer {
  question: string;
}

/** The non-empty ones. */
export function listOfAnswers(answers: AnswersByQuiz): ListedAnswer[] {
  return [...answers].flatMap(([question, { given, verdict, hinted, seen = false }]) =>
    given === "" && verdict === "open" && !hinted && !seen
      ? []
      : [{ question, given, verdict, hinted, ...(seen && { seen }) }],
  );
}

/** Invalid answers and unknown fields are left out. */
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
