/** Adjustable settings: all rows that use one follow at once. */
import { useId } from "react";
import { type SettingName, usedSettings } from "../../spec/algorithmDocs/settingUse.ts";
import { wordAxes } from "../../method/axes.ts";
import { ALL, type Changes, type ChangedValue } from "../../reading/credit/changes.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { ownRow, settingsInUse, withChange, type Row } from "../../reading/credit/rows.ts";
import { words } from "../../figures/credits/words.ts";
import { Folded } from "../../ui/Folded.tsx";
import { Button } from "../../ui/Button.tsx";
import { numberAxes, type NumberName } from "../../method/numbers.ts";
import { CheckBox } from "../../ui/Field.tsx";

interface SlidersProps {
  log: RunLog;
  rows: readonly Row[];
  changes: Changes;
  target: string;
  onChange: (changes: Changes) => void;
  onTarget: (target: string) => void;
}

export function Sliders({ log, rows, changes, target, onChange, onTarget }: SlidersProps) {
  const meant = target === ALL ? rows : rows.filter(({ name }) => name === target);
  const { first, others } = settingsInUse(meant);
  const setting = (name: SettingName) => (
    <Setting
      key={name}
      name={name}
      log={log}
      rows={meant}
      changed={changes[target]?.[name]}
      onChange={(value) => onChange(withChange(changes, target, name, value))}
    />
  );
  return (
    <div className="what-if" role="group" aria-label={words.what}>
      <h4>{words.what}</h4>
      <p className="note prose-note">{words.whatNote}</p>
      <div className="what-if-head">
        <label>
          {words.target}{" "}
          <select
            value={target}
            data-testid="credits-target"
            onChange={(event) => onTarget(event.target.value)}
          >
            <option value={ALL}>{words.allRows}</option>
            {rows.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <Button data-testid="credits-reset" onClick={() => onChange({})}>
          {isOfRun(log, meant) ? words.reset : words.resetUsual}
        </Button>
      </div>
      <div className="sliders">{first.map(setting)}</div>
      {others.length > 0 && (
        <Folded title={words.more} className="more-sliders">
          <div className="sliders">{others.map(setting)}</div>
        </Folded>
      )}
    </div>
  );
}

interface SettingProps {
  name: SettingName;
  log: RunLog;
  rows: readonly Row[];
  /** The changed value; undefined: unchanged. */
  changed: ChangedValue | undefined;
  /** undefined removes the change. */
  onChange: (value: ChangedValue | undefined) => void;
}

function Setting({ name, log, rows, changed, onChange }: SettingProps) {
  const own = ownValues(log, rows, name);
  const texts = [...new Set(own.map(String))].map((text) => text.replace("null", words.noneValue));
  const known = isOfRun(log, rows);
  const values = texts.join(", ");
  const shared = {
    unset: known ? words.asSet : words.usual,
    asSet: known ? words.rowsOwn(values) : words.rowsUsual(values),
    changed,
    onChange,
  };
  if (name in wordAxes) return <WordSetting name={name as "whiten"} {...shared} />;
  return <NumberSlider name={name as "gamma"} own={own} {...shared} />;
}

/** Whether one of the rows is a method of the run with known settings: the others have defaults. */
function isOfRun(log: RunLog, rows: readonly Row[]): boolean {
  return rows.some(({ name }) => runConfig(log.start?.spec, name) !== null);
}

/** The values of the setting in the rows that use it, without the sliders. */
function ownValues(log: RunLog, rows: readonly Row[], name: SettingName): ChangedValue[] {
  return rows.flatMap((row) => {
    const { config } = ownRow(log, row.name);
    return config && usedSettings(config).includes(name) ? [config[name]] : [];
  });
}

interface WordSettingProps {
  name: keyof typeof wordAxes;
  /** Shown if nothing is set. */
  unset: string;
  asSet: string;
  changed: ChangedValue | undefined;
  onChange: (value: ChangedValue | undefined) => void;
}

function WordSetting({ name, unset, asSet, changed, onChange }: WordSettingProps) {
  const id = useId();
  const { about, values } = wordAxes[name];
  return (
    <div className="slider" title={about}>
      <label htmlFor={id}>
        <code>{name}</code> <span className="note">{about}</span>
      </label>
      <select
        id={id}
        value={String(changed ?? "")}
        data-testid={`credits-set-${name}`}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
      >
        <option value="">{unset}</option>
        {Object.keys(values).map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
      <span className="note">{asSet}</span>
    </div>
  );
}

// An adjustable number: a slider for the usual range, and a field for any allowed number.

/** Usual ranges if an axis allows far more, and steps. */
const RANGES: Partial<Record<NumberName, { max: number; step: number; min?: number }>> = {
  alpha: { max: 5, step: 0.1 },
  omega: { max: 5, step: 0.1 },
  dualClip: { min: 1, max: 10, step: 0.1 },
  betaKlReward: { max: 0.1, step: 0.001 },
};
const UNIT = { max: 1, step: 0.01 };

interface NumberSliderProps {
  name: NumberName;
  /** The rows' values without changes; null is none. */
  own: readonly ChangedValue[];
  /** Shown if nothing is set. */
  unset: string;
  asSet: string;
  changed: ChangedValue | undefined;
  onChange: (value: ChangedValue | undefined) => void;
}

function NumberSlider({ name, own, unset, asSet, changed, onChange }: NumberSliderProps) {
  const id = useId();
  const { about, min, max, none } = numberAxes[name];
  const range = { min: 0, ...(RANGES[name] ?? UNIT) };
  const value = changed === undefined ? own.find((one) => typeof one === "number") : changed;
  const typed = (text: string) => {
    if (text.trim() === "") return onChange(undefined);
    const number = Number(text);
    if (number >= min && number <= max) onChange(number);
  };
  return (
    <div className="slider" data-scope="page">
      <label htmlFor={id}>
        <code>{name}</code> <span className="note">{about}</span>
      </label>
      <input
        id={id}
        type="range"
        {...range}
        value={typeof value === "number" ? value : range.max}
        data-testid={`credits-slide-${name}`}
        onChange={({ target }) => onChange(Number(target.value))}
      />
      <input
        type="number"
        aria-label={words.exact(name)}
        min={min}
        max={max}
        step="any"
        placeholder={unset}
        value={typeof changed === "number" ? changed : ""}
        data-testid={`credits-set-${name}`}
        onChange={({ target }) => typed(target.value)}
      />
      {none && (
        <CheckBox
          checked={changed === null}
          onChange={({ target }) => onChange(target.checked ? null : undefined)}
        >
          {words.noneValue}
        </CheckBox>
      )}
      <span className="note">{asSet}</span>
    </div>
  );
}
