/** The browser asks before the page is left if a run that took a while would be lost. */
import { runShelf } from "../store/runs.ts";
import { wouldBeLost } from "../store/unsaved.ts";
import type { ExperimentHandle } from "../store/hooks.ts";

/** The part of `window` that is used. */
type Page = Pick<Window, "addEventListener" | "removeEventListener">;

/** Returns the function that stops it. */
export function guardLeaving(
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
