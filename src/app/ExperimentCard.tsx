/** An experiment as a card: what it is, what differs from its preset, its last run in small, and its settings in a drawer. */
import { useRef, useState } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { LineSwatch } from "../charts/LineSwatch.tsx";
import { lineStyles } from "../charts/palette.ts";
import { descriptorOf } from "../env/descriptors.ts";
import { titleOf } from "../reading/titles.ts";
import { learnerNames } from "../spec/preference.ts";
import { presetSpec } from "../spec/presets.ts";
import { changesOf } from "../spec/specDifference.ts";
import { fingerprintShown, isOutOfDate, type ExperimentState } from "../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../store/hooks.ts";
import { Icon } from "../ui/Icon.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { words } from "./cardWords.ts";
import { settingsChanged } from "./ChangedNote.tsx";
import { RunSpark } from "./book/NotebookPicture.tsx";
import { smallCurves } from "./keptRuns.ts";
import { RunAnew } from "./RunAnew.tsx";
import { SpecForm } from "./SpecForm.tsx";
import { appWords } from "./strings.ts";

const selectCard = (state: ExperimentState) => ({
  draft: state.draft,
  view: state.view,
  before: isOutOfDate(state) ? state.runSpec : null,
  fingerprint: fingerprintShown(state),
});

export function ExperimentCard() {
  const { id, store } = useExperiment();
  const { draft, view, before, fingerprint } = useStore(store, useShallow(selectCard));
  const { spec } = draft;
  const unrun = before ? settingsChanged(before, spec).length : 0;
  const names = learnerNames(spec);
  const styles = lineStyles(names);
  const curves = smallCurves(view.log);
  return (
    <div className="experiment-card" data-testid="experiment-card">
      <div>
        <header>
          <h3>
            <Icon name="options" /> {words.title(isUnnamed(id) ? spec.preset : id)}
          </h3>
          {unrun > 0 && <span className="badge card-unrun">{words.unrun(unrun)}</span>}
          <SettingsDrawer title={words.settingsOf(isUnnamed(id) ? spec.preset : id)} />
        </header>
        <p className="card-facts">
          {words.facts(spec, descriptorOf(spec.environment.kind).title).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        <p className="card-facts" data-testid="card-changes">
          {words.differs(changeWords(spec))}
        </p>
        <p className="card-facts card-methods">
          {names.map((name) => (
            <span key={name}>
              <LineSwatch {...styles.get(name)!} /> {titleOf(name)}
            </span>
          ))}
          {fingerprint !== null && (
            <code title={words.fingerprint(fingerprint)} data-testid="card-fingerprint">
              {fingerprint.slice(0, 6)}
            </code>
          )}
        </p>
      </div>
      {curves && (
        <div className="card-spark" data-old={before !== null}>
          <RunSpark curves={curves} />
        </div>
      )}
    </div>
  );
}

/** Of a cell that nobody has named. */
const isUnnamed = (id: string) => /^experiment(_\d+)?$/.test(id);

/** Listed as facts already. */
const SAID = ["seed", "algorithms", "optimisation.iterations", "definitions"];

/** What an experiment changes of its preset, besides what the card lists anyway. */
function changeWords(spec: ExperimentState["draft"]["spec"]): string[] {
  const { preset } = changesOf(spec);
  return settingsChanged(presetSpec(preset), spec, SAID);
}

/** Beside the page, where there is room: what changes is seen as it is changed. Open while a field is invalid. */
function SettingsDrawer({ title }: { title: string }) {
  const isInvalid = useExperimentState(({ draft }) => Object.keys(draft.pending).length > 0);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <details
      className="folded-form settings-drawer"
      open={open || isInvalid}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={({ key }) => key === "Escape" && close()}
    >
      <summary data-testid="settings" ref={button}>
        {appWords.settings}
      </summary>
      <section className="drawer" aria-label={title}>
        <div className="sheet-top">
          <h4>{title}</h4>
          <IconButton icon="close" name={words.close} onClick={close} />
        </div>
        <SpecForm />
        <RunAnew />
      </section>
    </details>
  );
}
