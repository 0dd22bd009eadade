/** A question with a checked answer: one of several, or a number with a tolerance. */
import { use, useId, useState } from "react";
import { useStore } from "zustand";
import { readFields, type FieldsOf } from "../../notebook/cellFields.ts";
import { Prose } from "../Prose.tsx";
import { UNANSWERED, type QuizAnswer, type QuizAnswers } from "../../store/quizAnswers.ts";
import { Button } from "../../ui/Button.tsx";
import { answersIn } from "./bookAnswers.ts";
import { BookContext } from "./useBook.ts";
import { words as all } from "./words.ts";

const words = all.quiz;

type Quiz = FieldsOf<"quiz">;

export function QuizCell({ body }: { body: string }) {
  const store = use(BookContext)?.store ?? null;
  const [answers] = useState(() => answersIn(store));
  const quiz = readFields("quiz", body).value;
  return quiz && <Question quiz={quiz} body={body} answers={answers} />;
}

interface QuestionProps {
  quiz: Quiz;
  body: string;
  answers: QuizAnswers;
}

function Question({ quiz, body, answers }: QuestionProps) {
  const now = useStore(answers.store, (state) => state.answers.get(body)) ?? UNANSWERED;
  const { given, verdict, hinted } = now;
  const change = (part: Partial<QuizAnswer>) => answers.change(body, { ...now, ...part });
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
          <Button type="submit" look="primary" disabled={given.trim() === ""}>
            {words.check}
          </Button>
          {quiz.hint && !hinted && (
            <Button onClick={() => change({ hinted: true })}>{words.hint}</Button>
          )}
          {verdict === "wrong" && (
            <Button onClick={() => change({ verdict: "shown" })}>{words.reveal}</Button>
          )}
          {(verdict !== "open" || hinted) && (
            <Button look="quiet" data-testid="quiz-reset" onClick={() => change(UNANSWERED)}>
              {words.reset}
            </Button>
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
