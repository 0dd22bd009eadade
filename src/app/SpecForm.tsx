/** The experiment as a form, generated from the table of fields. */
import { descriptorOf } from "../env/descriptors.ts";
import { usedSettings } from "../spec/algorithmDocs/settingUse.ts";
import { specAlgorithm, limitsOf } from "../spec/experiment.ts";
import { oldReadings } from "../spec/revise.ts";
import { useExperiment, useExperimentState } from "../store/hooks.ts";
import { editField, fieldText, toggleAlgorithm, type SpecDraft } from "../store/specDraft.ts";
import { DefinitionFields } from "./book/DefinitionFields.tsx";
import {
  algorithmSettings,
  environmentFields,
  mainFields,
  moreFields,
  ownSettings,
  mainMethods,
  type FieldGroup,
  type FormField,
} from "./formFields.ts";
import { PresetPicker } from "./PresetPicker.tsx";
import { LineSwatch } from "../charts/LineSwatch.tsx";
import { lineStyles, type LineStyle } from "../charts/palette.ts";
import { families, algorithmFamily, type Family } from "../spec/algorithmDocs/families.ts";
import { algorithmNames, resolveAlgorithm, type AlgorithmConfig } from "../spec/algorithms.ts";
import { ALGORITHMS_HASH } from "./route.ts";
import { appWords } from "./strings.ts";
import { CheckBox, Field, Select } from "../ui/Field.tsx";

type ChangeDraft = (step: (draft: SpecDraft) => SpecDraft) => void;

export function SpecForm() {
  const { store } = useExperiment();
  const draft = useExperimentState("draft");
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

function MethodSettings({ draft, change }: { draft: SpecDraft; change: ChangeDraft }) {
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

interface MethodsProps {
  draft: SpecDraft;
  change: (step: (draft: SpecDraft) => SpecDraft) => void;
}

const rows = algorithmNames.map((name) => resolveAlgorithm(name));

const others = rows.filter(({ name }) => !mainMethods.includes(name));

/** The methods that a run compares: the main ones visible, the rest by family in a disclosure. */
function Methods({ draft, change }: MethodsProps) {
  const chosen = draft.spec.algorithms.map(({ name }) => name);
  // As in the charts: dashes are assigned among the methods shown together.
  const styles = lineStyles([...chosen, ...mainMethods.filter((name) => !chosen.includes(name))]);
  const box = (row: AlgorithmConfig) => (
    <MethodBox
      key={row.name}
      title={row.title}
      name={row.name}
      style={styles.get(row.name)}
      checked={chosen.includes(row.name)}
      // The last one cannot be removed: a run needs a method.
      disabled={chosen.length === 1 && chosen[0] === row.name}
      onChange={(on) => change((now) => toggleAlgorithm(now, row.name, on, algorithmNames))}
    />
  );
  const chosenOthers = others.filter(({ name }) => chosen.includes(name));
  return (
    <>
      <fieldset className="methods">
        <legend>{appWords.methods}</legend>
        {rows.filter(({ name }) => mainMethods.includes(name)).map(box)}
      </fieldset>
      <details className="more-methods" data-testid="more-methods">
        <summary>{appWords.moreMethods(chosenOthers.map(({ title }) => title))}</summary>
        {(Object.keys(families) as Family[]).map((family) => (
          <fieldset key={family} className="method-family">
            <legend>{families[family]}</legend>
            {others.filter((row) => algorithmFamily(row) === family).map(box)}
          </fieldset>
        ))}
        <p className="note">
          <a href={ALGORITHMS_HASH}>{appWords.whatMethods}</a>
        </p>
      </details>
    </>
  );
}

interface MethodBoxProps {
  name: string;
  title: string;
  /** Its line style in charts; absent if it is in none. */
  style: LineStyle | undefined;
  checked: boolean;
  disabled: boolean;
  onChange: (on: boolean) => void;
}

function MethodBox({ name, title, style, checked, disabled, onChange }: MethodBoxProps) {
  return (
    <CheckBox
      checked={checked}
      disabled={disabled}
      data-testid={`method-${name}`}
      onChange={({ target }) => onChange(target.checked)}
    >
      {style && <LineSwatch {...style} />}
      {title}
    </CheckBox>
  );
}

interface SpecFieldProps {
  field: FormField;
  draft: SpecDraft;
  /** Shown in grey while the field is empty. */
  placeholder?: string;
  onChange: (text: string) => void;
}

/** One field of the form: its value in the draft, what is allowed, and what is wrong with the text. */
function SpecField({ field, draft, placeholder, onChange }: SpecFieldProps) {
  const { path, label, options } = field;
  // In the form a field has a label instead of a path.
  const problem = draft.pending[path]?.problem.replaceAll(path, label);
  const shared = { value: fieldText(draft, path), "data-testid": `field-${path}` };
  return (
    <Field label={label} hint={hintOf(field, draft)} problem={problem}>
      {(control) =>
        options ? (
          <Select
            {...control}
            {...shared}
            options={options.map((option) => [option.value, option.label])}
            onPick={onChange}
          />
        ) : (
          <input
            {...control}
            {...shared}
            type="text"
            inputMode="decimal"
            spellCheck={false}
            placeholder={placeholder ?? field.absent?.replace("-", "−")}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  );
}

/** Its meaning, and what is allowed. */
function hintOf({ path, hint = "", unit, options }: FormField, { spec }: SpecDraft): string {
  const limits = unit === undefined || options ? null : limitsOf(spec, path);
  if (!limits) return hint;
  const range = `${shown(limits.least)} to ${shown(limits.most)} ${unit}`.trim();
  return hint === "" ? range : `${hint}; ${range}`;
}

const shown = (number: number) => number.toLocaleString("en").replace("-", "−");
