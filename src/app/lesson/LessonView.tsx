/** A notebook as a lesson: one step at a time, its words left, its figures right, and below them the way on. */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { lessonSteps, type StepCell, type LessonStep } from "../../notebook/lesson.ts";
import { readFields, type FieldsOf } from "../../notebook/cellFields.ts";
import { bookDraft } from "../../store/bookStore.ts";
import { isPassed } from "../../store/quizAnswers.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { CellView } from "../NotebookView.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { answersIn } from "../book/bookAnswers.ts";
import { bookAddressOf } from "../book/bookAddress.ts";
import type { OpenBook } from "../book/openBook.ts";
import { CourseNext } from "../course/CourseNext.tsx";
import { keepProgress } from "../course/progress.ts";
import { lessonPlace } from "../present/lessonPlace.ts";
import { GALLERY_HASH } from "../route.ts";
import { Warnings } from "../Warnings.tsx";
import { handoutWords } from "./handoutWords.ts";
import { keepStep, readStep } from "./place.ts";
import { words } from "./words.ts";
import "./lesson.css";

interface LessonProps {
  book: OpenBook;
  lesson: FieldsOf<"lesson">;
}

export function LessonView({ book, lesson }: LessonProps) {
  const title = useStore(book.store, (state) => state.title);
  const cells = useStore(book.store, (state) => bookDraft(state).cells);
  const remarks = useStore(book.store, (state) => state.remarks);
  const steps = useMemo(() => lessonSteps(cells), [cells]);
  const [wanted, setWanted] = useState(() => readStep(title));
  const at = Math.min(wanted, steps.length - 1);
  const heading = useRef<HTMLHeadingElement>(null);
  const isMoved = useRef(false);
  const [name] = useState(servedName);
  useEffect(() => {
    if (name !== null) keepProgress(name, at, steps.length);
  }, [name, at, steps.length]);
  const go = (to: number) => {
    isMoved.current = true;
    keepStep(title, to);
    setWanted(to);
  };
  const move = useEffectEvent(go);
  useEffect(() => {
    const titles = steps.map((step) => step.title || title);
    lessonPlace.setState({ now: { name: name ?? "", titles, at, go: (to) => move(to) } });
  }, [name, title, steps, at]);
  useEffect(() => () => lessonPlace.setState({ now: null }), []);
  useEffect(() => {
    if (!isMoved.current) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [at]);
  return (
    <article className="notebook lesson" data-testid="lesson" data-step={at + 1}>
      <LessonHead {...{ lesson, title, steps, at }} onGo={go} />
      <Warnings warnings={remarks} />
      <Step key={at} step={steps[at]!} {...{ title, book, heading }} />
      {at === steps.length - 1 && <CourseNext name={name} />}
      <LessonFoot {...{ steps, at, book }} onGo={go} />
    </article>
  );
}

/** Of a lesson that the site serves. */
function servedName(): string | null {
  const address = bookAddressOf(location.hash);
  return address.kind === "served" ? address.name : null;
}

interface StepsProps {
  steps: readonly LessonStep[];
  at: number;
  onGo: (to: number) => void;
}

interface HeadProps extends StepsProps {
  lesson: FieldsOf<"lesson">;
  title: string;
}

function LessonHead({ lesson: { number, minutes }, title, steps, at, onGo }: HeadProps) {
  return (
    <header className="lesson-head">
      <a href={GALLERY_HASH}>
        <Icon name="back" size={14} />
        {words.all}
      </a>
      <h1>{words.title(number, title)}</h1>
      <ol aria-label={words.steps}>
        {steps.map((step, i) => (
          <li key={i}>
            <Button
              look="quiet"
              aria-label={words.step(i + 1, steps.length, step.title)}
              title={words.step(i + 1, steps.length, step.title)}
              aria-current={i === at ? "step" : undefined}
              data-done={i < at}
              onClick={() => onGo(i)}
            />
          </li>
        ))}
      </ol>
      <span className="note" role="status" data-testid="lesson-left">
        {words.step(at + 1, steps.length, "")},{" "}
        {words.left((minutes * (steps.length - at)) / steps.length)}
      </span>
      <HandoutLink />
    </header>
  );
}

/** To the same lesson on paper. */
function HandoutLink() {
  const name = servedName();
  if (name === null) return null;
  return (
    <a href={`?handout#lesson/${name}`} target="_blank" rel="noopener" data-testid="to-handout">
      {handoutWords.open}
    </a>
  );
}

interface StepProps {
  step: LessonStep;
  /** The lesson's. */
  title: string;
  book: OpenBook;
  heading: React.RefObject<HTMLHeadingElement | null>;
}

/** Words and questions stand on the left; all else is a figure. */
const isRead = ({ cell: { type } }: StepCell) => type === "prose" || type === "quiz";

function Step({ step, title, book, heading }: StepProps) {
  const read = step.cells.filter(isRead);
  const figures = step.cells.filter((one) => !isRead(one));
  return (
    <section
      className="lesson-step"
      data-figures={figures.length > 0}
      data-figure="step"
      data-figure-title={step.title === "" ? title : step.title}
    >
      <div className="lesson-words">
        {step.kind !== null && <p className="lesson-kind">{step.kind}</p>}
        <h2 ref={heading} tabIndex={-1}>
          {step.title === "" ? title : step.title}
        </h2>
        <Cells cells={read.map(withoutTitle)} book={book} />
      </div>
      {figures.length > 0 && (
        <div className="lesson-figures" role="group" aria-label={words.figures}>
          <Cells cells={figures} book={book} />
        </div>
      )}
    </section>
  );
}

/** The lesson's own heading stands above the step already. */
function withoutTitle({ key, cell }: StepCell): StepCell {
  if (cell.type !== "prose") return { key, cell };
  return { key, cell: { ...cell, markdown: cell.markdown.replace(/^# .*\n?/m, "") } };
}

function Cells({ cells, book }: { cells: readonly StepCell[]; book: OpenBook }) {
  const experiments = useStore(book.experiments, ({ map }) => map);
  return cells.map(({ key, cell }) => (
    <ErrorBoundary key={key}>
      <CellView cell={cell} experiments={experiments} />
    </ErrorBoundary>
  ));
}

/** The questions of a step that wait for an answer, by their texts. */
function useOpenQuestions(book: OpenBook, { cells }: LessonStep) {
  const quizzes = cells.flatMap(({ cell }) =>
    cell.type === "quiz" && !cell.flags.includes("hide") && readFields("quiz", cell.body).value
      ? [cell.body]
      : [],
  );
  const all = answersIn(book.store);
  const answers = useStore(all.store, (state) => state.answers);
  const open = quizzes.filter((body) => !isPassed(answers.get(body)));
  return { isOpen: open.length > 0, skip: () => open.forEach((body) => all.skip(body)) };
}

interface FootProps extends StepsProps {
  book: OpenBook;
}

function LessonFoot({ steps, at, book, onGo }: FootProps) {
  const next = steps[at + 1];
  const { isOpen, skip } = useOpenQuestions(book, steps[at]!);
  return (
    <footer className="lesson-foot">
      <Button data-testid="lesson-back" disabled={at === 0} onClick={() => onGo(at - 1)}>
        {words.back}
      </Button>
      <span className="note">
        {isOpen ? words.answer : next ? words.coming(next.title) : words.end}
      </span>
      {next && (
        <Button
          {...(!isOpen && { look: "primary" })}
          data-testid="lesson-next"
          onClick={() => {
            skip();
            onGo(at + 1);
          }}
        >
          {isOpen ? words.skip : words.next}
          <Icon name="next" size={14} />
        </Button>
      )}
    </footer>
  );
}
