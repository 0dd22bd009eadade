/** What waits for a question: a place in which it is shown once that was answered or skipped. */
import { cellsWith } from "../../notebook/cell.ts";
import { use, type ReactNode } from "react";
import { useStore } from "zustand";
import { bookCells, type BookState, type BookStore } from "../../store/bookStore.ts";
import { isPassed } from "../../store/quizAnswers.ts";
import { Button } from "../../ui/Button.tsx";
import { answersIn } from "./bookAnswers.ts";
import { BookContext } from "./useBook.ts";
import { words } from "./words.ts";

interface AfterQuestionProps {
  /** Its id; what waits for none of the notebook's is shown. */
  id: string | undefined;
  children: ReactNode;
}

export function AfterQuestion({ id, children }: AfterQuestionProps) {
  const store = use(BookContext)?.store;
  if (id === undefined || !store) return children;
  return (
    <Waiting id={id} store={store}>
      {children}
    </Waiting>
  );
}

/** The text of a question, by which its answer is kept; null where there is no such question. */
function bodyOf(state: BookState, id: string): string | null {
  const questions = cellsWith(bookCells(state), "isQuestion");
  return questions.find((one) => one.id === id)?.body ?? null;
}

interface WaitingProps {
  id: string;
  store: BookStore;
  children: ReactNode;
}

function Waiting({ id, store, children }: WaitingProps) {
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
