/** A question with a checked answer: one of several, or a number with a tolerance. */
import { use, useId, useMemo, useState } from "react";
import { readFields, type FieldsOf } from "../../notebook/cellFields.ts";
import { Prose } from "../Prose.tsx";
import {
  keepAnswer,
  readAnswer,
  type QuizAnswer,
  type QuizPlace,
} from "../../store/quizAnswers.ts";
import { BookContext } from "./useBook.ts";
import { words as all } from "./words.ts";

const words = all.quiz;

type Quiz = FieldsOf<"quiz">;

interface QuizCellProps {
  /** The cell's; without it what is answered is kept nowhere. */
  id?: string;
  body: string;
}

export function QuizCell({ id, body }: QuizCellProps) {
  const book = use(BookContext)?.store.getState();
  const quiz = readFields("quiz", body).value;
  const isForeign = book?.isForeign ?? true;
  const name = book && id !== undefined ? `${book.id ?? book.title}/${id}` : null;
  const place = useMemo(
    () => (name === null ? null : { name, body, isForeign }),
    [name, body, isForeign],
  );
  return quiz && <Question key={body} quiz={quiz} place={place} />;
}

function Question({ quiz, place }: { quiz: Quiz; place: QuizPlace | null }) {
  const [{ given, verdict, hinted }, setAnswer] = useState(() => readAnswer(place));
  const change = (part: Partial<QuizAnswer>) => {
    const now = { given, verdict, hinted, ...part };
    keepAnswer(place, now);
    setAnswer(now);
  };
  const answer = (text: string) => change({ given: text, verdict: "open" });
  const ended = verdict === "right" || verdict === "shown";
  return (
    <section
      className="panel quiz"
      aria-label={words.title}
      data-testid="quiz"
      data-verdict={verdict}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change({ verdict: isRight(quiz, given) ? "right" : "wrong" });
        }}
      >
        <Prose markdown={quiz.question} />
        <Answer quiz={quiz} given={given} onAnswer={answer} />
        <div className="buttons">
          <button type="submit" className="primary" disabled={given.trim() === ""}>
            {words.check}
          </button>
          {quiz.hint && !hinted && (
            <button type="button" onClick={() => change({ hinted: true })}>
              {words.hint}
            </button>
          )}
          {verdict === "wrong" && (
            <button type="button" onClick={() => change({ verdict: "shown" })}>
              {words.reveal}
            </button>
          )}
        </div>
      </form>
      {hinted && quiz.hint && <Prose markdown={quiz.hint} />}
      <div role="status" data-testid="verdict">
        {verdict === "right" && <p className="quiz-right">{words.right}</p>}
        {verdict === "wrong" && <p>{words.wrong}</p>}
        {verdict === "shown" && <p>{words.answer(rightAnswer(quiz))}</p>}
        {ended && quiz.explanation && <Prose markdown={quiz.explanation} />}
      </div>
    </section>
  );
}

/** Whether a text is the answer: the number of an option, or a number within the tolerance. */
function isRight({ kind, answer, tolerance }: Quiz, given: string): boolean {
  const number = Number(given.trim().replace(",", ".").replace("−", "-"));
  return kind === "choice" ? number === answer : Math.abs(number - answer) <= tolerance + SLACK;
}

/** 0.1 + 0.2 is as good as 0.3. */
const SLACK = 1e-9;

function rightAnswer({ kind, answer, options, unit }: Quiz): string {
  return kind === "choice" ? options[answer - 1]! : `${answer} ${unit}`.trim();
}

interface AnswerProps {
  quiz: Quiz;
  given: string;
  onAnswer: (text: string) => void;
}

function Answer({ quiz: { kind, options, unit }, given, onAnswer }: AnswerProps) {
  const name = useId();
  if (kind === "number")
    return (
      <label className="quiz-number">
        {words.yours}{" "}
        <input
          inputMode="decimal"
          autoComplete="off"
          value={given}
          onChange={({ currentTarget }) => onAnswer(currentTarget.value)}
        />{" "}
        {unit}
      </label>
    );
  return (
    <fieldset className="quiz-options">
      <legend className="visually-hidden">{words.yours}</legend>
      {options.map((option, i) => (
        <label key={i}>
          <input
            type="radio"
            name={name}
            checked={given === String(i + 1)}
            onChange={() => onAnswer(String(i + 1))}
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}
