/** Run and Pause without the run bar: below a figure shown alone, for the run it shows. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { showsAnotherRun } from "../../store/anotherRun.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import { toggleInTurn } from "../../store/runQueue.ts";
import { iterationShown } from "../../store/turnChoice.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { words } from "./words.ts";

const selectRun = ({ state, view, own, draft, choice }: ExperimentState) => ({
  state,
  origin: view.origin,
  other: showsAnotherRun({ view, own, draft }),
  iteration: iterationShown(view, choice),
  total: view.log.start?.spec.optimisation.iterations ?? view.log.finishedIterations,
});

interface FigureRunProps {
  experiment: ExperimentHandle;
  /** False: what is shown is only named. */
  runs?: boolean | undefined;
}

/** A run continues during a presentation. */
export function FigureRun({ experiment, runs = true }: FigureRunProps) {
  const { store } = experiment;
  const { state, origin, other, iteration, total } = useStore(store, useShallow(selectRun));
  const running = state === "running";
  return (
    <div className="present-run" data-state={state}>
      {runs && (
        <Button disabled={state === "loading"} onClick={() => toggleInTurn(experiment)}>
          <Icon name={running ? "pause" : "play"} />
          {running ? words.pause : words.run}
        </Button>
      )}
      {origin !== "none" && (
        <Badge testId="present-state">
          {other ? words.other : words[origin]}
          {total > 0 && `, ${words.iteration(iteration, total)}`}
        </Badge>
      )}
    </div>
  );
}
