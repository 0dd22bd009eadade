/** Which notebook the address names, and how far it is on its way. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { BookState } from "../../store/bookStore.ts";
import { opened } from "../../store/runQueue.ts";
import type { Experiments } from "../experiments.ts";
import { routeOf, useHash } from "../route.ts";
import { bookAddressOf, bookHash, type RemoteAddress } from "./bookAddress.ts";
import type { Library } from "./library.ts";
import { NotFetched, type OpenBook } from "./openBook.ts";
import { runShelf } from "../../store/runs.ts";
import { wouldBeLost } from "../../store/unsaved.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";

export type Loading =
  | { state: "loading" }
  | { state: "failed"; message: string }
  | { state: "remote"; address: RemoteAddress; give: (text: string) => void }
  | { state: "open"; book: OpenBook; title: string; experiments: Experiments };

/** The notebook that the address names; views that belong to none leave the last one open. */
export function useNotebook(library: Library): [Loading, retry: () => void] {
  const hash = useHash();
  const isBook = ["notebook", "lens"].includes(routeOf(hash));
  const [key, setKey] = useState(() => bookHash(bookAddressOf(hash)));
  const wanted = isBook ? bookHash(bookAddressOf(hash)) : key;
  if (wanted !== key) setKey(wanted);
  const [found, setFound] = useState<FoundBook>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    library.open(bookAddressOf(wanted)).then(
      (book) => current && setFound({ key: wanted, book, message: null, fetched: true }),
      (error: unknown) => {
        const fetched = !(error instanceof NotFetched);
        const message = fetched ? (error as Error).message : null;
        if (current) setFound({ key: wanted, book: null, message, fetched });
      },
    );
    return () => void (current = false);
  }, [library, wanted, attempt]);
  useEffect(() => guardLeaving(opened), []);
  const here = found.key === wanted ? found : null;
  const seen = useSeen(here?.book ?? null);
  const retry = () => setAttempt((n) => n + 1);
  if (here?.message != null) return [{ state: "failed", message: here.message }, retry];
  const address = bookAddressOf(wanted);
  if (here?.fetched === false && address.kind === "remote") {
    const give = (text: string) => {
      library.give(address, text);
      retry();
    };
    return [{ state: "remote", address, give }, retry];
  }
  return [
    here?.book && seen ? { state: "open", book: here.book, ...seen } : { state: "loading" },
    retry,
  ];
}

interface FoundBook {
  key: string;
  book: OpenBook | null;
  message: string | null;
  /** False of another site's that waits for the reader. */
  fetched: boolean;
}

const NOTHING: FoundBook = { key: "", book: null, message: null, fetched: true };

const NO_EXPERIMENTS = createStore<{ map: Experiments }>(() => ({ map: new Map() }));
const NO_TITLE = createStore<Pick<BookState, "title">>(() => ({ title: "" }));

function useSeen(book: OpenBook | null): { title: string; experiments: Experiments } | null {
  const title = useStore(book?.store ?? NO_TITLE, (state) => state.title);
  const experiments = useStore(book?.experiments ?? NO_EXPERIMENTS, ({ map }) => map);
  return book && { title, experiments };
}

/** The part of `window` that is used. */
type Page = Pick<Window, "addEventListener" | "removeEventListener">;

/** Returns the function that stops it. */
function guardLeaving(
  experiments: Pick<ReadonlySet<ExperimentHandle>, "values">,
  page: Page = window,
): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    const live = [...experiments.values()].some(({ session }) => session.lostWithPage);
    const kept = runShelf.getState().runs.some(({ log }) => wouldBeLost(log));
    if (live || kept) event.preventDefault();
  };
  page.addEventListener("beforeunload", ask);
  return () => page.removeEventListener("beforeunload", ask);
}
