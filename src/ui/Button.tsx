/** A button, which never sends a form unless `type` says so. */
import type { ComponentProps } from "react";

interface ButtonProps extends ComponentProps<"button"> {
  /** The one that matters in its place; or one without a frame until it is pointed at. Absent: plain. */
  look?: "primary" | "quiet";
}

export function Button({ look, className, ...rest }: ButtonProps) {
  const classes = [look, className].filter(Boolean).join(" ") || undefined;
  return <button type="button" className={classes} {...rest} />;
}
