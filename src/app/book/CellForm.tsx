/** A cell's body as a form, beside its text: both edit the same body, the form field by field. */
import { textOfCell, type TypedCell } from "../../notebook/cell.ts";
import { changeBody, type FieldChange } from "../../notebook/body.ts";
import { readFields, writtenFields } from "../../notebook/cellFields.ts";
import type { FormType } from "../../notebook/cells/kinds.ts";
import { cellOf, writeCell } from "../../notebook/edit.ts";
import { editBook, type BookStore } from "../../store/bookStore.ts";
import type { Experiments } from "../experiments.ts";
import { formFieldsOf } from "./cells/forms.tsx";
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
  const change = (name: string, changes: readonly FieldChange[]) =>
    editBook(
      store,
      (draft) => {
        const now = cellOf(draft, key);
        return now ? writeCell(draft, key, changeBody(textOfCell(now), changes)) : draft;
      },
      // Undo takes back consecutive changes of one field together.
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
      {formFieldsOf(type).map(([name, field]) => {
        const hint = field.hintFor?.(written) ?? field.hint;
        return (field.when?.(written) ?? true) ? (
          <field.Control
            key={name}
            {...{ name, written, cell, experiments }}
            field={{ ...field, ...(hint !== undefined && { hint }) }}
            problem={problems.get(name)?.replace(/^[\w.]+/, field.label)}
            change={(changes) => change(name, changes)}
          />
        ) : null;
      })}
    </form>
  );
}

/** What the kind of cell is for, if its fields do not make that clear. */
function About({ type }: { type: FormType }) {
  const about: Partial<Record<FormType, string>> = words.about;
  return about[type] && <p className="note wide">{about[type]}</p>;
}
