/** The button that runs what the form says now, in place of a run with other settings. */
import { useStore } from "zustand";
import { isOutOfDate } from "../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../store/hooks.ts";
import { runAsWritten, runQueue } from "../store/runQueue.ts";
import { Button } from "../ui/Button.tsx";
import { appWords } from "./strings.ts";

/** Nothing where the run is of what the form says, or waits for its turn already. */
export function RunAnew() {
  const experiment = useExperiment();
  const isDue = useExperimentState(isOutOfDate);
  const isStopping = useExperimentState(({ stopping }) => stopping);
  const isUnusable = useExperimentState(({ draft }) => Object.keys(draft.pending).length > 0);
  const waits = useStore(runQueue, ({ waiting }) =>
    waiting.some(({ store }) => store === experiment.store),
  );
  if (!isDue || waits) return null;
  return (
    <Button
      data-testid="run-anew"
      disabled={isStopping || isUnusable}
      onClick={() => runAsWritten(experiment)}
    >
      {appWords.runAnew}
    </Button>
  );
}
