/** Whether there are models to ask, and the way to have some. */
import type { ReactNode } from "react";
import type { ExperimentState } from "../../store/experimentStore.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { words } from "./words.ts";

const selectState = (state: ExperimentState) => state.state;
const selectOrigin = (state: ExperimentState) => state.view.origin;

/** Whether questions will be answered. */
export function useLiveModel(): boolean {
  const state = useExperimentState(selectState);
  return state === "running" || state === "paused" || state === "finished";
}

/** Its children where there are live models; else what to do. */
export function LiveModel({ children }: { children: ReactNode }) {
  const { session } = useExperiment();
  const state = useExperimentState(selectState);
  const origin = useExperimentState(selectOrigin);
  if (useLiveModel()) return children;
  if (state === "loading") return <p role="status">{words.loading}</p>;
  const logOnly = origin === "recorded" || origin === "imported";
  const why = state === "failed" ? words.failed : logOnly ? words.recordedOnly : words.none;
  return (
    <div className="ask-none" data-testid="ask-none">
      <p>{why}</p>
      <button type="button" title={words.loadHint} onClick={() => session.load()}>
        {words.load}
      </button>
    </div>
  );
}
