/** Which figure with handles a cell shows, the settings of its handles, which of them readers move, and its data. */
import type { Exploration, FigureHandle } from "../../../../panels/explore/exploration.ts";
import { explorations } from "../../../../panels/explore/explorations.ts";
import { CheckBoxes } from "../../../../ui/Field.tsx";
import {
  ClearingSelect,
  fieldsIn,
  LabelledField,
  ListField,
  namesIn,
  numberOrText,
  TypedNumber,
  textOfField,
  type FieldPartProps,
} from "../../LabelledField.tsx";
import { words as all } from "../../words.ts";

const words = all.form;

type Written = FieldPartProps["written"];

/** Null if there is no such figure. */
function explorationOf(written: Written): Exploration | null {
  const name = textOfField(written["figure"]);
  return Object.hasOwn(explorations, name) ? explorations[name]! : null;
}

const FIGURES = Object.entries(explorations).map(([id, { title }]) => ({ id, title }));

export function FigureSelect(props: FieldPartProps) {
  return <ClearingSelect {...props} options={FIGURES} clears={["set", "hide"]} />;
}

export function HandleFields({ name, field, written, problem, change }: FieldPartProps) {
  const handles = explorationOf(written)?.handles ?? [];
  const set = fieldsIn(written[name]);
  if (handles.length === 0) return null;
  return (
    <fieldset>
      <legend className="field-label">{field.label}</legend>
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      <div className="fields">
        {handles.map((handle) => (
          <HandleField
            key={handle.id}
            handle={handle}
            text={textOfField(set[handle.id])}
            onChange={(value) => change([{ path: [name, handle.id], value }])}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface HandleFieldProps {
  handle: FigureHandle;
  /** As written; empty if the cell does not set it. */
  text: string;
  onChange: (value: number | string | undefined) => void;
}

function HandleField({
  handle: { id, label, low, high, start },
  text,
  onChange,
}: HandleFieldProps) {
  const isUsable = text === "" || (Number(text) >= low && Number(text) <= high);
  const problem = isUsable ? undefined : words.must(text, words.range(low, high));
  return (
    <LabelledField name={`set-${id}`} label={label} problem={problem}>
      {(labelled) => (
        <TypedNumber
          {...labelled}
          placeholder={words.usual(String(start))}
          text={text}
          onText={(now) => onChange(numberOrText(now))}
        />
      )}
    </LabelledField>
  );
}

/** The cell names the hidden handles; readers move all others, at least one. */
export function HandleBoxes({ name, field, written, problem, change }: FieldPartProps) {
  const handles = explorationOf(written)?.handles ?? [];
  const hidden = namesIn(written[name]);
  const toggle = (id: string, on: boolean) => {
    const now = on ? hidden.filter((one) => one !== id) : [...hidden, id];
    change([{ path: [name], value: now.length === 0 ? undefined : now }]);
  };
  if (handles.length < 2) return null;
  return (
    <CheckBoxes
      label={field.label}
      problem={problem}
      boxes={handles.map(({ id, label }) => ({ id, title: label, testId: `cell-hide-${id}` }))}
      checked={handles.flatMap(({ id }) => (hidden.includes(id) ? [] : [id]))}
      onToggle={toggle}
    />
  );
}

/** The data that the figure needs, and any others that the cell has. */
export function DataFields({ name, field, written, problem, change }: FieldPartProps) {
  const data = fieldsIn(written[name]);
  const needs: readonly string[] = explorationOf(written)?.needs ?? [];
  const names = [...new Set([...needs, ...Object.keys(data)])];
  if (names.length === 0) return null;
  return (
    <fieldset>
      <legend className="field-label">{field.label}</legend>
      {problem !== undefined && <p className="field-problem">{problem}</p>}
      <div className="fields">
        {names.map((one) => (
          <DataField
            key={one}
            name={one}
            value={data[one]}
            onChange={(value) => change([{ path: [name, one], value }])}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface DataFieldProps {
  name: string;
  /** As written. */
  value: unknown;
  onChange: (value: unknown) => void;
}

/** One number if the body has no list, else a list. */
function DataField({ name, value, onChange }: DataFieldProps) {
  const labels = { name: `data-${name}`, label: name, problem: undefined };
  if (name !== "branches")
    return (
      <ListField
        {...labels}
        hint={name === "tokens" ? words.namesHint : words.dataHint}
        value={value}
        onChange={(list) => onChange(list.length === 0 ? undefined : list.map(numberOrText))}
      />
    );
  return (
    <LabelledField {...labels}>
      {(labelled) => (
        <TypedNumber
          {...labelled}
          text={textOfField(value)}
          onText={(now) => onChange(numberOrText(now))}
        />
      )}
    </LabelledField>
  );
}
