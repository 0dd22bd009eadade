/**
 * A lesson on paper: its words, its questions with room to write, and its figures as they are at first; no answers,
 * nothing that is hidden from readers, and nothing that waits for a question, whoever prints it.
 */
import { kindOf } from "../../notebook/cells/kinds.ts";
import { questionsIn } from "../../notebook/cells/quiz/questions.ts";
import { useLayoutEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { hasFact, isTyped, type Cell, type TypedCell } from "../../notebook/cell.ts";
import {
  lessonSteps,
  seenAtFirst,
  type LessonStep,
  type StepCell,
} from "../../notebook/cells/lesson/steps.ts";
import { orderGiven, type Quiz } from "../../notebook/cells/quiz/quiz.ts";
import { withoutTopHeading } from "../../notebook/topHeading.ts";
import { ON_PAPER } from "../../charts/redrawQueue.ts";
import { bookDraft } from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { CellView } from "../NotebookView.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import type { OpenBook } from "../book/openBook.ts";
import type { Experiments } from "../experiments.ts";
import { Prose } from "../Prose.tsx";
import { blankAnswers } from "./blankAnswers.ts";
import { fitPages } from "./fitPages.ts";
import { handoutWords as words } from "./handoutWords.ts";
import "./handout.css";

interface HandoutProps {
  book: OpenBook;
  lesson: FieldsOf<"lesson">;
}

export function Handout({ book, lesson: { number } }: HandoutProps) {
  const title = useStore(book.store, (state) => state.title);
  const cells = useStore(book.store, (state) => bookDraft(state).cells);
  const steps = useMemo(() => printedSteps(cells), [cells]);
  const experiments = useMemo(() => recordedIn(cells), [cells]);
  const page = useRef<HTMLElement>(null);
  useLayoutEffect(() => (page.current ? fitPages(page.current) : undefined), []);
  useLayoutEffect(
    () =>
      page.current
        ? blankAnswers(page.current, questionsIn(cells.map(({ cell }) => cell)))
        : undefined,
    [cells],
  );
  return (
    <div className="handout-place">
      <div className="buttons handout-bar">
        <Button look="primary" data-testid="handout-print" onClick={() => window.print()}>
          {words.print}
        </Button>
        <span className="note">{words.hint}</span>
      </div>
      <article ref={page} className="handout" data-testid="handout" {...{ [ON_PAPER]: "" }}>
        <header>
          <h1>{words.title(number, title)}</h1>
          <p>{words.name}</p>
        </header>
        <div className="handout-steps">
          {steps.map((step, i) => (
            <PrintedStep key={i} {...{ step, book, experiments }} />
          ))}
        </div>
      </article>
    </div>
  );
}

function printedSteps(cells: readonly StepCell[]): LessonStep[] {
  const isSeen = seenAtFirst(cells.map(({ cell }) => cell));
  return lessonSteps(cells).map((step) => ({
    ...step,
    cells: step.cells.filter(({ cell }) => isSeen(cell)),
  }));
}

/** Experiments that have a run without anybody training. */
function recordedIn(cells: readonly { cell: Cell }[]): ReadonlySet<string> {
  const recorded = cells.flatMap(({ cell }) =>
    hasFact(cell, "hasRun") && /^recording:/m.test(cell.body) ? [cell.id] : [],
  );
  return new Set(recorded);
}

interface PrintedProps {
  step: LessonStep;
  book: OpenBook;
  /** Those whose figures have something to show. */
  experiments: ReadonlySet<string>;
}

function PrintedStep({ step: { kind, title, cells }, book, experiments }: PrintedProps) {
  return (
    <section>
      {title !== "" && <h2>{kind === null ? title : `${kind}: ${title}`}</h2>}
      {kind === "Train" && <p>{words.train}</p>}
      {(kind === "Train" ? cells.filter(isQuestion) : cells).map(({ key, cell }) => (
        <ErrorBoundary key={key}>
          <PrintedCell {...{ cell, book, experiments }} />
        </ErrorBoundary>
      ))}
    </section>
  );
}

/** Of a step that trains: its words are about buttons. */
const isQuestion = ({ cell }: StepCell) => hasFact(cell, "isQuestion");

type PrintedCellProps = Omit<PrintedProps, "step"> & Pick<StepCell, "cell">;

function PrintedCell({ cell, book, experiments }: PrintedCellProps) {
  const map = useStore(book.experiments, (state) => state.map);
  if (!isTyped(cell)) return <Prose markdown={withoutTopHeading(cell.markdown)} />;
  if (kindOf(cell.type).isQuestion)
    return hasBoards(cell, experiments) ? (
      <PrintedTurns cell={cell} experiments={map} />
    ) : (
      <PrintedQuestion quiz={questionsIn([cell])[0]} />
    );
  if (!isPrinted(cell, experiments)) return null;
  return (
    <div className="handout-figure">
      <CellView cell={{ ...cell, flags: [] }} experiments={map} />
    </div>
  );
}

/** Figures of what was recorded; nothing that first has to be trained, computed or opened, and no list of pages of its own. */
function isPrinted(cell: TypedCell, experiments: ReadonlySet<string>): boolean {
  const { type, of, flags, body } = cell;
  if (flags.includes("fold")) return false;
  const onPaper = kindOf(type).onPaper?.(body);
  return onPaper === "always" || (onPaper === "recorded" && of !== null && experiments.has(of));
}

/** A question about a turn of a recorded episode. */
function hasBoards({ type, of, body }: TypedCell, experiments: ReadonlySet<string>): boolean {
  return of !== null && experiments.has(of) && kindOf(type).isAbout?.(body) === true;
}

/** With the boards that it asks about, which the run has; nothing that was answered at the screen is printed. */
function PrintedTurns({ cell, experiments }: { cell: TypedCell; experiments: Experiments }) {
  return (
    <div className="handout-question handout-turns" data-testid="handout-question">
      <CellView cell={{ ...cell, flags: [] }} experiments={experiments} />
      <div className="handout-room" />
    </div>
  );
}

/** As the page shows them first: the options of an order are written in the right one. */
function optionsAsked(quiz: Quiz): readonly string[] {
  if (quiz.kind !== "order") return quiz.options;
  return orderGiven(quiz, "").map((n) => quiz.options[n - 1]!);
}

function PrintedQuestion({ quiz }: { quiz: Quiz | undefined }) {
  return (
    quiz && (
      <div className="handout-question" data-testid="handout-question">
        <Prose markdown={quiz.question} />
        {quiz.options.length > 0 && (
          <ul>
            {optionsAsked(quiz).map((option, i) => (
              <li key={i}>{option}</li>
            ))}
          </ul>
        )}
        <div className="handout-room" />
      </div>
    )
  );
}
