/** Parses an action's text by WebShop's pattern `(.+)\[(.+)\]`. */

export interface ShopAction {
  name: "search" | "click";
  /** Lower case, never empty. */
  argument: string;
}

/**
 * `name[argument]` from the start of the text, case preserved; anything after the last bracket is
 * ignored. The pattern is greedy and single-line: the argument begins after the last `[` that
 * leaves it anything before the last `]`. Everything else is not an action.
 */
export function parseAction(text: string): ShopAction | null {
  const line = text.split("\n", 1)[0]!;
  const close = line.lastIndexOf("]");
  const open = close < 2 ? -1 : line.lastIndexOf("[", close - 2);
  if (open < 1) return null;
  const name = line.slice(0, open);
  if (name !== "search" && name !== "click") return null;
  return { name, argument: line.slice(open + 1, close).toLowerCase() };
}
