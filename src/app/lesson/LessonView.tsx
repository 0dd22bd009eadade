/** A notebook as a lesson: one step at a time, its words left, its figures right, and below them the way on. */
import { hasFact, isTyped } from "../../notebook/cell.ts";
import { questionsIn } from "../../notebook/cells/quiz/questions.ts";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import {
  lessonSteps,
  withoutTitle,
  type StepCell,
  type LessonStep,
} from "../../notebook/cells/lesson/steps.ts";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { bookDraft } from "../../store/bookStore.ts";
import { isPassed } from "../../store/quizAnswers.ts";
import { CellView } from "../NotebookView.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { answersIn } from "../book/bookAnswers.ts";
import { bookAddressOf, experimentInAddress, bookHash } from "../book/bookAddress.ts";
import type { OpenBook } from "../book/openBook.ts";
import { keepProgress } from "../course/progress.ts";
import { lessonPlace } from "../present/lessonPlace.ts";
import { Warnings } from "../Warnings.tsx";
import { lessonCover } from "./lessonCover.tsx";
import { LessonFoot, LessonHead, StepPlace } from "./LessonParts.tsx";
import { keepStep, readStep } from "./place.ts";
import "../course/course.css";
import "./lesson.css";
import { Icon } from "../../ui/Icon.tsx";
import { COURSE, neighboursOf } from "../course/course.ts";
import { readLesson } from "../course/lessonFile.ts";
import { useNotebookTexts } from "../course/useNotebookTexts.ts";
import { words } from "../course/words.ts";
import "../course/course.css";

export function LessonView({ book, lesson }: { book: OpenBook; lesson: FieldsOf<"lesson"> }) {
  const title = useStore(book.store, (state) => state.title);
  const cells = useStore(book.store, (state) => bookDraft(state).cells);
  const remarks = useStore(book.store, (state) => state.remarks);
  const steps = useMemo(() => lessonSteps(cells), [cells]);
  const [wanted, setWanted] = useState(() => stepInAddress(steps) ?? readStep(title));
  const at = Math.min(wanted, steps.length - 1);
  const heading = useRef<HTMLHeadingElement>(null);
  const isMoved = useRef(false);
  const [name] = useState(servedName);
  useEffect(() => {
    if (name !== null) keepProgress(name, at, steps.length);
  }, [name, at, steps.length]);
  const { isOpen, skip } = useOpenQuestions(book, steps[at]!);
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
      <LessonHead {...{ lesson, title, name, steps, at }} onGo={go} />
      <Warnings warnings={remarks} />
      <Step key={at} {...{ steps, at, title, book, heading }} />
      {at === steps.length - 1 && <CourseNext name={name} />}
      <LessonFoot
        {...{ steps, at, isOpen }}
        onGo={(to) => {
          if (to > at) skip();
          go(to);
        }}
      />
    </article>
  );
}

/** The step with the experiment that the address names; null where it names none, or one that is folded away. */
function stepInAddress(steps: readonly LessonStep[]): number | null {
  const named = experimentInAddress(location.hash);
  const isIt = ({ cell }: StepCell) =>
    hasFact(cell, "hasRun") && cell.id === named && !cell.flags.includes("fold");
  const at = steps.findIndex(({ cells }) => cells.some(isIt));
  return at < 0 ? null : at;
}

/** Of a lesson that the site serves. */
function servedName(): string | null {
  const address = bookAddressOf(location.hash);
  return address.kind === "served" ? address.name : null;
}

interface StepProps {
  steps: readonly LessonStep[];
  at: number;
  /** The lesson's. */
  title: string;
  book: OpenBook;
  heading: React.RefObject<HTMLHeadingElement | null>;
}

/** Words and questions stand on the left; all else is a figure. */
const isRead = ({ cell }: StepCell) => !isTyped(cell) || hasFact(cell, "isQuestion");

function Step({ steps, at, title, book, heading }: StepProps) {
  const step = steps[at]!;
  const figures = step.cells.filter((one) => !isRead(one));
  const cover = at === 0 ? lessonCover(title, steps) : null;
  return (
    <StepPlace
      {...{ step, title, heading }}
      figures={figures.length > 0 ? <Cells cells={figures} book={book} /> : cover}
    >
      <Cells cells={step.cells.filter(isRead).map(withoutTitle)} book={book} />
    </StepPlace>
  );
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
  const questions = questionsIn(cells.map(({ cell }) => cell));
  const quizzes = questions.flatMap(({ isHidden, body }) => (isHidden ? [] : [body]));
  const all = answersIn(book.store);
  const answers = useStore(all.store, (state) => state.answers);
  const open = quizzes.filter((body) => !isPassed(answers.get(body)));
  return { isOpen: open.length > 0, skip: () => open.forEach((body) => all.skip(body)) };
}

/** @param name of the lesson; null of a notebook that is not the site's. */
function CourseNext({ name }: { name: string | null }) {
  const { before, after } = neighboursOf(name);
  const names = useMemo(() => [before, after].filter((one) => one !== null), [before, after]);
  const texts = useNotebookTexts(names);
  const link = (to: string | null, say: (title: string) => string) => {
    const text = to === null ? undefined : texts.get(to);
    if (to === null || text === undefined) return null;
    return (
      <a href={bookHash({ kind: "served", name: to })} data-testid={`course-${to}`}>
        {say(words.card(COURSE.indexOf(to), readLesson(text).title))}
      </a>
    );
  };
  if (names.length === 0) return null;
  return (
    <nav className="course-next" aria-label={words.course}>
      {link(before, words.previous)}
      <span />
      {link(after, words.next)}
      {after !== null && texts.has(after) && <Icon name="next" size={14} />}
    </nav>
  );
}
