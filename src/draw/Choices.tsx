/** The choices of a figure. */
import { useState, type FormEvent, type ReactNode } from "react";
import type { Act, FigureChoice, ChoicesBlock } from "../figures/figure.ts";
import { CheckBox, InlineField } from "../ui/Field.tsx";
import { GoButton } from "./GoButton.tsx";

interface ChoicesProps {
  block: ChoicesBlock;
  panel: string;
  does: (act: Act) => void;
  children: ReactNode;
}

export function Choices({ block, panel, does, children }: ChoicesProps) {
  const { choices, go, brief = false } = block;
  return (
    <div className={brief ? "figure-choices figure-choices-brief" : "figure-choices"}>
      {choices.map((choice) => (
        <Control
          key={choice.id}
          {...choice}
          panel={panel}
          does={does}
          choose={(value) => does({ choose: { [choice.id]: value } })}
        />
      ))}
      {go && (
        <div className="figure-go" role="group" aria-label={go.name}>
          {go.buttons.map((button) => (
            <GoButton key={button.name} {...button} does={does} />
          ))}
        </div>
      )}
      {children}
    </div>
  );
}

type ControlProps = FigureChoice &
  Pick<ChoicesProps, "panel" | "does"> & { choose: (value: string) => void };

function Control(props: ControlProps) {
  const { label, look, options, value, testId, choose } = props;
  if (look === "segments") return <Segments {...props} />;
  if (look === "search") return <Search {...props} />;
  if (look === "check")
    return (
      <CheckBox
        data-testid={testId}
        checked={value === options[0]!.value}
        onChange={({ target }) => choose(options[target.checked ? 0 : 1]!.value)}
      >
        {label}
      </CheckBox>
    );
  return (
    <InlineField label={<span className="figure-label">{label}</span>}>
      <select data-testid={testId} value={value} onChange={({ target }) => choose(target.value)}>
        {options.map((one) => (
          <option key={one.value} value={one.value} disabled={one.disabled}>
            {one.name}
          </option>
        ))}
      </select>
    </InlineField>
  );
}

function Segments({ id, label, options, value, panel, choose }: ControlProps) {
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {options.map((one) => (
        <label key={one.value}>
          <input
            type="radio"
            name={`${panel}-${id}`}
            value={one.value}
            checked={one.value === value}
            disabled={one.disabled}
            onChange={() => choose(one.value)}
          />
          {one.name}
        </label>
      ))}
    </fieldset>
  );
}

const LONGEST_SEARCH = 200;

function Search({ label, value, testId, search, choose, does }: ControlProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // A link, or a button, has changed it.
  if (value !== known) {
    setKnown(value);
    setText(value);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== value || value === "") choose(text);
    else if (search?.again) does(search.again);
  };
  const change = (next: string) => {
    setText(next);
    if (next === "") choose("");
  };
  return (
    <form className="figure-search" role="search" onSubmit={submit}>
      <InlineField
        label={<span className="figure-label">{label}</span>}
        {...(search && { title: search.hint })}
      >
        <input
          type="search"
          placeholder={label}
          data-testid={testId}
          maxLength={LONGEST_SEARCH}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      </InlineField>
      <button type="submit">{search?.button}</button>
    </form>
  );
}
