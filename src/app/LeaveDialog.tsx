/** Asks before dropping an unsaved run that took a while. */
import { useStore } from "zustand";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { Confirm } from "../ui/Confirm.tsx";
import { saveFile } from "./saveFile.ts";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";

const words = appWords.leaving;
const selectLeaving = (state: ExperimentState) => state.leaving;

/** Whether the browser stores the live run. */
const selectKept = ({ place, notKept }: ExperimentState) => place !== null && notKept === null;

function aboutOf(leaving: ExperimentState["leaving"], isKept: boolean): string {
  if (leaving === "run") return isKept ? words.runKept : words.run;
  return isKept ? words.resetKept : words.reset;
}

export function LeaveDialog() {
  const experiment = useExperiment();
  const { store, session } = experiment;
  const leaving = useStore(store, selectLeaving);
  const isKept = useStore(store, selectKept);
  return (
    <Confirm
      open={leaving !== null}
      onKeep={() => session.decide(false)}
      title={words.title}
      about={aboutOf(leaving, isKept)}
      keep={words.keep}
      testId="leave-dialog"
    >
      <Button
        onClick={() => {
          session.decide(false);
          void saveFile(experiment);
        }}
      >
        {words.save}
      </Button>
      <Button data-testid="leave-drop" onClick={() => session.decide(true)}>
        {leaving === "run" ? words.dropRun : words.dropReset}
      </Button>
    </Confirm>
  );
}
