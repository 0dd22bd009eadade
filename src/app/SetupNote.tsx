/** How long Run is going to set up, where that is long: said before it is pressed. */
import { useStore } from "zustand";
import { formatDuration } from "../charts/format.ts";
import { setupSentence, setupTime } from "../spec/setupTime.ts";
import { isBusy } from "../store/experimentStore.ts";
import { type ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";

const selectSpec = (state: ExperimentState) => (isBusy(state) ? null : state.draft.spec);

export function SetupNote() {
  const { store } = useExperiment();
  const spec = useStore(store, selectSpec);
  const time = spec && setupTime(spec);
  if (!time) return null;
  return (
    <p className="note" role="status" data-testid="setup-time">
      {setupSentence(time, formatDuration)}
    </p>
  );
}
