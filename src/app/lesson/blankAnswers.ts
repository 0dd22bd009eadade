/** Leaves empty on paper what a lesson asks for: a recorded run's figure knows the numbers that its questions want. */
import type { Quiz } from "../../notebook/cells/quiz/quiz.ts";

type NumberAsked = Pick<Quiz, "kind" | "answer" | "tolerance">;

/** What is left empty as a whole: a quantity of all turns, or a sentence. */
const ROWS = ".handout-figure :is(tr, p, figcaption)";
const NUMBER = /[-−]?\d+(?:\.\d+)?/g;

/** Marks rows and sentences with `data-blank`; returns what ends that, since figures come later than words. */
export function blankAnswers(page: HTMLElement, questions: readonly NumberAsked[]): () => void {
  const answers = questions.filter(({ kind, answer }) => kind === "number" && answer % 1 !== 0);
  if (answers.length === 0) return () => undefined;
  const mark = () => {
    for (const row of page.querySelectorAll<HTMLElement>(ROWS))
      if (textsOf(row).some((text) => holdsAnswer(text, answers))) row.dataset["blank"] = "";
  };
  let waits = 0;
  const later = () => {
    cancelAnimationFrame(waits);
    waits = requestAnimationFrame(mark);
  };
  mark();
  const observer = new MutationObserver(later);
  observer.observe(page, { childList: true, characterData: true, subtree: true });
  return () => {
    observer.disconnect();
    cancelAnimationFrame(waits);
  };
}

/** Of a row's cells one by one: their numbers stand side by side without a space. */
function textsOf(row: HTMLElement): string[] {
  const cells = [...row.querySelectorAll("td")];
  return (cells.length > 0 ? cells : [row]).map(({ textContent }) => textContent);
}

/** Whether a text has an answer, as far as its numbers are rounded. */
export function holdsAnswer(text: string, answers: readonly NumberAsked[]): boolean {
  return [...text.matchAll(NUMBER)].some(([said]) => {
    const digits = said.split(".")[1]?.length ?? 0;
    const number = Number(said.replace("−", "-"));
    return answers.some(
      ({ answer, tolerance }) =>
        digits >= Math.min(2, decimalsOf(answer)) &&
        Math.abs(number - answer) <= tolerance + 0.5 * 10 ** -digits,
    );
  });
}

const decimalsOf = (number: number) => String(number).split(".")[1]?.length ?? 0;
