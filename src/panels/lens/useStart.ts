/** The lens's start place while nobody has chosen one: an episode with a turn after its first. */
import { useEffect } from "react";
import type { ExperimentStore } from "../../store/experimentState.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { LATEST, startChoice, type TurnChoice } from "../../store/turnChoice.ts";

export function useStart(store: ExperimentStore | undefined): void {
  useEffect(() => {
    if (!store) return;
    // The place found, and its run: in another run it is looked for again.
    let found: { choice: TurnChoice; log: RunLog } | null = null;
    const start = () => {
      const { choice, view } = store.getState();
      const isStale = choice === found?.choice && view.log !== found.log;
      if (choice !== LATEST && !isStale) return;
      found = { choice: startChoice(view.log), log: view.log };
      if (found.choice !== choice) store.setState({ choice: found.choice });
    };
    start();
    // A recording or a file may arrive later than the page.
    return store.subscribe((now, before) => {
      if (now.view !== before.view) start();
    });
  }, [store]);
}
