/** Whether numbers come from the recorded run or from the live one. */
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";

const selectOrigin = (state: ExperimentState) => state.view.origin;

const WORDS = {
  none: "no run yet",
  recorded: "recorded run",
  live: "live run",
  imported: "imported file",
} as const;

export function OriginTag() {
  const origin = useExperimentState(selectOrigin);
  return (
    <span className={`tag tag-${origin}`} data-testid="origin" data-origin={origin}>
      {WORDS[origin]}
    </span>
  );
}
