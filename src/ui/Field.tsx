/** Form fields: a label above the control with hint and problem; a label beside it; selects; check boxes. */
import { useId, type ComponentProps, type ReactNode } from "react";

/** Connects a control with its label, hint and problem. */
interface FieldControl {
  id: string;
  "aria-invalid": boolean | undefined;
  "aria-describedby": string | undefined;
}

interface FieldProps {
  label: string;
  /** Its meaning, and what is allowed. */
  hint?: ReactNode;
  /** What is wrong with the value; absent if nothing is. */
  problem?: string | undefined;
  className?: string;
  /** Test id of the hint. */
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

/** Label and control in one line. */
export function InlineField({ label, title, children }: InlineFieldProps) {
  return (
    <label className="inline-field" title={title}>
      {label}
      {children}
    </label>
  );
}

interface SelectProps<T extends string> extends Omit<ComponentProps<"select">, "value"> {
  value: T;
  /** Values with their names, in order; some may not be choosable now. */
  options: readonly (readonly [value: string, name: ReactNode, isOff?: boolean])[];
  onPick: (value: T) => void;
}

/** One of some options. */
export function Select<T extends string>({ options, onPick, ...own }: SelectProps<T>) {
  return (
    <select {...own} onChange={({ target }) => onPick(target.value as T)}>
      {options.map(([value, name, isOff]) => (
        <option key={value} value={value} disabled={isOff}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A check box, or a radio button (`type="radio"`), with its label as children. */
export function CheckBox({ title, children, ...input }: ComponentProps<"input">) {
  return (
    <label className="check" title={title}>
      <input type="checkbox" {...input} />
      {children}
    </label>
  );
}

interface CheckBoxesProps {
  /** Label of the whole list. */
  label: string;
  problem?: string | undefined;
  boxes: readonly { id: string; title: string; testId: string }[];
  /** Ids of the checked ones. The last one cannot be unchecked. */
  checked: readonly string[];
  onToggle: (id: string, on: boolean) => void;
}

/** A labelled list of check boxes, with a common problem text. */
export function CheckBoxes({ label, problem, boxes, checked, onToggle }: CheckBoxesProps) {
  const id = useId();
  return (
    <fieldset className="check-boxes" aria-describedby={problem && id}>
      <legend className="field-label">{label}</legend>
      {boxes.map((box) => (
        <CheckBox
          key={box.id}
          checked={checked.includes(box.id)}
          disabled={checked.length === 1 && checked[0] === box.id}
          data-testid={box.testId}
          onChange={({ target }) => onToggle(box.id, target.checked)}
        >
          {box.title}
        </CheckBox>
      ))}
      {problem !== undefined && (
        <span className="field-problem" id={id} role="alert">
          {problem}
        </span>
      )}
    </fieldset>
  );
}
