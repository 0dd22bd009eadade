/** Controls of the experiment's cell that the run bar lacks: speed, and the run as a file. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { SaveButtons, SaveResult } from "./SaveButtons.tsx";
import { appWords } from "./strings.ts";
import { InlineField } from "../ui/Field.tsx";

const selectControls = ({ pace, view }: ExperimentState) => ({
  pace,
  imported: view.origin === "imported",
});

/** Minimum milliseconds per iteration. */
const PACES = [
  { milliseconds: 0, name: appWords.speeds.full },
  { milliseconds: 1000, name: appWords.speeds.normal },
  { milliseconds: 4000, name: appWords.speeds.slow },
];

export function Controls() {
  const { store, session } = useExperiment();
  const { pace, imported } = useStore(store, useShallow(selectControls));
  return (
    <div className="controls" role="group" aria-label={appWords.runOptions}>
      <InlineField label={appWords.speed}>
        <select
          value={pace}
          data-testid="pace"
          onChange={({ target }) => session.setPace(Number(target.value))}
        >
          {PACES.map(({ milliseconds, name }) => (
            <option key={milliseconds} value={milliseconds}>
              {name}
            </option>
          ))}
        </select>
      </InlineField>
      <SaveButtons />
      <SaveResult />
      {imported && <p className="note">{appWords.importStays}</p>}
    </div>
  );
}
