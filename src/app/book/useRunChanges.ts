/** For parts of the page that show which cells have run. */
import { useEffect, useReducer } from "react";
import { useStore } from "zustand";
import { bookDraft } from "../../store/bookStore.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { sweepsOf } from "./cells/sweep/bookSweeps.ts";
import type { OpenBook } from "./openBook.ts";

type Seen = Pick<ExperimentState, "state" | "runSpec" | "draft">;

const isOther = (now: Seen, before: Seen) =>
  now.state !== before.state ||
  now.runSpec !== before.runSpec ||
  now.draft.spec !== before.draft.spec;

/** Redraws whenever what is left to run changes; a run's numbers do not matter. */
export function useRunChanges(book: OpenBook): void {
  const [, again] = useReducer((n: number) => n + 1, 0);
  const cells = useStore(book.store, (state) => bookDraft(state).cells);
  const isForeign = useStore(book.store, (state) => state.isForeign);
  const experiments = useStore(book.experiments, ({ map }) => map);
  useStore(book.code.store, ({ views }) => views);
  useEffect(() => {
    const ends = [...experiments.values()].map(({ store }) =>
      store.subscribe((now, before) => isOther(now, before) && again()),
    );
    for (const { sweep } of sweepsOf(book)) ends.push(sweep.store.subscribe(again));
    return () => ends.forEach((end) => end());
  }, [book, cells, experiments, isForeign]);
}
