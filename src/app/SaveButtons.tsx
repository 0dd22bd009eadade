/** Saves the run shown, and continues training a saved or failed one. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { isBusy } from "../store/experimentStore.ts";
import { type ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { continueImport } from "../store/imports.ts";
import { isSavable } from "../store/saveRun.ts";
import { rawOf } from "../reading/log/rawRun.ts";
import { lastSave, saveFile, saveModelsFile, type Saved } from "./saveFile.ts";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";

const selectRaw = (all: ExperimentState) => {
  const { log } = all.view;
  const raw = rawOf(log);
  const unfinished = raw !== null && raw.checkpoint !== null && log.end === null;
  return {
    savable: isSavable(log),
    hasModels: raw !== null && raw.checkpoint !== null,
    resumable: unfinished && !isBusy(all) && !all.stopping,
  };
};
const selectSave = (state: { last: Saved }) => state.last;

export function SaveButtons() {
  const experiment = useExperiment();
  const { savable, hasModels, resumable } = useStore(experiment.store, useShallow(selectRaw));
  const last = useStore(lastSave, selectSave);
  return (
    <>
      {resumable && (
        <Button data-testid="continue-run" onClick={() => continueImport(experiment)}>
          {appWords.continueRun}
        </Button>
      )}
      <Button
        data-testid="save-run"
        disabled={!savable || last?.state === "saving"}
        title={appWords.saveHint}
        onClick={() => void saveFile(experiment)}
      >
        {last?.state === "saving" ? appWords.saving : appWords.saveRun}
      </Button>
      {hasModels && (
        <Button
          data-testid="save-models"
          disabled={last?.state === "saving"}
          title={appWords.saveModelsHint}
          onClick={() => void saveModelsFile(experiment)}
        >
          {appWords.saveModels}
        </Button>
      )}
    </>
  );
}

export function SaveResult() {
  const last = useStore(lastSave, selectSave);
  if (!last || last.state === "saving") return null;
  return (
    <p className="copy-result" role="status" data-testid="saved" data-state={last.state}>
      {appWords.notSaved(last.what)}
    </p>
  );
}
