/** Controls of fields that several kinds of cells have. */
import {
  LabelledField,
  writtenLines,
  numberOrText,
  textOfField,
  TypedNumber,
  type FieldPartProps,
} from "./LabelledField.tsx";

const orNothing = (text: string) => (text === "" ? undefined : text);

export function LineField({ name, field, written, problem, change }: FieldPartProps) {
  const write = (text: string) => change([{ path: [name], value: orNothing(text) }]);
  return (
    <LabelledField {...{ name, problem }} label={field.label} hint={field.hint}>
      {(labelled) => (
        <input
          {...labelled}
          value={textOfField(written[name])}
          onChange={({ target }) => write(target.value)}
        />
      )}
    </LabelledField>
  );
}

export function TextField({ name, field, written, problem, change }: FieldPartProps) {
  const write = (text: string) => change([{ path: [name], value: orNothing(text) }]);
  return (
    <LabelledField {...{ name, problem }} label={field.label} hint={field.hint} wide>
      {(labelled) => (
        <textarea
          {...labelled}
          rows={2}
          value={textOfField(written[name])}
          onChange={({ target }) => write(target.value)}
        />
      )}
    </LabelledField>
  );
}

export function NumberField({ name, field, written, problem, change }: FieldPartProps) {
  const write = (text: string) => change([{ path: [name], value: numberOrText(text) }]);
  return (
    <LabelledField {...{ name, problem }} label={field.label}>
      {(labelled) => <TypedNumber {...labelled} text={textOfField(written[name])} onText={write} />}
    </LabelledField>
  );
}

/** An empty line at the end is kept for typing. */
export function LinesField({ name, field, written, problem, change }: FieldPartProps) {
  const write = (lines: readonly string[]) =>
    change([{ path: [name], value: lines.join("") === "" ? undefined : lines }]);
  const lines = writtenLines(written[name]);
  const full = lines.filter((line) => line.trim() !== "");
  return (
    <LabelledField {...{ name, problem }} label={field.label} hint={field.hint} wide>
      {(labelled) => (
        <textarea
          {...labelled}
          rows={3}
          value={lines.join("\n")}
          onChange={({ target }) => write(target.value.split("\n"))}
          onBlur={() => full.length < lines.length && write(full)}
        />
      )}
    </LabelledField>
  );
}
