/** What stands where nothing is to be seen yet: a sentence, and where something can be done about it, its button. */
import type { ComponentProps } from "react";

export function Empty(props: ComponentProps<"p">) {
  return <p className="empty" {...props} />;
}
