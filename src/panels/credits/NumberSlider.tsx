/** An adjustable number: a slider for the usual range, and a field for any allowed number. */
import { useId } from "react";
import { numberAxes, type NumberName } from "../../method/numbers.ts";
import type { ChangedValue } from "../../reading/credit/changes.ts";
import { words } from "./words.ts";
import { CheckBox } from "../../ui/Field.tsx";

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

export function NumberSlider({ name, own, unset, asSet, changed, onChange }: NumberSliderProps) {
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
