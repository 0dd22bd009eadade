/** A notebook: to read, or to write where it is the reader's own. */
import { useMemo, useState, useEffect } from "react";
import { useStore } from "zustand";
import { lessonOf } from "../../notebook/cells/lesson/steps.ts";
import { bookDraft } from "../../store/bookStore.ts";
import { runQueue } from "../../store/runQueue.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { QUIZ } from "../course/course.ts";
import { asksForHandout } from "../lesson/handoutWords.ts";
import { NotebookView } from "../NotebookView.tsx";
import { appWords } from "../strings.ts";
import { bookHash, bookPart, bookAddressOf } from "./bookAddress.ts";
import { QueueList } from "./QueueBar.tsx";
import { BookContext } from "./useBook.ts";
import type { KeptNotebook } from "../../runtime/shelf/notebooks.ts";
import { Button } from "../../ui/Button.tsx";
import { useHash } from "../route.ts";
import { localVersion, type OpenBook } from "./openBook.ts";
import { words as all } from "./words.ts";

/** Of notebooks of the reader's own alone. */
const BookBar = lazyPart("BookBar", () => import("./BookBar.tsx"), appWords.loading);
const EditView = lazyPart("EditView", () => import("./EditView.tsx"), appWords.loading);

const LessonView = lazyPart(
  "LessonView",
  () => import("../lesson/LessonView.tsx"),
  appWords.loading,
);

const CourseQuiz = lazyPart(
  "CourseQuiz",
  () => import("../course/CourseQuiz.tsx"),
  appWords.loading,
);

const Handout = lazyPart("Handout", () => import("../lesson/Handout.tsx"), appWords.loading);

const QUIZ_ADDRESS = { kind: "served", name: QUIZ } as const;

const BY_LINK = ["text", "remote"];

export function BookPage({ book }: { book: OpenBook }) {
  const id = useStore(book.store, (state) => state.id);
  // The site's own lessons are not shared links. One whose code the reader allowed is one still.
  const { kind } = bookAddressOf(useHash());
  const isForeign = useStore(book.store, (state) => state.isForeign);
  const cameByLink = id === null && (isForeign || BY_LINK.includes(kind));
  const mode = useStore(book.store, (state) => state.mode);
  const cells = useStore(book.store, (state) => bookDraft(state).cells);
  const experiments = useStore(book.experiments, ({ map }) => map);
  const waits = useStore(runQueue, ({ waiting }) => waiting.length > 0);
  const [isQuiz] = useState(() => bookPart(location.hash) === bookHash(QUIZ_ADDRESS));
  const lesson = useMemo(() => lessonOf(cells.map(({ cell }) => cell)), [cells]);
  return (
    <BookContext value={book}>
      {id !== null && <BookBar book={book} />}
      {cameByLink && <LocalVersion book={book} />}
      {/* A lesson trains one experiment at a time, shown in its cell, unless another is queued before it. */}
      {(mode === "edit" || !lesson || waits) && <QueueList experiments={experiments} />}
      {mode === "edit" ? (
        <EditView book={book} />
      ) : isQuiz ? (
        <CourseQuiz book={book} />
      ) : lesson && asksForHandout() ? (
        <Handout book={book} lesson={lesson} />
      ) : lesson ? (
        <LessonView book={book} lesson={lesson} />
      ) : (
        <NotebookView book={book} />
      )}
    </BookContext>
  );
}

const words = all.local;

/** Of a notebook that came by a link: whether the reader keeps a copy of it, which the link leaves alone, and the way to make one. */
function LocalVersion({ book }: { book: OpenBook }) {
  const key = bookHash(bookAddressOf(useHash()));
  const [found, setFound] = useState<{ key: string; kept: KeptNotebook | null } | null>(null);
  useEffect(() => {
    let current = true;
    void localVersion(book, bookAddressOf(key)).then((kept) => current && setFound({ key, kept }));
    return () => void (current = false);
  }, [book, key]);
  if (found?.key !== key) return null;
  const { kept } = found;
  return (
    <p
      className={kept ? "notice notice-stale" : "notice"}
      role="status"
      data-testid={kept ? "local-version" : "not-mine"}
    >
      {kept ? <OwnCopy kept={kept} /> : words.none}{" "}
      <CopyButton book={book} source={key}>
        {kept ? words.another : words.keep}
      </CopyButton>
    </p>
  );
}

function OwnCopy({ kept: { id, changed } }: { kept: KeptNotebook }) {
  return (
    <>
      {words.have(new Date(changed).toLocaleString(undefined, SHORT))}{" "}
      <a href={bookHash({ kind: "own", id })} data-testid="open-local">
        {words.open}
      </a>
    </>
  );
}

interface CopyButtonProps {
  book: OpenBook;
  /** Address of the notebook. */
  source: string;
  children: string;
}

function CopyButton({ book, source, children }: CopyButtonProps) {
  const [busy, setBusy] = useState(false);
  const copy = async () => {
    setBusy(true);
    const { keepCopy } = await import("./duplicateBook.ts");
    location.hash = await keepCopy(book, bookAddressOf(source));
    setBusy(false);
  };
  return (
    <Button disabled={busy} data-testid="keep-copy" onClick={() => void copy()}>
      {children}
    </Button>
  );
}

const SHORT = { dateStyle: "medium", timeStyle: "short" } as const;
