/** A button, which never submits a form unless `type` says so. */
import { useState, type ComponentProps, type MouseEvent } from "react";

interface ButtonProps extends ComponentProps<"button"> {
  /** The main action in its place; or frameless until hovered. Absent: plain. */
  look?: "primary" | "quiet";
}

/** Disabled while it has the focus, as by its own press, it keeps it: `disabled` itself would lose it. */
export function Button({ look, className, disabled = false, ...rest }: ButtonProps) {
  const [isFocused, setFocused] = useState(false);
  const isHeld = disabled && isFocused;
  const classes = [look, className].filter(Boolean).join(" ") || undefined;
  return (
    <button
      type="button"
      className={classes}
      {...rest}
      {...(isHeld ? { "aria-disabled": true, onClick: refuse } : { disabled })}
      onFocus={(event) => {
        setFocused(true);
        rest.onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocused(false);
        rest.onBlur?.(event);
      }}
    />
  );
}

/** Nor does it submit. */
const refuse = (event: MouseEvent) => event.preventDefault();
