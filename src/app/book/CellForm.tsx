/** A cell's body as a form, beside its text: both are the body, and change it field by field. */
import { readFields, writtenFields } from "../../notebook/cellFields.ts";
import { changeBody, type FieldChange } from "../../notebook/body.ts";
import type { TypedCell } from "../../notebook/document.ts";
import { cellOf, textOfCell, writeCell } from "../../notebook/edit.ts";
import { QUIZ_KINDS } from "../../notebook/quiz.ts";
import { editBook, type BookStore } from "../../store/bookStore.ts";
import type { Experiments } from "../experiments.ts";
import { formFieldsOf, type FormType } from "./cellFormFields.ts";
import {
  LabelledField,
  numberOrText,
  textOfField,
  TypedNumber,
  type FieldPartProps,
} from "./LabelledField.tsx";
import { DataFields, FigureSelect, HandleBoxes, HandleFields } from "./ExploreFields.tsx";
import { ExperimentBoxes, MetricBoxes, MetricSelect } from "./NameBoxes.tsx";
import { PanelSelect, SettingFields } from "./PanelFields.tsx";
import { PlaceFields } from "./PlaceFields.tsx";
import { OverFields, SeedsField } from "./SweepFields.tsx";
import { words as all } from "./words.ts";

const words = all.form;

interface CellFormProps {
  store: BookStore;
  cellKey: number;
  type: FormType;
  cell: TypedCell;
  experiments: Experiments;
  label: string;
}

export function CellForm({ store, cellKey: key, type, cell, experiments, label }: CellFormProps) {
  const written = writtenFields(cell.body);
  if (written === null) return <p className="note">{words.unreadable}</p>;
  const { problems } = readFields(type, cell.body);
  const kind = kindOf(written);
  const change = (name: string, changes: readonly FieldChange[]) =>
    editBook(
      store,
      (draft) => {
        const now = cellOf(draft, key);
        return now ? writeCell(draft, key, changeBody(textOfCell(now), changes)) : draft;
      },
      // What is typed in one field is taken back at once.
      `form ${key} ${name}`,
    );
  return (
    <form
      className="cell-form"
      aria-label={words.title(label)}
      data-testid="cell-form"
      autoComplete="off"
      onSubmit={(event) => event.preventDefault()}
    >
      <About type={type} />
      {formFieldsOf(type).map(([name, field]) =>
        field.only && !field.only.includes(kind) ? null : (
          <Part
            key={name}
            {...{ name, type, written, cell, experiments }}
            field={{ ...field, ...(field.hints?.[kind] && { hint: field.hints[kind] }) }}
            problem={problems.get(name)?.replace(/^[\w.]+/, field.label)}
            change={(changes) => change(name, changes)}
          />
        ),
      )}
    </form>
  );
}

/** What the kind of cell is for, where its fields alone do not say. */
function About({ type }: { type: FormType }) {
  const about: Partial<Record<FormType, string>> = words.about;
  return about[type] && <p className="note wide">{about[type]}</p>;
}

/** Of a question; one that is unknown is taken for a choice. */
const kindOf = (written: FieldPartProps["written"]) =>
  QUIZ_KINDS.find((one) => one === written["kind"]) ?? "choice";

function Part(props: FieldPartProps) {
  switch (props.field.control) {
    case "panel":
      return <PanelSelect {...props} />;
    case "settings":
      return <SettingFields {...props} />;
    case "place":
      return <PlaceFields {...props} />;
    case "experiments":
      return <ExperimentBoxes {...props} />;
    case "metrics":
      return <MetricBoxes {...props} />;
    case "kind":
      return <KindSelect {...props} />;
    case "figure":
      return <FigureSelect {...props} />;
    case "metric":
      return <MetricSelect {...props} />;
    case "handles":
      return <HandleFields {...props} />;
    case "hidden":
      return <HandleBoxes {...props} />;
    case "data":
      return <DataFields {...props} />;
    case "over":
      return <OverFields {...props} />;
    case "seeds":
      return <SeedsField {...props} />;
    case "answer":
      return kindOf(props.written) === "choice" ? (
        <AnswerSelect {...props} />
      ) : (
        <NumberField {...props} />
      );
    case "number":
      return <NumberField {...props} />;
    case "lines":
      return <LinesField {...props} />;
    case "line":
    case "text":
      return <TextField {...props} />;
  }
}

const orNothing = (text: string) => (text === "" ? undefined : text);

function TextField({ name, field, written, problem, change }: FieldPartProps) {
  const write = (text: string) => change([{ path: [name], value: orNothing(text) }]);
  const isLong = field.control === "text";
  const value = textOfField(written[name]);
  return (
    <LabelledField {...{ name, problem }} label={field.label} hint={field.hint} wide={isLong}>
      {(labelled) =>
        isLong ? (
          <textarea
            {...labelled}
            rows={2}
            value={value}
            onChange={({ target }) => write(target.value)}
          />
        ) : (
          <input {...labelled} value={value} onChange={({ target }) => write(target.value)} />
        )
      }
    </LabelledField>
  );
}

function NumberField({ name, field, written, problem, change }: FieldPartProps) {
  const write = (text: string) => change([{ path: [name], value: numberOrText(text) }]);
  return (
    <LabelledField {...{ name, problem }} label={field.label}>
      {(labelled) => <TypedNumber {...labelled} text={textOfField(written[name])} onText={write} />}
    </LabelledField>
  );
}

function optionsIn(written: FieldPartProps["written"]): string[] {
  const options = written["options"];
  return Array.isArray(options) ? options.map(textOfField) : [];
}

/** An empty line stays while one is there to write it. */
function LinesField({ name, field, written, problem, change }: FieldPartProps) {
  const write = (lines: readonly string[]) =>
    change([{ path: [name], value: lines.join("") === "" ? undefined : lines }]);
  const lines = optionsIn(written);
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

function KindSelect({ name, field, written, problem, change }: FieldPartProps) {
  const value = textOfField(written[name]) || "choice";
  const kinds: Readonly<Record<string, string>> = {
    ...(Object.hasOwn(words.kinds, value) ? {} : { [value]: words.unknown(value) }),
    ...words.kinds,
  };
  return (
    <LabelledField
      {...{ name, problem }}
      label={field.label}
      hint={words.kindHelp[kindOf(written)]}
    >
      {(labelled) => (
        <select
          {...labelled}
          value={value}
          onChange={({ target }) => change([{ path: [name], value: target.value }])}
        >
          {Object.entries(kinds).map(([kind, title]) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

/** The options by their words; the body has their numbers. */
function AnswerSelect({ name, field, written, problem, change }: FieldPartProps) {
  const options = optionsIn(written);
  const value = textOfField(written[name]);
  const isKnown = Number(value) >= 1 && Number(value) <= options.length;
  return (
    <LabelledField {...{ name, problem }} label={field.label}>
      {(labelled) => (
        <select
          {...labelled}
          value={isKnown ? value : ""}
          onChange={({ target }) => change([{ path: [name], value: Number(target.value) }])}
        >
          {!isKnown && (
            <option value="" disabled>
              {words.choose}
            </option>
          )}
          {options.map((option, i) => (
            <option key={i} value={i + 1}>
              {option}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}
