/** Placeholder for a view without content yet: a sentence, and a button if something can be done about it. */
import type { ComponentProps } from "react";

export function Empty(props: ComponentProps<"p">) {
  return <p className="empty" {...props} />;
}
