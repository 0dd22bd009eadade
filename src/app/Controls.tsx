/** Controls of the experiment's cell that the run bar lacks: speed, and the run as a file. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { SaveButtons, SaveResult } from "./SaveButtons.tsx";
import { appWords } from "./strings.ts";
import { InlineField, Select } from "../ui/Field.tsx";

const selectControls = ({ pace, view }: ExperimentState) => ({
  pace,
  imported: view.origin === "imported",
});

/** Minimum milliseconds per iteration. */
const PACES = [
  ["0", appWords.speeds.full],
  ["1000", appWords.speeds.normal],
  ["4000", appWords.speeds.slow],
] as const;

export function Controls() {
  const { store, session } = useExperiment();
  const { pace, imported } = useStore(store, useShallow(selectControls));
  return (
    <div className="controls" role="group" aria-label={appWords.runOptions}>
      <InlineField label={appWords.speed}>
        <Select
          value={String(pace)}
          data-testid="pace"
          options={PACES}
          onPick={(milliseconds) => session.setPace(Number(milliseconds))}
        />
      </InlineField>
      <SaveButtons />
      <SaveResult />
      {imported && <p className="note">{appWords.importStays}</p>}
    </div>
  );
}
