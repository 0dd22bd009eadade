/** An algorithm's choices, and its settings to play with. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { usedSettings, type SettingName } from "../../spec/algorithmDocs/settingUse.ts";
import { numberAxes, wordAxes } from "../../spec/axes.ts";
import { rowAxes } from "../../spec/rowAxes.ts";
import { words } from "./words.ts";

export function Choices({ config }: { config: AlgorithmConfig }) {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={words.choices}>
      <table className="figures" data-testid="choices">
        <thead>
          <tr>
            <th scope="col">{words.axis}</th>
            <th scope="col">{words.choice}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(rowAxes).map(([axis, { about, values }]) => {
            const value = config[axis as keyof typeof rowAxes];
            return (
              <tr key={axis}>
                <th scope="row">{about}</th>
                <td className="wraps">
                  <code>{value}</code>
                  <span className="note">{(values as Record<string, string>)[value]}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface SettingsProps {
  /** As set, and as the row has it. */
  config: AlgorithmConfig;
  own: AlgorithmConfig;
  /** Texts of what is set differently. */
  set: Readonly<Record<string, string>>;
  /** What is wrong with them; null where nothing is. */
  problem: string | null;
  onSet: (set: Record<string, string>) => void;
}

export function Settings({ config, own, set, problem, onSet }: SettingsProps) {
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
      <div className="table-scroll" tabIndex={0} role="group" aria-label={words.settings}>
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">{words.setting}</th>
              <th scope="col">{words.value}</th>
              <th scope="col">{words.usual}</th>
            </tr>
          </thead>
          <tbody>
            {shownSettings(config, set).map((name) => (
              <tr key={name}>
                <th scope="row" id={`setting-${name}`}>
                  <code>{name}</code>
                  <span className="note">{aboutOf(name)}</span>
                </th>
                <td>
                  <SettingInput
                    {...{ name, own, text: set[name] }}
                    onChange={(text) => change(name, text)}
                  />
                </td>
                <td>{String(own[name] ?? "none")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <button type="button" data-testid="reset-settings" onClick={() => onSet({})}>
        {words.reset}
      </button>
    </details>
  );
}

/** Those in use, and those that are set: a field must not vanish under the cursor. */
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
    <select
      {...shared}
      value={text ?? String(own[name])}
      onChange={({ target }) => onChange(target.value)}
    >
      {Object.keys(wordAxes[name as "ratio"].values).map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  );
}
