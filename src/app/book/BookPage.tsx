/** A notebook: to read, or to write where it is the reader's own. */
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { lessonOf } from "../../notebook/cells/lesson/steps.ts";
import { bookDraft } from "../../store/bookStore.ts";
import { runQueue } from "../../store/runQueue.ts";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { QUIZ } from "../course/course.ts";
import { asksForHandout } from "../lesson/handoutWords.ts";
import { NotebookView } from "../NotebookView.tsx";
import { appWords } from "../strings.ts";
import { bookHash, bookPart } from "./bookAddress.ts";
import { LocalVersion } from "./LocalVersion.tsx";
import type { OpenBook } from "./openBook.ts";
import { QueueList } from "./QueueBar.tsx";
import { BookContext } from "./useBook.ts";

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

export function BookPage({ book }: { book: OpenBook }) {
  const id = useStore(book.store, (state) => state.id);
  // The site's own lessons are no links of somebody's.
  const cameByLink = useStore(book.store, (state) => state.id === null && state.isForeign);
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
      {/* A lesson trains one at a time, each where it stands, unless another is ahead. */}
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
