/** The choices of a figure. */
import { useId, useState, type FormEvent, type ReactNode } from "react";
import type { Act, FigureChoice, NumberChoice } from "../figures/choices.ts";
import type { ChoicesBlock } from "../figures/figure.ts";
import { CheckBox, InlineField } from "../ui/Field.tsx";
import { GoButton } from "./GoButton.tsx";

interface ChoicesProps {
  block: ChoicesBlock;
  panel: string;
  does: (act: Act) => void;
  children: ReactNode;
}

export function Choices({ block, panel, does, children }: ChoicesProps) {
  const { choices, go, signs, brief = false, fields = false } = block;
  return (
    // Its own scope: arrows move the selection, not the cursor.
    <div
      className={fields ? "figure-fields" : `figure-choices${brief ? " figure-choices-brief" : ""}`}
      data-scope="page"
    >
      {choices.map((choice) => {
        const choose = (value: string) => does({ choose: { [choice.id]: value } });
        return choice.look === "number" ? (
          <NumberField key={choice.label} {...choice} {...{ panel, choose }} />
        ) : (
          <Control key={choice.label} {...choice} {...{ panel, does, choose }} />
        );
      })}
      {go && (
        <div className="figure-go" role="group" aria-label={go.name}>
          {choices.length === 0 && <span className="note">{go.name}</span>}
          {go.buttons.map((button) => (
            <GoButton key={button.name} {...button} does={does} />
          ))}
        </div>
      )}
      {children}
      {signs && (
        <span className="sign-key" data-testid={`${panel}-sign-key`}>
          {signs.minus} <i className="minus" aria-hidden="true" /> <i aria-hidden="true" />{" "}
          {signs.plus}
        </span>
      )}
    </div>
  );
}

type ControlProps = FigureChoice &
  Pick<ChoicesProps, "panel" | "does"> & { choose: (value: string) => void };

function Control(props: ControlProps) {
  const { label, look, options, value, testId, choose } = props;
  if (look === "segments" || look === "dial") return <Radios {...props} />;
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
    <Labelled {...props}>
      {(own) => (
        <select
          {...own}
          data-testid={testId}
          value={value}
          onChange={({ target }) => {
            const chosen = options[target.selectedIndex]!;
            choose(chosen.sets ?? chosen.value);
          }}
        >
          {options.map((one) => (
            <option key={one.value} value={one.value} disabled={one.disabled}>
              {one.name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface LabelledProps extends Pick<FigureChoice, "label" | "hint" | "note"> {
  children: (own: { id?: string }) => ReactNode;
}

/** In one line with its label; a setting has its meaning beside its name, and a note below. */
function Labelled({ label, hint, note, children }: LabelledProps) {
  const id = useId();
  if (hint === undefined)
    return (
      <InlineField label={<span className="figure-label">{label}</span>}>
        {children({})}
      </InlineField>
    );
  return (
    <div className="figure-field">
      <label htmlFor={id}>
        <code>{label}</code> <span className="note">{hint}</span>
      </label>
      {children({ id })}
      <span className="note">{note}</span>
    </div>
  );
}

type NumberFieldProps = NumberChoice & Pick<ControlProps, "panel" | "choose">;

function NumberField(props: NumberFieldProps) {
  const { label, chosen, value, slider, min, max, names, write, panel, choose } = props;
  const set = (next: NumberChoice["chosen"]) => choose(write(next));
  const typed = (text: string) => {
    const number = Number(text);
    if (text.trim() === "") set(undefined);
    else if (number >= min && number <= max) set(number);
  };
  return (
    <Labelled {...props}>
      {(own) => (
        <>
          <input
            {...own}
            type="range"
            {...slider}
            value={value ?? slider.max}
            data-testid={`${panel}-slide-${label}`}
            onChange={({ target }) => set(Number(target.value))}
          />
          <input
            type="number"
            aria-label={names.field}
            min={min}
            max={max}
            step="any"
            placeholder={names.unset}
            value={chosen ?? ""}
            data-testid={`${panel}-set-${label}`}
            onChange={({ target }) => typed(target.value)}
          />
          {names.none !== undefined && (
            <CheckBox
              checked={chosen === null}
              onChange={({ target }) => set(target.checked ? null : undefined)}
            >
              {names.none}
            </CheckBox>
          )}
        </>
      )}
    </Labelled>
  );
}

function Radios({ id, look, label, options, value, testId, panel, choose }: ControlProps) {
  return (
    <fieldset className={look}>
      <legend className={look === "segments" ? "visually-hidden" : undefined}>{label}</legend>
      {options.map((one) => (
        <label key={one.value} title={one.hint}>
          <input
            type="radio"
            name={`${panel}-${id}`}
            value={one.value}
            checked={one.value === value}
            disabled={one.disabled}
            data-testid={testId && `${testId}-${one.value}`}
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
