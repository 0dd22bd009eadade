/** One field of the form, with what is wrong with it beside it. */
import { useId } from "react";
import { limitsOf } from "../spec/limits.ts";
import { fieldText, type SpecDraft } from "../store/specDraft.ts";
import type { FormField } from "./formFields.ts";

interface FieldProps {
  field: FormField;
  draft: SpecDraft;
  /** Shown in grey while the field is empty. */
  placeholder?: string;
  onChange: (text: string) => void;
}

export function Field({ field, draft, placeholder, onChange }: FieldProps) {
  const { path, label, options } = field;
  const id = useId();
  const hint = hintOf(field, draft);
  // In the form a field has a name, and no path.
  const problem = draft.pending[path]?.problem.replaceAll(path, label);
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  const shared = {
    id,
    value: fieldText(draft, path),
    "data-testid": `field-${path}`,
    "aria-invalid": problem !== undefined,
    "aria-describedby": described || undefined,
  };
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {options ? (
        <select {...shared} onChange={({ target }) => onChange(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          inputMode="decimal"
          spellCheck={false}
          placeholder={placeholder ?? field.absent?.replace("-", "−")}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {hint !== "" && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem !== undefined && (
        <span className="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

/** What it means, and what is allowed. */
function hintOf({ path, hint = "", unit, options }: FormField, { spec }: SpecDraft): string {
  const limits = unit === undefined || options ? null : limitsOf(spec, path);
  if (!limits) return hint;
  const range = `${shown(limits.least)} to ${shown(limits.most)} ${unit}`.trim();
  return hint === "" ? range : `${hint}; ${range}`;
}

const shown = (number: number) => number.toLocaleString("en").replace("-", "−");
