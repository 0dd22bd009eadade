/** Fields: a name above its control with what is allowed and what is wrong; a name beside it; a box to check. */
import { useId, type ComponentProps, type ReactNode } from "react";

/** What ties a control to its name, hint and problem. */
interface FieldControl {
  id: string;
  "aria-invalid": boolean | undefined;
  "aria-describedby": string | undefined;
}

interface FieldProps {
  label: string;
  /** What it means, and what is allowed. */
  hint?: ReactNode;
  /** What is wrong with what is written; absent where nothing is. */
  problem?: string | undefined;
  className?: string;
  /** Of the hint. */
  hintTestId?: string;
  children: (control: FieldControl) => ReactNode;
}

export function Field({ label, hint, problem, className, hintTestId, children }: FieldProps) {
  const id = useId();
  const hasHint = hint !== undefined && hint !== "";
  const isWrong = problem !== undefined;
  const described = [hasHint && `${id}-hint`, isWrong && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div className={className === undefined ? "field" : `field ${className}`}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        "aria-invalid": isWrong || undefined,
        "aria-describedby": described || undefined,
      })}
      {hasHint && (
        <span className="field-hint" id={`${id}-hint`} data-testid={hintTestId}>
          {hint}
        </span>
      )}
      {isWrong && (
        <span className="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

interface InlineFieldProps {
  label: ReactNode;
  title?: string;
  /** The control. */
  children: ReactNode;
}

/** Name and control in one line. */
export function InlineField({ label, title, children }: InlineFieldProps) {
  return (
    <label className="inline-field" title={title}>
      {label}
      {children}
    </label>
  );
}

/** A box to check, or one of several to pick (`type="radio"`), with its name as children. */
export function CheckBox({ title, children, ...input }: ComponentProps<"input">) {
  return (
    <label className="check" title={title}>
      <input type="checkbox" {...input} />
      {children}
    </label>
  );
}
