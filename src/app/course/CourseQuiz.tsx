/** The course's eight questions, asked twice: the answers of both rounds are kept apart, and compared once both are in. */
import { useId, useMemo, useState } from "react";
import { useStore } from "zustand";
import { proseIn } from "../../notebook/cell.ts";
import { questionsIn, type CellQuestion } from "../../notebook/cells/quiz/questions.ts";
import { bookDraft } from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { CheckBox } from "../../ui/Field.tsx";
import type { OpenBook } from "../book/openBook.ts";
import { Prose } from "../Prose.tsx";
import { GALLERY_HASH } from "../route.ts";
import {
  countRight,
  keepRounds,
  nextRound,
  readRounds,
  ROUNDS,
  type RoundAnswers,
  type QuizRound,
  type Rounds,
} from "./quizRounds.ts";
import { words as all } from "./words.ts";
import "./course.css";

const words = all.rounds;

export function CourseQuiz({ book }: { book: OpenBook }) {
  const draft = useStore(book.store, bookDraft);
  const [rounds, setRounds] = useState(readRounds);
  const { questions, intro } = useMemo(() => {
    const cells = draft.cells.map(({ cell }) => cell);
    const questions = questionsIn(cells).filter(({ kind }) => kind === "choice");
    return { questions, intro: proseIn(cells)[0] };
  }, [draft]);
  const keep = (next: Rounds) => {
    keepRounds(next);
    setRounds(next);
    window.scrollTo(0, 0);
  };
  const round = nextRound(rounds);
  return (
    <article className="notebook reading course-quiz" data-testid="course-quiz" data-round={round}>
      <p>
        <a href={GALLERY_HASH}>{words.back}</a>
      </p>
      {intro !== undefined && <Prose markdown={intro} />}
      {round === null ? (
        <Compared questions={questions} rounds={rounds} onAgain={() => keep({})} />
      ) : (
        <Asked
          key={round}
          {...{ round, questions }}
          onEnd={(given) => keep({ ...rounds, [round]: given })}
        />
      )}
    </article>
  );
}

interface AskedProps {
  round: QuizRound;
  questions: readonly CellQuestion[];
  onEnd: (given: RoundAnswers) => void;
}

/** Without a verdict: it would give away the answers of the second round. */
function Asked({ round, questions, onEnd }: AskedProps) {
  const [given, setGiven] = useState<RoundAnswers>({});
  const left = questions.filter(({ id }) => given[id] === undefined).length;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onEnd(given);
      }}
    >
      <h2>{words.title[round]}</h2>
      {round === "after" && <p role="status">{words.kept}</p>}
      {questions.map((question, i) => (
        <Options
          key={question.id}
          {...{ question, number: i + 1 }}
          given={given[question.id] ?? null}
          onAnswer={(answer) => setGiven({ ...given, [question.id]: answer })}
        />
      ))}
      <div className="buttons">
        <Button type="submit" look="primary" disabled={left > 0} data-testid="hand-in">
          {words.handIn}
        </Button>
        <span className="note">{left > 0 && words.left(left)}</span>
      </div>
    </form>
  );
}

interface OptionsProps {
  question: CellQuestion;
  number: number;
  given: number | null;
  onAnswer: (answer: number) => void;
}

function Options({ question: { question, options }, number, given, onAnswer }: OptionsProps) {
  const name = useId();
  return (
    <fieldset className="panel" data-testid="course-question">
      <legend>{words.question(number, question)}</legend>
      {options.map((option, i) => (
        <CheckBox
          key={i}
          type="radio"
          name={name}
          checked={given === i + 1}
          onChange={() => onAnswer(i + 1)}
        >
          {option}
        </CheckBox>
      ))}
    </fieldset>
  );
}

interface ComparedProps {
  questions: readonly CellQuestion[];
  rounds: Rounds;
  onAgain: () => void;
}

function Compared({ questions, rounds, onAgain }: ComparedProps) {
  const [before, after] = ROUNDS.map((round) => countRight(questions, rounds[round] ?? {}));
  const said = (round: QuizRound, { id, options, answer }: CellQuestion) => {
    const given = rounds[round]?.[id] ?? 0;
    return `${given === answer ? "✓" : "✗"} ${options[given - 1] ?? "–"}`;
  };
  return (
    <>
      <h2>{words.compared}</h2>
      <p role="status" data-testid="quiz-change">
        {words.change(before!, after!, questions.length)}
      </p>
      <DataTable
        label={words.compared}
        testId="quiz-compared"
        rows={questions}
        keyOf={({ id }) => id}
        columns={[
          { id: "question", head: words.asked, kind: "name", cell: ({ question }) => question },
          ...ROUNDS.map((round) => ({
            id: round,
            head: words.rounds[round],
            cell: (one: CellQuestion) => said(round, one),
          })),
          { id: "right", head: words.right, cell: ({ options, answer }) => options[answer - 1] },
          { id: "why", head: words.why, cell: ({ explanation }) => explanation },
        ]}
      />
      <div className="buttons">
        <Button data-testid="quiz-again" onClick={onAgain}>
          {words.again}
        </Button>
      </div>
    </>
  );
}
