/** What the parts of a cell's form share: what each is given, and a label with what is wrong beside it. */
import { useId, type ReactNode } from "react";
import type { FieldChange } from "../../notebook/body.ts";
import type { TypedCell } from "../../notebook/document.ts";
import type { Experiments } from "../experiments.ts";
import type { CellField, FormType } from "./cellFormFields.ts";

/** What a field's control is given. */
export interface FieldPartProps {
  name: string;
  field: CellField;
  type: FormType;
  /** All fields of the body as they are written. */
  written: Readonly<Record<string, unknown>>;
  problem: string | undefined;
  cell: TypedCell;
  experiments: Experiments;
  change: (changes: readonly FieldChange[]) => void;
}

/** What ties a control to its label, its hint and what is wrong with it. */
interface Labelled {
  id: string;
  "data-testid": string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

interface LabelledFieldProps {
  name: string;
  label: string;
  hint?: string | undefined;
  problem: string | undefined;
  /** Over the whole width of the form. */
  wide?: boolean;
  children: (labelled: Labelled) => ReactNode;
}

export function LabelledField({ name, label, hint, problem, wide, children }: LabelledFieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div className="field" data-wide={wide}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        "data-testid": `cell-field-${name}`,
        "aria-invalid": problem !== undefined,
        "aria-describedby": described || undefined,
      })}
      {hint !== undefined && (
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

/** A value as it is written; empty where there is none. */
export function textOfField(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
