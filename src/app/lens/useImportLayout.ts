/** A run from a file opens the lens in the layout that fits the file's content. */
import { useEffect } from "react";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { ExperimentStore } from "../../store/experimentState.ts";
import { layoutNow, setLens, withLayout } from "../../store/lens.ts";
import type { LayoutName } from "../../store/layouts.ts";

/** Episodes with values can be explained, without them read; a file of curves shows the run's health. */
function layoutFor(log: RunLog): LayoutName {
  const episodes = log.algorithms.flatMap((name) => {
    const last = log.iterations(name).at(-1);
    return last === undefined ? [] : log.episodes(name, last);
  });
  if (episodes.length === 0) return "health";
  const valued = episodes.some(({ turns }) => turns.some(({ value }) => Number.isFinite(value)));
  return valued ? "why" : "logs";
}

export function useImportLayout(store: ExperimentStore | undefined): void {
  useEffect(
    () =>
      store?.subscribe(({ view, lens }, before) => {
        const isNew = view.origin === "imported" && before.view.log !== view.log;
        // A custom arrangement stays.
        if (!isNew || layoutNow(lens) === null) return;
        setLens(store, (now) => withLayout(now, layoutFor(view.log)));
      }),
    [store],
  );
}
