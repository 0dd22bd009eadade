/** Which panel of the lens a cell shows, and its settings. */
import { lensPanels } from "../../../../panels/panelTable.ts";
import type { Setting } from "../../../../store/lensCodecs.ts";
import {
  ClearingSelect,
  LabelledField,
  textOfField,
  type FieldPartProps,
} from "../../LabelledField.tsx";
import { words as all } from "../../words.ts";

const words = all.form;

export function PanelSelect(props: FieldPartProps) {
  return <ClearingSelect {...props} options={lensPanels} clears={["settings"]} />;
}

export function SettingFields({ field, written, problem, change }: FieldPartProps) {
  const panel = lensPanels.find(({ id }) => id === written["panel"]);
  const settings = Object.entries(panel?.settings ?? {});
  const said = Object(written["settings"] ?? {}) as Readonly<Record<string, unknown>>;
  if (settings.length === 0) return null;
  return (
    <details className="cell-settings" open={Object.keys(said).length > 0 || undefined}>
      <summary data-testid="cell-settings">{field.label}</summary>
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      <div className="fields">
        {settings.map(([name, setting]) => (
          <SettingField
            key={name}
            name={name}
            setting={setting}
            text={textOfField(said[name])}
            onChange={(value) => change([{ path: ["settings", name], value }])}
          />
        ))}
      </div>
    </details>
  );
}

interface SettingFieldProps {
  /** As named in links and in the cell's text. */
  name: string;
  setting: Setting<unknown>;
  /** As written; empty if the cell does not set it. */
  text: string;
  onChange: (text: string | undefined) => void;
}

function SettingField({ name, setting, text, onChange }: SettingFieldProps) {
  const isUsable = text === "" || setting.read(text) !== undefined;
  const problem = isUsable ? undefined : words.must(text, setting.allowed);
  const write = (now: string) => onChange(now === "" ? undefined : now);
  const standard = words.usual(setting.write(setting.start));
  const { options } = setting;
  return (
    <LabelledField name={name} label={titleOf(name)} problem={problem}>
      {(labelled) =>
        options ? (
          <select {...labelled} value={text} onChange={({ target }) => write(target.value)}>
            <option value="">{standard}</option>
            {!isUsable && <option value={text}>{words.unknown(text)}</option>}
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        ) : (
          <input
            {...labelled}
            value={text}
            placeholder={standard}
            spellCheck={false}
            onChange={({ target }) => write(target.value)}
          />
        )
      }
    </LabelledField>
  );
}

const titleOf = (name: string) => name[0]!.toUpperCase() + name.slice(1);
