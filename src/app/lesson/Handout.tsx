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
import { orderGiven, type Quiz } from "../../notebook/quiz.ts";
import { withoutTopHeading } from "../../notebook/topHeading.ts";
import { ON_PAPER } from "../../charts/redrawQueue.ts";
import { bookDraft } from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { CellView } from "../NotebookView.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import type { OpenBook } from "../book/openBook.ts";
import type { Experiments } from "../experiments.ts";
import { Prose } from "../Prose.tsx";
import { handoutWords as words } from "./handoutWords.ts";
import "./handout.css";
import { greatest } from "../../numeric/lists.ts";

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
        <Button
          look="primary"
          data-testid="handout-print"
          onClick={() => void printWhole(page.current)}
        >
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
  if (hasFact(cell, "isCode") && !cell.flags.includes("fold"))
    return <pre className="handout-code">{cell.body}</pre>;
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

/** Leaves empty on paper what a lesson asks for: a recorded run's figure knows the numbers that its questions want. */
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

/** CSS pixels of A4 within the margins that styles/print.css gives it: 186 by 269 mm. */
const SHEET = { width: 703, height: 1016 };

const FEWEST = 2;

const MOST_SHEETS = 4;

/** Share of the sheets that is filled. */
const FILLED = 0.95;

/** What is never cut by the end of a sheet. */
const WHOLE = ".handout-figure, .handout-question";

/** What has not come yet. */
const WAITING = ".prose-waiting, .maths-waiting, .empty, [aria-busy=true]";

/** Milliseconds after which it is printed as it is: a run that cannot be loaded never comes. */
const LONGEST_WAIT = 15_000;

async function printWhole(page: HTMLElement | null): Promise<void> {
  const end = performance.now() + LONGEST_WAIT;
  while (page?.querySelector(WAITING) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 100));
  window.print();
}

const MOST_FITS = 4;

const FIGURE = ".handout-figure";

const STEP = 0.03;

/** Below it words are too small to read: a further sheet is taken first. */
const READABLE = 0.75;

const SMALLEST = 0.3;

/** Follows what it holds, since figures come later than words; returns what ends that. */
function fitPages(page: HTMLElement): () => void {
  let scale = 1;
  let sheets = FEWEST;
  let [waiting, fits] = [0, 0];
  const fit = () => {
    const now = page.querySelectorAll(WAITING).length;
    fits = now === waiting ? fits + 1 : 0;
    waiting = now;
    // Charts that redraw themselves for a new width may grow by it: after some fits it only becomes smaller.
    if (fits < MOST_FITS) scale = 1;
    sheets = Math.max(sheets, sheetsFor(needed(page, READABLE)));
    while (scale > SMALLEST && needed(page, scale) > sheets * SHEET.height * FILLED) scale -= STEP;
  };
  fit();
  const observer = new ResizeObserver(fit);
  for (const part of page.children) observer.observe(part);
  return () => observer.disconnect();
}

/** As many as fit with readable words, up to the number allowed. */
function sheetsFor(height: number): number {
  return Math.min(MOST_SHEETS, Math.ceil(height / (SHEET.height * FILLED)));
}

/** In pixels of the sheet: all that it holds, and the gap that the tallest part leaves where it would be cut. */
function needed(page: HTMLElement, scale: number): number {
  page.style.width = `${SHEET.width / scale}px`;
  page.style.setProperty("zoom", scale.toFixed(2));
  for (const figure of page.querySelectorAll<HTMLElement>(FIGURE)) spread(figure);
  const heightOf = (one: Element) => one.getBoundingClientRect().height;
  return heightOf(page) + greatest([0, ...[...page.querySelectorAll(WHOLE)].map(heightOf)]);
}

/** Share of its room from which a part counts as cut; below it numbers are only rounded. */
const CUT = 1.01;

/** What keeps its width: charts take the one that they are given. */
const STIFF = "table, .table-scroll, .ribbon-box, .grid-box, .tokens-box";

/** Over both columns where one would cut it; smaller where both would: else the browser shrinks all sheets. */
function spread(figure: HTMLElement): void {
  delete figure.dataset["wide"];
  figure.style.removeProperty("zoom");
  const boxes = [...figure.querySelectorAll(STIFF)].filter(({ clientWidth }) => clientWidth > 0);
  const share = () =>
    greatest([1, ...boxes.map(({ scrollWidth, clientWidth }) => scrollWidth / clientWidth)]);
  if (share() < CUT) return;
  figure.dataset["wide"] = "";
  const still = share();
  if (still < CUT) return;
  const zoom = Number(getComputedStyle(figure).zoom);
  figure.style.setProperty("zoom", (zoom / still).toFixed(2));
}
