/** A notebook to read: its cells, each with the experiment it is or depends on. */
import {
  memo,
  useMemo,
  useRef,
  useEffect,
  useState,
  use,
  type RefObject,
  type ReactNode,
} from "react";
import { isTyped, nameOfCell, cellsWith, type Cell } from "../notebook/cell.ts";
import { bookDraft, bookCells, type BookState, type BookStore } from "../store/bookStore.ts";
import { CellContent } from "./book/CellContent.tsx";
import type { OpenBook } from "./book/openBook.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import type { Experiments } from "./experiments.ts";
import { Prose } from "./Prose.tsx";
import { Folded } from "../ui/Folded.tsx";
import { Warnings } from "./Warnings.tsx";
import { headingsOf } from "../notebook/headings.ts";
import { appWords } from "./strings.ts";
import { useStore } from "zustand";
import { isPassed } from "../store/quizAnswers.ts";
import { Button } from "../ui/Button.tsx";
import { answersIn } from "./book/bookAnswers.ts";
import { BookContext } from "./book/useBook.ts";
import { words } from "./book/words.ts";

interface ContentsProps {
  cells: readonly Cell[];
  /** What they are the headings of. */
  article: RefObject<HTMLElement | null>;
}

/** Nothing for a text that one overlooks anyway. */
const FEWEST = 2;

/** The notebook's headings beside its text, in view as long as one reads; where the window is wide enough. */
function Contents({ cells, article }: ContentsProps) {
  const titles = useMemo(() => headingsOf(cells), [cells]);
  const now = useReading(article, titles);
  if (titles.length < FEWEST) return null;
  return (
    <nav className="reading-contents" aria-label={appWords.contents} data-testid="contents">
      <ol>
        {titles.map((title, i) => (
          <li key={i}>
            <Button
              aria-current={i === now ? "true" : undefined}
              onClick={() => goTo(headingIn(article.current, titles, i))}
            >
              {title}
            </Button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** As it stands in the page; the text may not be there yet. */
function headingIn(
  article: HTMLElement | null,
  titles: readonly string[],
  at: number,
): HTMLElement | null {
  const all = [...(article?.querySelectorAll<HTMLElement>(".prose h2") ?? [])];
  if (all.length === titles.length) return all[at] ?? null;
  return all.find(({ textContent }) => textContent === titles[at]) ?? null;
}

/** The focus moves, too, so that Tab continues from there. */
function goTo(heading: HTMLElement | null): void {
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

/** Share of the window's height above which a heading's text is what one reads. */
const READ = 0.4;

/** Place of the heading whose text is read; -1 above the first. */
function useReading(article: RefObject<HTMLElement | null>, titles: readonly string[]): number {
  const [now, setNow] = useState(-1);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const line = window.innerHeight * READ;
      const above = titles.map((_, i) => headingIn(article.current, titles, i));
      setNow(above.findLastIndex((one) => one && one.getBoundingClientRect().top < line));
    };
    const later = () => void (frame ||= requestAnimationFrame(look));
    later();
    window.addEventListener("scroll", later, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", later);
    };
  }, [article, titles]);
  return now;
}

export const NotebookView = memo(function NotebookView({ book }: { book: OpenBook }) {
  const cells = useStore(book.store, (state) => bookDraft(state).cells);
  const remarks = useStore(book.store, (state) => state.remarks);
  const experiments = useStore(book.experiments, ({ map }) => map);
  const article = useRef<HTMLElement>(null);
  const read = useMemo(() => cells.map(({ cell }) => cell), [cells]);
  return (
    <article ref={article} className="notebook reading">
      <Warnings warnings={remarks} />
      {cells.map(({ key, cell }) => (
        <ErrorBoundary key={key}>
          <CellView cell={cell} experiments={experiments} />
        </ErrorBoundary>
      ))}
      <Contents cells={read} article={article} />
    </article>
  );
});

export const CellView = memo(function CellView({
  cell,
  experiments,
}: {
  cell: Cell;
  experiments: Experiments;
}) {
  return (
    <AfterQuestion id={cell.after}>
      <Shown cell={cell} experiments={experiments} />
    </AfterQuestion>
  );
});

function Shown({ cell, experiments }: { cell: Cell; experiments: Experiments }) {
  if (!isTyped(cell)) return <Prose markdown={cell.markdown} />;
  if (cell.flags.includes("hide")) return null;
  const content = <CellContent cell={cell} experiments={experiments} />;
  if (!cell.flags.includes("fold")) return content;
  return <Folded title={nameOfCell(cell)}>{content}</Folded>;
}

interface AfterQuestionProps {
  /** Its id; what waits for none of the notebook's is shown. */
  id: string | undefined;
  children: ReactNode;
}

/** What waits for a question: a place in which it is shown once that was answered or skipped. */
function AfterQuestion({ id, children }: AfterQuestionProps) {
  const store = use(BookContext)?.store;
  if (id === undefined || !store) return children;
  return (
    <Waiting id={id} store={store}>
      {children}
    </Waiting>
  );
}

/** The text of a question, by which its answer is stored; null if there is no such question. */
function bodyOf(state: BookState, id: string): string | null {
  const questions = cellsWith(bookCells(state), "isQuestion");
  return questions.find((one) => one.id === id)?.body ?? null;
}

function Waiting({ id, store, children }: { id: string; store: BookStore; children: ReactNode }) {
  const body = useStore(store, (state) => bodyOf(state, id));
  const answers = answersIn(store);
  const passed = useStore(
    answers.store,
    (state) => body === null || isPassed(state.answers.get(body)),
  );
  if (passed || body === null) return children;
  return (
    <p className="note cell-waits" data-testid="cell-waits">
      {words.waits}{" "}
      <Button look="quiet" onClick={() => answers.skip(body)}>
        {words.skipQuestion}
      </Button>
    </p>
  );
}
