/** A question with a checked answer: one of several, a number with a tolerance, an order, or a turn of an episode. */
import { use, useId, useRef, useState } from "react";
import { useStore } from "zustand";
import type { TypedCell } from "../../../../notebook/cell.ts";
import { readFields } from "../../../../notebook/cellFields.ts";
import { judgeAnswer, type Quiz } from "../../../../notebook/quiz.ts";
import type { NotRead } from "../../../../numeric/typedNumber.ts";
import { Prose } from "../../../Prose.tsx";
import {
  isPassed,
  UNANSWERED,
  type QuizAnswer,
  type QuizAnswers,
} from "../../../../store/quizAnswers.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Icon } from "../../../../ui/Icon.tsx";
import { useReveal } from "../../../../ui/reveal.ts";
import { answersIn } from "../../bookAnswers.ts";
import { QuizNumber } from "./QuizNumber.tsx";
import { QuizOrder } from "./QuizOrder.tsx";
import { QuizTurns } from "./QuizTurns.tsx";
import type { AnswerProps } from "./quizAnswerProps.ts";
import { BookContext } from "../../useBook.ts";
import { words as all } from "../../words.ts";

const words = all.quiz;

export function QuizCell({ cell: { body } }: { cell: Pick<TypedCell, "body"> }) {
  const store = use(BookContext)?.store ?? null;
  const [answers] = useState(() => answersIn(store));
  const quiz = readFields("quiz", body).value;
  return quiz && <Question quiz={quiz} body={body} answers={answers} />;
}

function Question({ quiz, body, answers }: { quiz: Quiz; body: string; answers: QuizAnswers }) {
  const now = useStore(answers.store, (state) => state.answers.get(body)) ?? UNANSWERED;
  const { given, verdict, hinted } = now;
  const change = (part: Partial<QuizAnswer>) => answers.change(body, { ...now, ...part });
  const [unread, setUnread] = useState<NotRead | null>(null);
  const isEnded = verdict === "right" || verdict === "shown";
  // Unreadable input is not an answer: the question stays open, and says why.
  const check = () => {
    const judged = judgeAnswer(quiz, given);
    setUnread(judged.verdict === "unread" ? judged.why : null);
    if (judged.verdict !== "unread") change({ verdict: judged.verdict, seen: true });
    show();
  };
  const [said, show] = useShown();
  const section = useRef<HTMLElement>(null);
  // The button that was pressed goes, and the focus with it.
  const press = (part: Partial<QuizAnswer>) => {
    change(part);
    section.current?.focus({ preventScroll: true });
    if (part.verdict !== "open") show();
  };
  useReveal(section, isEnded ? null : words.hides, () => change({ verdict: "shown" }));
  return (
    <section
      ref={section}
      // No landmark: a step may have several, of one name.
      role="group"
      tabIndex={-1}
      className="panel quiz"
      aria-label={words.title}
      data-testid="quiz"
      data-verdict={verdict}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          check();
        }}
      >
        <Prose markdown={quiz.question} />
        <Answer
          {...{ quiz, given, isEnded }}
          onAnswer={(text) => {
            setUnread(null);
            change({ given: text, verdict: "open", seen: isPassed(now) });
          }}
        />
        <Buttons {...{ quiz, now }} change={press} />
      </form>
      {hinted && quiz.hint && <Prose markdown={quiz.hint} />}
      <div ref={said} className="quiz-said" role="status" data-testid="verdict">
        {verdict === "right" && <p className="quiz-right">{words.right}</p>}
        {unread !== null && <p>{words.unread[unread](given.trim())}</p>}
        {verdict === "wrong" && <p>{missIn(quiz, given)}</p>}
        {verdict === "shown" && <RightAnswer quiz={quiz} />}
        {isEnded && quiz.explanation && <Prose markdown={quiz.explanation} />}
      </div>
    </section>
  );
}

/** A part, and what brings it into view once it is drawn: on a phone, bars cover the bottom of the window. */
function useShown() {
  const part = useRef<HTMLDivElement>(null);
  const show = () =>
    requestAnimationFrame(() => part.current?.scrollIntoView({ block: "nearest" }));
  return [part, show] as const;
}

/** What a wrong answer misses, without the right one: in the question's own words, if it has some. */
function missIn(quiz: Quiz, given: string): string {
  const judged = judgeAnswer(quiz, given);
  if (judged.verdict !== "wrong") return words.wrong;
  const { miss, feedback } = judged;
  switch (miss.kind) {
    case "items":
      return `${words.miss.items(miss.right, miss.of)} ${feedback ?? ""}`.trim();
    case "option":
      return feedback ?? words.miss.option(quiz.options[Number(given) - 1] ?? "");
    case "turn":
      return feedback ?? words.miss.turn(given.trim());
    default:
      return feedback ?? words.miss[miss.kind];
  }
}

interface ButtonsProps {
  quiz: Quiz;
  now: QuizAnswer;
  change: (part: Partial<QuizAnswer>) => void;
}

function Buttons({ quiz, now: { given, verdict, hinted }, change }: ButtonsProps) {
  return (
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
  );
}

function RightAnswer({ quiz: { kind, answer, options, unit } }: { quiz: Quiz }) {
  if (kind === "order")
    return (
      <>
        <p>{words.answer("")}</p>
        <ol>
          {options.map((option) => (
            <li key={option}>{option}</li>
          ))}
        </ol>
      </>
    );
  const texts = {
    choice: options[answer - 1] ?? "",
    number: `${answer} ${unit}`.trim(),
    turn: words.turn.name(answer),
  };
  return <p>{words.answer(texts[kind])}</p>;
}

function Answer(props: AnswerProps) {
  switch (props.quiz.kind) {
    case "choice":
      return <Choice {...props} />;
    case "number":
      return (
        <QuizNumber {...props} label={words.yours} unit={props.quiz.unit} inputMode="decimal" />
      );
    case "order":
      return <QuizOrder {...props} />;
    case "turn":
      return <QuizTurns {...props} />;
  }
}

function Choice({ quiz: { options, answer }, given, isEnded, onAnswer }: AnswerProps) {
  const name = useId();
  return (
    <fieldset className="quiz-options">
      <legend className="visually-hidden">{words.yours}</legend>
      {options.map((option, i) => (
        <label key={i} data-right={(isEnded && i + 1 === answer) || undefined}>
          <input
            type="radio"
            name={name}
            checked={given === String(i + 1)}
            onChange={() => onAnswer(String(i + 1))}
          />
          {option}
          {isEnded && i + 1 === answer && (
            <span className="quiz-correct" aria-hidden="true">
              <Icon name="check" /> {words.correct}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
