/** A button, which never submits a form unless `type` says so. */
import type { ComponentProps } from "react";

interface ButtonProps extends ComponentProps<"button"> {
  /** The main action in its place; or frameless until hovered. Absent: plain. */
  look?: "primary" | "quiet";
}

export function Button({ look, className, ...rest }: ButtonProps) {
  const classes = [look, className].filter(Boolean).join(" ") || undefined;
  return <button type="button" className={classes} {...rest} />;
}
