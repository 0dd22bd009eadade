/** The experiment as a form, generated from the table of fields. */
import { useStore } from "zustand";
import { descriptorOf } from "../env/descriptors.ts";
import { usedSettings } from "../spec/algorithmDocs/settingUse.ts";
import { specAlgorithm } from "../spec/experiment.ts";
import { oldReadings } from "../spec/revise.ts";
import { useExperiment } from "../store/hooks.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import { editField, fieldText, type SpecDraft } from "../store/specDraft.ts";
import { DefinitionFields } from "./book/DefinitionFields.tsx";
import { SpecField } from "./SpecField.tsx";
import {
  algorithmSettings,
  environmentFields,
  mainFields,
  moreFields,
  ownSettings,
  type FieldGroup,
} from "./formFields.ts";
import { Methods } from "./Methods.tsx";
import { PresetPicker } from "./PresetPicker.tsx";
import { appWords } from "./strings.ts";

const selectDraft = (state: ExperimentState) => state.draft;

type ChangeDraft = (step: (draft: SpecDraft) => SpecDraft) => void;

export function SpecForm() {
  const { store } = useExperiment();
  const draft = useStore(store, selectDraft);
  const change: ChangeDraft = (step) => store.setState((state) => ({ draft: step(state.draft) }));
  const field = (path: string) => ({
    draft,
    onChange: (text: string) => change((now) => editField(now, path, text)),
  });
  const fieldset = ({ title, fields }: FieldGroup) => (
    <fieldset key={title}>
      <legend>{title}</legend>
      <div className="fields">
        {fields.map((one) => (
          <SpecField key={one.path} field={one} {...field(one.path)} />
        ))}
      </div>
    </fieldset>
  );
  // Enter in a field must not submit the form.
  return (
    <form className="spec-form" onSubmit={(event) => event.preventDefault()} autoComplete="off">
      <PresetPicker draft={draft} />
      <div className="fields">
        {mainFields.map((one) => (
          <SpecField key={one.path} field={one} {...field(one.path)} />
        ))}
      </div>
      <Methods draft={draft} change={change} />
      <DefinitionFields draft={draft} change={change} />
      <details className="more" data-testid="environment-settings">
        <summary>{appWords.environmentOf(descriptorOf(draft.spec.environment.kind).title)}</summary>
        {ofKind(draft, environmentFields).map(fieldset)}
      </details>
      <details className="more">
        <summary>{appWords.more}</summary>
        {ofKind(draft, moreFields).map(fieldset)}
        <MethodSettings draft={draft} change={change} />
      </details>
    </form>
  );
}

/** Without fields of another environment. */
function ofKind({ spec }: SpecDraft, groups: readonly FieldGroup[]): readonly FieldGroup[] {
  return groups.filter(({ kind }) => kind === undefined || kind === spec.environment.kind);
}

interface PartProps {
  draft: SpecDraft;
  change: ChangeDraft;
}

function MethodSettings({ draft, change }: PartProps) {
  const old = oldReadings(draft.spec);
  return (
    <>
      {draft.spec.algorithms.map(({ name }) => {
        const own = specAlgorithm(draft.spec, name);
        const used = usedSettings(own);
        const settings = algorithmSettings
          .filter(({ key }) => used.includes(key))
          .map(({ key, label }) => ({ path: key, label, standard: String(own[key] ?? "none") }));
        const learning = ownSettings
          .filter(({ path }) => own.critic !== "none" || !path.startsWith("critic."))
          .map(({ path, label }) => ({ path, label, standard: fieldText(draft, path) }));
        return (
          <fieldset key={name}>
            <legend>{own.title}</legend>
            <div className="fields">
              {[...settings, ...learning].map(({ path: part, label, standard }) => {
                const path = `${name}/${part}`;
                return (
                  <SpecField
                    key={path}
                    field={{ path, label }}
                    placeholder={standard}
                    draft={draft}
                    onChange={(text) => change((now) => editField(now, path, text))}
                  />
                );
              })}
            </div>
            {old
              .filter(({ what }) => what === name)
              .map(({ was, now }) => (
                <p key={was} className="note">
                  {appWords.oldReading(was, now)}
                </p>
              ))}
          </fieldset>
        );
      })}
      <p className="note">{appWords.perMethodHint}</p>
    </>
  );
}
