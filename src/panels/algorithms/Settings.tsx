/** An algorithm's choices, and its settings to play with. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { usedSettings, type SettingName } from "../../spec/algorithmDocs/settingUse.ts";
import { wordAxes } from "../../method/axes.ts";
import { numberAxes } from "../../method/numbers.ts";
import { rowAxes } from "../../method/rowAxes.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { Select } from "../../ui/Field.tsx";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

export function AxisChoices({ config }: { config: AlgorithmConfig }) {
  return (
    <DataTable
      label={words.choices}
      className="figures"
      testId="choices"
      columns={[
        { id: "axis", head: words.axis, kind: "name", cell: (axis) => rowAxes[axis].about },
        {
          id: "choice",
          head: words.choice,
          cell: (axis) => <Choice axis={axis} config={config} />,
          cellProps: () => ({ className: "wraps" }),
        },
      ]}
      rows={Object.keys(rowAxes) as RowAxis[]}
      keyOf={(axis) => axis}
    />
  );
}

type RowAxis = keyof typeof rowAxes;

function Choice({ axis, config }: { axis: RowAxis; config: AlgorithmConfig }) {
  const value = config[axis];
  const code = axis === "estimator" ? config.own?.estimator : undefined;
  if (code !== undefined) return words.own(code);
  const values: Record<string, string> = rowAxes[axis].values;
  return (
    <>
      <code>{value}</code>
      <span className="note">{values[value]}</span>
    </>
  );
}

interface SettingsProps {
  /** With the changes, and as in the row. */
  config: AlgorithmConfig;
  own: AlgorithmConfig;
  /** Texts of the changed settings. */
  set: Readonly<Record<string, string>>;
  /** What is wrong with them; null if nothing is. */
  problem: string | null;
  onSet: (set: Record<string, string>) => void;
}

export function AlgorithmSettings({ config, own, set, problem, onSet }: SettingsProps) {
  const change = (name: SettingName, text: string) => {
    const { [name]: _old, ...others } = set;
    onSet(text === "" || text === String(own[name]) ? others : { ...others, [name]: text });
  };
  return (
    <details data-testid="settings">
      <summary>{words.settings}</summary>
      <p className="note">{words.settingsNote}</p>
      {problem !== null && (
        <p role="alert" className="notice notice-problem" data-testid="setting-problem">
          {problem}
        </p>
      )}
      <DataTable
        label={words.settings}
        className="figures"
        columns={[
          {
            id: "setting",
            head: words.setting,
            kind: "name",
            cell: (name) => (
              <>
                <code>{name}</code>
                <span className="note">{aboutOf(name)}</span>
              </>
            ),
            cellProps: (name) => ({ id: `setting-${name}` }),
          },
          {
            id: "value",
            head: words.value,
            cell: (name) => (
              <SettingInput
                name={name}
                own={own}
                text={set[name]}
                onChange={(text) => change(name, text)}
              />
            ),
          },
          { id: "usual", head: words.usual, cell: (name) => String(own[name] ?? "none") },
        ]}
        rows={shownSettings(config, set)}
        keyOf={(name) => name}
      />
      <Button data-testid="reset-settings" onClick={() => onSet({})}>
        {words.reset}
      </Button>
    </details>
  );
}

/** Those in use, and those that are changed: a field must not vanish under the cursor. */
function shownSettings(config: AlgorithmConfig, set: Readonly<Record<string, string>>) {
  const names = [...Object.keys(wordAxes), ...Object.keys(numberAxes)] as SettingName[];
  const used = usedSettings(config);
  return names.filter((name) => used.includes(name) || name in set);
}

function aboutOf(name: SettingName): string {
  return { ...wordAxes, ...numberAxes }[name].about;
}

interface SettingInputProps {
  name: SettingName;
  own: AlgorithmConfig;
  text: string | undefined;
  onChange: (text: string) => void;
}

function SettingInput({ name, own, text, onChange }: SettingInputProps) {
  const shared = { "aria-labelledby": `setting-${name}`, "data-testid": `setting-${name}` };
  if (name in numberAxes) {
    const placeholder = String(own[name] ?? "none");
    return (
      <input
        {...shared}
        type="text"
        inputMode="decimal"
        placeholder={placeholder}
        value={text ?? ""}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  return (
    <Select
      {...shared}
      value={text ?? String(own[name])}
      options={Object.keys(wordAxes[name as "ratio"].values).map((value) => [value, value])}
      onPick={onChange}
    />
  );
}
