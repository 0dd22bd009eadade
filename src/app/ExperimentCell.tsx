/** The experiment cell: the experiment's settings, its buttons, and its progress. */
import { playsElsewhere } from "../store/anotherRun.ts";
import { useState } from "react";
import { formatDuration } from "../numeric/format.ts";
import { titleOf } from "../reading/titles.ts";
import { StatusPanel } from "../panels/status/StatusPanel.tsx";
import { changesOf } from "../spec/specDifference.ts";
import { setupSentence, setupTime } from "../spec/setupTime.ts";
import { learnerNames } from "../spec/preference.ts";
import { isBusy } from "../store/experimentStore.ts";
import type { ExperimentState, Recording, Problem } from "../store/experimentState.ts";
import { dismissLink, openLink } from "../store/links.ts";
import { ChangedNote } from "./ChangedNote.tsx";
import { ExperimentCard } from "./ExperimentCard.tsx";
import { Controls } from "./Controls.tsx";
import { words as integrityWords } from "./integrityWords.ts";
import { IntegrityNote } from "./IntegrityNote.tsx";
import { RunNotices } from "./RunNotices.tsx";
import { SpecForm } from "./SpecForm.tsx";
import { Warnings } from "./Warnings.tsx";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import type { Definition } from "../spec/definitions.ts";
import { askForCode, codeConsent, mayRun } from "../store/codeConsent.ts";
import { useExperiment, useExperimentState } from "../store/hooks.ts";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/parts/lazyPart.tsx";

const FolderNotice = lazyPart(
  "FolderNotice",
  () => import("../panels/shared/ask/FolderNotice.tsx"),
  appWords.loading,
);

interface ExperimentCellProps {
  /** The form is collapsed to a line with its content, and its notes are elsewhere: for a page with another subject. Else it is a card. */
  folded?: boolean;
}

export function ExperimentCell({ folded = false }: ExperimentCellProps) {
  const { id } = useExperiment();
  // A page may have several; an editor names the enclosing cell with a colon.
  const label = `${appWords.experiment} ${id}`;
  return (
    <section className="panel experiment" aria-label={label} data-testid="experiment">
      {folded ? (
        <>
          <header className="panel-header">
            <h3>{appWords.experiment}</h3>
          </header>
          <FoldedForm />
        </>
      ) : (
        <>
          <ExperimentCard />
          <LinkNotes />
        </>
      )}
      <SetupNote />
      <Controls />
      {!folded && <RunNotes />}
      <StatusPanel />
      <RecordedFrom />
    </section>
  );
}

/** Notices that must be visible even if the form is collapsed. */
export function ExperimentNotes() {
  return (
    <>
      <LinkNotes />
      <RunNotes />
    </>
  );
}

const selectSpec = (state: ExperimentState) => (isBusy(state) ? null : state.draft.spec);

/** How long Run takes to set up, if that is long: shown before Run is pressed. */
function SetupNote() {
  const spec = useExperimentState(selectSpec);
  const time = spec && setupTime(spec);
  if (!time) return null;
  return (
    <p className="note" role="status" data-testid="setup-time">
      {setupSentence(time, formatDuration)}
    </p>
  );
}

const selectFolder = ({ draft }: ExperimentState) => draft.spec.model.folder;

function LinkNotes() {
  const warnings = useExperimentState("warnings");
  return (
    <>
      <LinkBanner />
      <OwnModel />
      <CodeNotice />
      <Warnings warnings={warnings} />
    </>
  );
}

function RunNotes() {
  const problem = useExperimentState("problem");
  return (
    <>
      <RunNotices />
      <ChangedNote />
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}

const selectRecording = (state: ExperimentState) => ({
  recording: state.recording,
  elsewhere: playsElsewhere(state),
  origin: state.view.origin,
});

function RecordedFrom() {
  const { recording, elsewhere, origin } = useExperimentState(useShallow(selectRecording));
  if (origin === "live" || origin === "imported") return null;
  return <RecordingNote recording={recording} elsewhere={elsewhere} />;
}

/** Open while a field is invalid. */
function FoldedForm() {
  const { pending } = useExperimentState("draft");
  const [open, setOpen] = useState(false);
  return (
    <details
      className="folded-form"
      open={open || Object.keys(pending).length > 0}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary data-testid="settings">
        <SettingsLine />
      </summary>
      <SpecForm />
    </details>
  );
}

/** Changes that the summary already shows. */
const SAID = ["seed", "algorithms", "optimisation.iterations", "definitions"];

/** A summary of the form; in present mode it replaces it. */
function SettingsLine() {
  const { spec } = useExperimentState("draft");
  const { changes } = changesOf(spec);
  const others = changes.map(([name]) => name).filter((name) => !SAID.includes(name));
  const methods = learnerNames(spec).map(titleOf).join(", ");
  return (
    <>
      <strong>{appWords.settings}</strong>{" "}
      <span className="note">
        {appWords.settingsAre(spec.preset, spec.seed, spec.optimisation.iterations, methods)}
        {others.length > 0 && ` ${appWords.settingsChanged(others)}`}
      </span>
    </>
  );
}

function ProblemNotice({ problem: { kind, message, action } }: { problem: Problem }) {
  return (
    <div role="alert" className="notice notice-problem" data-testid="problem">
      <strong>{appWords.problems[kind]}</strong>
      <p>{message}</p>
      <p>
        {appWords.whatToDo} {action}
      </p>
    </div>
  );
}

interface RecordingNoteProps {
  recording: Recording;
  /** See playsElsewhere. */
  elsewhere: boolean;
}

function RecordingNote({ recording, elsewhere }: RecordingNoteProps) {
  if (recording.state === "none") return null;
  if (elsewhere)
    return (
      <p className="note" data-testid="recording" data-state="other">
        {appWords.recordingOther}
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
    const { recordingLoading, recordingMissing } = appWords;
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
        {command === "" ? appWords.recordedSomehow : appWords.recorded}
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
  const { link, busy } = useExperimentState(useShallow(selectWaiting));
  if (!link) return null;
  return (
    <div className="notice notice-stale" role="alert" data-testid="link-banner">
      <p>
        {appWords.linkWaiting} {busy ? appWords.linkLosesRun : appWords.linkLosesEdits}
      </p>
      <div className="buttons">
        <Button onClick={() => openLink(store, link)}>{appWords.openLink}</Button>
        <Button onClick={() => dismissLink(store)}>{appWords.keepMine}</Button>
      </div>
    </div>
  );
}

const words = appWords.code;

/** The code that Run would train with, and that of the run shown. */
const selectCode = ({ draft, view }: ExperimentState) => ({
  ofForm: draft.spec.definitions,
  ofRun: view.log.start?.spec.definitions,
});

/** A notice that an experiment uses code from elsewhere, with a button to show it. */
function OwnModel() {
  const folder = useExperimentState(selectFolder);
  return folder ? <FolderNotice folder={folder} use="train" /> : null;
}

function CodeNotice() {
  const { ofForm = [], ofRun = [] } = useExperimentState(useShallow(selectCode));
  // Changes once more code may run.
  useStore(codeConsent, ({ version }) => version);
  const waiting = distinct([...ofForm, ...ofRun]).filter((one) => !mayRun([one]));
  if (waiting.length === 0) return null;
  const names = waiting.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  return (
    <p className="notice" data-testid="code-waits">
      {words.waits(names)} <Button onClick={() => void askForCode(waiting)}>{words.review}</Button>
    </p>
  );
}

function distinct(definitions: readonly Definition[]): Definition[] {
  return definitions.filter(
    (one, i) => definitions.findIndex(({ source }) => source === one.source) === i,
  );
}
