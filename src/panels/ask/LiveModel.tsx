/** Whether there are models to ask, and the way to have some. */
import { useLayoutEffect, useRef, type ReactNode } from "react";
import type { ExperimentState } from "../../store/experimentState.ts";
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
  const isLive = useLiveModel();
  const { place, press } = useFocusKept(state);
  const load = () => {
    press();
    session.load();
  };
  return (
    <div ref={place} className="ask-live">
      {isLive ? children : state === "loading" ? <Loading /> : <None state={state} load={load} />}
    </div>
  );
}

function Loading() {
  return <p role="status">{words.loading}</p>;
}

function None({ state, load }: { state: ExperimentState["state"]; load: () => void }) {
  const origin = useExperimentState(selectOrigin);
  const logOnly = origin === "recorded" || origin === "imported";
  const why = state === "failed" ? words.failed : logOnly ? words.recordedOnly : words.none;
  return (
    <div className="ask-none" data-testid="ask-none">
      <p>{why}</p>
      <button type="button" title={words.loadHint} onClick={load}>
        {words.load}
      </button>
    </div>
  );
}

/** A button that goes away when it is pressed leaves the focus to the panel that it was in. */
function useFocusKept(state: ExperimentState["state"]) {
  const place = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  useLayoutEffect(() => {
    const wasPressed = isPressed.current;
    isPressed.current = false;
    if (!wasPressed || document.activeElement !== document.body) return;
    place.current?.closest<HTMLElement>("[data-scope]")?.focus({ preventScroll: true });
  }, [state]);
  return { place, press: () => (isPressed.current = true) };
}
