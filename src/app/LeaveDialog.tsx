/** Asks before a run that took a while and has not been saved is dropped. */
import { useRef } from "react";
import { AlertDialog } from "radix-ui";
import { useStore } from "zustand";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { saveFile } from "./saveFile.ts";
import { appWords } from "./strings.ts";

const words = appWords.leaving;
const selectLeaving = (state: ExperimentState) => state.leaving;

export function LeaveDialog() {
  const experiment = useExperiment();
  const { store, session } = experiment;
  const leaving = useStore(store, selectLeaving);
  const before = useRef<Element | null>(null);
  return (
    <AlertDialog.Root
      open={leaving !== null}
      onOpenChange={(open) => open || session.decide(false)}
    >
      <AlertDialog.Portal>
        <div className="overlay" />
        <AlertDialog.Content
          className="dialog"
          data-testid="leave-dialog"
          onOpenAutoFocus={() => (before.current = document.activeElement)}
          onCloseAutoFocus={(event) => {
            // A key may have opened it: Radix knows of no button to go back to.
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
        >
          <AlertDialog.Title>{words.title}</AlertDialog.Title>
          <AlertDialog.Description>
            {leaving === "run" ? words.run : words.reset}
          </AlertDialog.Description>
          <div className="buttons">
            <AlertDialog.Cancel asChild>
              <button type="button">{words.keep}</button>
            </AlertDialog.Cancel>
            <button
              type="button"
              onClick={() => {
                session.decide(false);
                void saveFile(experiment);
              }}
            >
              {words.save}
            </button>
            <button type="button" data-testid="leave-drop" onClick={() => session.decide(true)}>
              {leaving === "run" ? words.dropRun : words.dropReset}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
