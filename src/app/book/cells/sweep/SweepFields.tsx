/** What a sweep varies: a list of values for each setting, and the settings that can be added. */
import { flatFields } from "../../../../notebook/body.ts";
import { specNames } from "../../../../notebook/completions.ts";
import { CAUSE_NAMES } from "../../../../reading/story/causeNames.ts";
import { CAUSES } from "../../../../reading/story/causeTable.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import {
  ClearingSelect,
  fieldsIn,
  LabelledField,
  ListField,
  type FieldPartProps,
} from "../../LabelledField.tsx";
import { words as all } from "../../words.ts";

const words = all.form;

/** Text that is not a number, such as a method's name, is kept as typed. */
const valueOf = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : text);

export function OverFields({ name, field, written, problem, change, ...rest }: FieldPartProps) {
  const over = fieldsIn(written[name]);
  const varied = flatFields(over);
  // A setting is under its full name, or in its group.
  const pathOf = (setting: string) =>
    Object.hasOwn(over, setting) ? [name, setting] : [name, ...setting.split(".")];
  return (
    <fieldset data-testid={`cell-field-${name}`}>
      <legend className="field-label">{field.label}</legend>
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      {varied.map(([setting, values]) => (
        <div key={setting} className="sweep-setting">
          <ListField
            name={`over-${setting}`}
            label={setting}
            hint={words.valuesHint}
            problem={undefined}
            value={values.split(",")}
            onChange={(list) => change([{ path: pathOf(setting), value: list.map(valueOf) }])}
          />
          <IconButton
            icon="trash"
            name={words.leaveOut(setting)}
            data-testid={`leave-out-${setting}`}
            onClick={() => change([{ path: pathOf(setting), value: undefined }])}
          />
        </div>
      ))}
      <AddSetting
        {...rest}
        isThere={(setting) => varied.some(([other]) => other === setting)}
        onAdd={(setting, now) =>
          change([{ path: [name, setting], value: now === "" ? [] : [valueOf(now)] }])
        }
      />
    </fieldset>
  );
}

const CAUSE_OPTIONS = [
  { id: "", title: words.noCause },
  ...CAUSE_NAMES.map((id) => ({ id, title: CAUSES[id].title })),
];

/** The cause that the sweep tests, or none. */
export function CauseSelect({ change, ...props }: FieldPartProps) {
  const orNone = ({ path, value }: Parameters<typeof change>[0][number]) => ({
    path,
    value: value === "" ? undefined : value,
  });
  return (
    <ClearingSelect
      {...props}
      options={CAUSE_OPTIONS}
      clears={[]}
      change={(changes) => change(changes.map(orNone))}
    />
  );
}

interface AddSettingProps extends Pick<FieldPartProps, "cell" | "experiments"> {
  isThere: (setting: string) => boolean;
  /** @param now the experiment's value; empty if it sets none. */
  onAdd: (setting: string, now: string) => void;
}

/** Settings of the experiment that the sweep is of. */
function AddSetting({ cell, experiments, isThere, onAdd }: AddSettingProps) {
  const spec = experiments.get(cell.of ?? "")?.store.getState().draft.spec;
  const free = spec ? specNames(spec).filter(([setting]) => !isThere(setting)) : [];
  const add = (wanted: string) => {
    const found = free.find(([setting]) => setting === wanted);
    if (found) onAdd(...found);
  };
  return (
    <LabelledField name="over-add" label={words.addSetting} problem={undefined}>
      {(labelled) => (
        <select {...labelled} value="" onChange={({ target }) => add(target.value)}>
          <option value="">{words.choose}</option>
          {free.map(([setting]) => (
            <option key={setting}>{setting}</option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

/** Whole numbers; each trains every setting once. */
export function SeedsField({ name, field, written, problem, change }: FieldPartProps) {
  return (
    <ListField
      {...{ name, problem }}
      label={field.label}
      hint={field.hint}
      value={written[name]}
      onChange={(list) =>
        change([{ path: [name], value: list.length === 0 ? undefined : list.map(valueOf) }])
      }
    />
  );
}
