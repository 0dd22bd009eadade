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
    <TextBox {...{ name, field, problem, write }} rows={2} text={textOfField(written[name])} />
  );
}

interface TextBoxProps extends Pick<FieldPartProps, "name" | "field" | "problem"> {
  rows: number;
  text: string;
  write: (text: string) => void;
  onLeave?: () => void;
}

/** Several lines of text under a label. */
export function TextBox({ name, field, problem, rows, text, write, onLeave }: TextBoxProps) {
  return (
    <LabelledField {...{ name, problem }} label={field.label} hint={field.hint} wide>
      {(labelled) => (
        <textarea
          {...labelled}
          rows={rows}
          value={text}
          onChange={({ target }) => write(target.value)}
          onBlur={onLeave}
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
    <TextBox
      {...{ name, field, problem }}
      rows={3}
      text={lines.join("\n")}
      write={(text) => write(text.split("\n"))}
      onLeave={() => full.length < lines.length && write(full)}
    />
  );
}
