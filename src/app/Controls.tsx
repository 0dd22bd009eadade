/** Run, Pause, Step, Reset, speed and link. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { copyLink, lastCopy, type Copied } from "./copyLink.ts";
import { SaveButtons, SaveResult } from "./SaveButtons.tsx";
import { strings } from "./strings.ts";

const selectControls = (all: ExperimentState) => ({
  state: all.state,
  stopping: all.stopping,
  pace: all.pace,
  hasRun: all.runSpec !== null,
  imported: all.view.origin === "imported",
  unusable: Object.keys(all.draft.pending).length > 0,
});
const selectCopy = (state: { last: Copied }) => state.last;

/** Least milliseconds per iteration. */
const PACES = [
  { milliseconds: 0, name: strings.speeds.full },
  { milliseconds: 1000, name: strings.speeds.normal },
  { milliseconds: 4000, name: strings.speeds.slow },
];

export function Controls() {
  const { store, session } = useExperiment();
  const { state, stopping, pace, hasRun, imported, unusable } = useStore(
    store,
    useShallow(selectControls),
  );
  const starts = state === "idle" || state === "finished" || state === "failed";
  const busy = state === "running" || state === "loading";
  return (
    <div className="controls" role="group" aria-label="Run">
      <button
        type="button"
        className="primary"
        data-testid="run"
        disabled={stopping || state === "loading" || (starts && unusable)}
        onClick={session.toggleRun}
      >
        {stopping ? strings.stopping : runLabel(state)}
      </button>
      <button
        type="button"
        data-testid="step"
        disabled={stopping || busy || (starts && unusable)}
        onClick={session.step}
      >
        {strings.step}
      </button>
      <button
        type="button"
        data-testid="reset"
        disabled={stopping || !hasRun}
        onClick={session.reset}
      >
        {state === "loading" ? strings.cancel : strings.reset}
      </button>
      <label className="inline-field">
        {strings.speed}
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
      </label>
      <button type="button" data-testid="copy-link" onClick={() => void copyLink(store)}>
        {strings.copyLink}
      </button>
      <SaveButtons />
      <CopyResult />
      <SaveResult />
      {imported && <p className="note">{strings.importStays}</p>}
    </div>
  );
}

function runLabel(state: ExperimentState["state"]): string {
  if (state === "running") return strings.pause;
  if (state === "paused") return strings.resume;
  return state === "loading" ? strings.loadingRun : strings.run;
}

function CopyResult() {
  const last = useStore(lastCopy, selectCopy);
  if (!last) return null;
  return (
    <p className="copy-result" role="status" data-testid="copied" data-link={last.link}>
      {last.copied ? (
        strings.copied
      ) : (
        <label>
          {strings.notCopied}{" "}
          <input readOnly value={last.link} onFocus={({ target }) => target.select()} />
        </label>
      )}
    </p>
  );
}
