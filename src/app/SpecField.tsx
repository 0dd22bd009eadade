/** One field of the form: its value in the draft, what is allowed, and what is wrong with the text. */
import { fieldText, type SpecDraft } from "../store/specDraft.ts";
import { Field } from "../ui/Field.tsx";
import type { FormField } from "./formFields.ts";
import { limitsOf } from "../spec/experiment.ts";

interface SpecFieldProps {
  field: FormField;
  draft: SpecDraft;
  /** Shown in grey while the field is empty. */
  placeholder?: string;
  onChange: (text: string) => void;
}

export function SpecField({ field, draft, placeholder, onChange }: SpecFieldProps) {
  const { path, label, options } = field;
  // In the form a field has a label instead of a path.
  const problem = draft.pending[path]?.problem.replaceAll(path, label);
  const shared = { value: fieldText(draft, path), "data-testid": `field-${path}` };
  return (
    <Field label={label} hint={hintOf(field, draft)} problem={problem}>
      {(control) =>
        options ? (
          <select {...control} {...shared} onChange={({ target }) => onChange(target.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...control}
            {...shared}
            type="text"
            inputMode="decimal"
            spellCheck={false}
            placeholder={placeholder ?? field.absent?.replace("-", "−")}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  );
}

/** Its meaning, and what is allowed. */
function hintOf({ path, hint = "", unit, options }: FormField, { spec }: SpecDraft): string {
  const limits = unit === undefined || options ? null : limitsOf(spec, path);
  if (!limits) return hint;
  const range = `${shown(limits.least)} to ${shown(limits.most)} ${unit}`.trim();
  return hint === "" ? range : `${hint}; ${range}`;
}

const shown = (number: number) => number.toLocaleString("en").replace("-", "−");
