/** Which number is shown, and at which granularity. */
import { useId } from "react";
import type { Quantity } from "../../figures/credits/columns.ts";
import type { Grain } from "../../figures/credits/columns.ts";
import type { CreditChoices } from "./viewChoices.ts";
import { words } from "../../figures/credits/words.ts";

interface ViewControlsProps {
  choices: CreditChoices;
  change: (changes: Partial<CreditChoices>) => void;
}

export function ViewControls({ choices, change }: ViewControlsProps) {
  const quantities = Object.entries(words.quantities).map(([id, { name, about }]) => ({
    id: id as Quantity,
    name,
    about,
  }));
  const grains = Object.entries(words.grains).map(([id, name]) => ({ id: id as Grain, name }));
  // A separate scope: arrow keys move the selection, not the cursor.
  return (
    <div className="credit-controls" data-scope="page">
      <Dial
        name={words.quantity}
        options={quantities}
        value={choices.quantity}
        onChange={(quantity) => change({ quantity })}
      />
      <Dial
        name={words.grain}
        options={grains}
        value={choices.grain}
        onChange={(grain) => change({ grain })}
      />
      {choices.quantity !== "clip" && <SignKey {...words.signKey[choices.quantity]} />}
    </div>
  );
}

/** The meaning of bars on either side of 0, in their order. */
function SignKey({ minus, plus }: { minus: string; plus: string }) {
  return (
    <span className="sign-key" data-testid="credits-sign-key">
      {minus} <i className="minus" aria-hidden="true" /> <i aria-hidden="true" /> {plus}
    </span>
  );
}

interface DialProps<T extends string> {
  name: string;
  options: readonly { id: T; name: string; about?: string }[];
  value: T;
  onChange: (value: T) => void;
}

function Dial<T extends string>({ name, options, value, onChange }: DialProps<T>) {
  const group = useId();
  return (
    <fieldset className="dial">
      <legend>{name}</legend>
      {options.map((option) => (
        <label key={option.id} title={option.about}>
          <input
            type="radio"
            name={group}
            checked={value === option.id}
            data-testid={`credits-${option.id}`}
            onChange={() => onChange(option.id)}
          />
          {option.name}
        </label>
      ))}
    </fieldset>
  );
}
