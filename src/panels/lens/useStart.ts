/** Where the lens starts while nobody has chosen a place: an episode that has a turn after its first. */
import { useEffect } from "react";
import type { ExperimentStore } from "../../store/experimentStore.ts";
import { LATEST, startChoice } from "../../store/turnChoice.ts";

export function useStart(store: ExperimentStore | undefined): void {
  useEffect(() => {
    if (!store) return;
    const start = () => {
      const { choice, view } = store.getState();
      if (choice === LATEST) store.setState({ choice: startChoice(view.log) });
    };
    start();
    // A recording or a file may come later than the page.
    return store.subscribe((now, before) => {
      if (now.view !== before.view) start();
    });
  }, [store]);
}
