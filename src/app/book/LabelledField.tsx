/** Shared parts of a cell's form: their props, and a label with its problem beside it. */
import { useState, type ComponentProps, type ComponentType, type ReactNode } from "react";
import { numberIn } from "../../numeric/typedNumber.ts";
import type { FieldChange } from "../../notebook/body.ts";
import type { TypedCell } from "../../notebook/cell.ts";
import { Field } from "../../ui/Field.tsx";
import type { Experiments } from "../experiments.ts";
import { words } from "./words.ts";

type WrittenFields = Readonly<Record<string, unknown>>;

export interface CellField {
  Control: ComponentType<FieldPartProps>;
  label: string;
  hint?: string;
  /** Whether the field applies, given the others; absent: always. */
  when?(written: WrittenFields): boolean;
  /** A different hint in some cases. */
  hintFor?(written: WrittenFields): string | undefined;
}

/** Props of a field's control. */
export interface FieldPartProps {
  name: string;
  field: CellField;
  /** All fields of the body as written. */
  written: WrittenFields;
  problem: string | undefined;
  cell: TypedCell;
  experiments: Experiments;
  change: (changes: readonly FieldChange[]) => void;
}

interface LabelledFieldProps {
  name: string;
  label: string;
  hint?: string | undefined;
  problem: string | undefined;
  /** Over the whole width of the form. */
  wide?: boolean;
  children: (
    labelled: Parameters<ComponentProps<typeof Field>["children"]>[0] & { "data-testid": string },
  ) => ReactNode;
}

/** A field whose control is found by its name. */
export function LabelledField({ name, wide, children, ...field }: LabelledFieldProps) {
  return (
    <Field {...field} {...(wide === true && { className: "wide" })}>
      {(control) => children({ ...control, "data-testid": `cell-field-${name}` })}
    </Field>
  );
}

interface TypedNumberProps extends ComponentProps<"input"> {
  /** As in the body. */
  text: string;
  onText: (text: string) => void;
}

/** An input for a number. The typed text stays until the input is left: 0.10, on the way to 0.105, is the number 0.1. */
export function TypedNumber({ text, onText, ...input }: TypedNumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      {...input}
      inputMode="decimal"
      value={typed ?? text}
      onChange={({ target }) => {
        setTyped(target.value);
        onText(target.value);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

interface ListFieldProps extends Omit<LabelledFieldProps, "children"> {
  /** As written: a list, or one of its items. */
  value: unknown;
  onChange: (items: string[]) => void;
}

/** Items separated by commas. The typed text stays until the input is left: the body has no comma after the last item. */
export function ListField({ value, onChange, ...field }: ListFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = Array.isArray(value) ? value.map(textOfField).join(", ") : textOfField(value);
  const write = (now: string) => {
    setTyped(now);
    onChange(namesIn(now));
  };
  return (
    <LabelledField {...field}>
      {(labelled) => (
        <input
          {...labelled}
          value={typed ?? text}
          onChange={({ target }) => write(target.value)}
          onBlur={() => setTyped(null)}
        />
      )}
    </LabelledField>
  );
}

interface ClearingSelectProps extends Omit<FieldPartProps, "cell" | "experiments"> {
  options: readonly { id: string; title: string }[];
  /** Fields that no longer apply once another value is chosen. */
  clears: readonly string[];
}

/** One of several names, which determines other fields; an unknown name stays visible. */
export function ClearingSelect(props: ClearingSelectProps) {
  const { name, field, written, problem, change, options, clears } = props;
  const value = textOfField(written[name]);
  const isKnown = options.some(({ id }) => id === value);
  const choose = (id: string) =>
    change([
      { path: [name], value: id },
      ...clears.map((other) => ({ path: [other], value: undefined })),
    ]);
  return (
    <LabelledField {...{ name, problem }} label={field.label}>
      {(labelled) => (
        <select
          {...labelled}
          aria-invalid={labelled["aria-invalid"] || !isKnown}
          value={value}
          onChange={({ target }) => choose(target.value)}
        >
          {!isKnown && <option value={value}>{words.form.unknown(value)}</option>}
          {options.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

/** The named fields of a value; none if it has no names. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value ?? {}) as Readonly<Record<string, unknown>>;
}

/** A value as it is written; empty if there is none. */
export function textOfField(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A number typed so far, as the body stores it: text that is not yet a number is kept; undefined if nothing is typed. */
export function numberOrText(text: string): number | string | undefined {
  if (text === "") return undefined;
  return text.trim() !== "" && Number.isFinite(numberIn(text)) ? numberIn(text) : text;
}

/** The names in a field: a list, or words separated by commas. */
export function namesIn(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : textOfField(value).split(",");
  return list.map((one) => String(one).trim()).filter((one) => one !== "");
}

/** The items of a list as they are written. */
export function writtenLines(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOfField) : [];
}
