/** The experiment cell: what is run, the buttons that run it, and how it is going. */
import { useState } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { titleOf } from "../reading/titles.ts";
import { StatusPanel } from "../panels/status/StatusPanel.tsx";
import { sameSpec } from "../spec/link.ts";
import { learnerNames } from "../spec/preference.ts";
import { isBusy } from "../store/experimentStore.ts";
import { type ExperimentState } from "../store/experimentState.ts";
import { type Recording } from "../store/experimentState.ts";
import { type Problem } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { dismissLink, openLink } from "../store/links.ts";
import { Controls } from "./Controls.tsx";
import { words as integrityWords } from "./integrityWords.ts";
import { IntegrityNote } from "./IntegrityNote.tsx";
import { LeaveDialog } from "./LeaveDialog.tsx";
import { RunNotices } from "./RunNotices.tsx";
import { SetupNote } from "./SetupNote.tsx";
import { SpecForm } from "./SpecForm.tsx";
import { strings } from "./strings.ts";
import { Warnings } from "./Warnings.tsx";

const selectNotices = (state: ExperimentState) => ({
  warnings: state.warnings,
  problem: state.problem,
  recording: state.recording,
  fits: state.recorded !== null,
  origin: state.view.origin,
  busy: isBusy(state),
  changed: state.runSpec !== null && !sameSpec(state.runSpec, state.draft.spec),
});

interface ExperimentCellProps {
  /** The form under a line that says what it holds, for a page that is about something else. */
  folded?: boolean;
}

export function ExperimentCell({ folded = false }: ExperimentCellProps) {
  const { store } = useExperiment();
  const { warnings, problem, recording, fits, origin, busy, changed } = useStore(
    store,
    useShallow(selectNotices),
  );
  return (
    <section className="panel experiment" aria-label={strings.experiment} data-testid="experiment">
      <header className="panel-header">
        <h3>{strings.experiment}</h3>
      </header>
      <LinkBanner />
      <Warnings warnings={warnings} />
      {folded ? <FoldedForm /> : <SpecForm />}
      <SetupNote />
      <Controls />
      <RunNotices />
      <LeaveDialog />
      {changed && (
        <p className="notice notice-stale" data-testid="changed">
          {busy ? strings.changed : strings.changedAfter}
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
      <StatusPanel />
      {origin !== "live" && origin !== "imported" && (
        <RecordingNote recording={recording} fits={fits} />
      )}
    </section>
  );
}

const selectDraft = (state: ExperimentState) => state.draft;

/** Open where a field waits to be put right. */
function FoldedForm() {
  const { store } = useExperiment();
  const { spec, pending } = useStore(store, selectDraft);
  const [open, setOpen] = useState(false);
  const methods = learnerNames(spec).map(titleOf).join(", ");
  return (
    <details
      className="folded-form"
      open={open || Object.keys(pending).length > 0}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary data-testid="settings">
        <strong>{strings.settings}</strong>{" "}
        <span className="note">
          {strings.settingsAre(spec.preset, spec.seed, spec.optimisation.iterations, methods)}
        </span>
      </summary>
      <SpecForm />
    </details>
  );
}

function ProblemNotice({ problem: { kind, message, action } }: { problem: Problem }) {
  return (
    <div role="alert" className="notice notice-problem" data-testid="problem">
      <strong>{strings.problems[kind]}</strong>
      <p>{message}</p>
      <p>
        {strings.whatToDo} {action}
      </p>
    </div>
  );
}

/** `fits`: whether the recorded run plays in the form's environment. */
function RecordingNote({ recording, fits }: { recording: Recording; fits: boolean }) {
  if (recording.state === "none") return null;
  if (recording.state === "shown" && !fits)
    return (
      <p className="note" data-testid="recording" data-state="other">
        {strings.recordingOther}
      </p>
    );
  if (recording.state === "refused")
    return (
      <p
        className="notice notice-problem"
        role="alert"
        data-testid="recording"
        data-state="refused"
      >
        {integrityWords.refused(recording.why)}
      </p>
    );
  if (recording.state !== "shown") {
    const { recordingLoading, recordingMissing } = strings;
    return (
      <p className="note" data-testid="recording" data-state={recording.state}>
        {recording.state === "loading" ? recordingLoading : recordingMissing}
      </p>
    );
  }
  const { command, warnings, integrity } = recording;
  return (
    <>
      <p className="note" data-testid="recording" data-state="shown">
        {command === "" ? strings.recordedSomehow : strings.recorded}
        {command !== "" && (
          <>
            {" "}
            <code>{command}</code>
          </>
        )}
      </p>
      {integrity && <IntegrityNote integrity={integrity} />}
      <Warnings warnings={warnings} />
    </>
  );
}

const selectWaiting = (state: ExperimentState) => ({
  link: state.waitingLink,
  busy: isBusy(state),
});

/** A link never overwrites local edits, or the experiment of a run, without asking. */
function LinkBanner() {
  const { store } = useExperiment();
  const { link, busy } = useStore(store, useShallow(selectWaiting));
  if (!link) return null;
  return (
    <div className="notice notice-stale" role="alert" data-testid="link-banner">
      <p>
        {strings.linkWaiting} {busy ? strings.linkLosesRun : strings.linkLosesEdits}
      </p>
      <div className="buttons">
        <button type="button" onClick={() => openLink(store, link)}>
          {strings.openLink}
        </button>
        <button type="button" onClick={() => dismissLink(store)}>
          {strings.keepMine}
        </button>
      </div>
    </div>
  );
}
