/**
 * Why a text had no effect. WebShop shows the same page again without a reason; a model gets none,
 * but the reader does.
 */
import { clickablesOf } from "../../../env/webshop/clickables.ts";
import type { PageNode } from "../../../env/webshop/pageNodes.ts";
import { parseAction } from "../../../env/webshop/parseAction.ts";
import { words } from "./words.ts";

const { nothing } = words;

/** A sentence for a text that had no effect on the page of these nodes. */
export function whyNothing(text: string, nodes: readonly PageNode[]): string {
  const action = parseAction(text);
  if (!action) return whyNoAction(text);
  if (action.argument === "search") return nothing.searchClick;
  const present = [...clickablesOf(nodes).keys()];
  const near = present.find((name) => name.trim() === action.argument.trim());
  return near === undefined ? nothing.absent(action.argument) : nothing.near(near);
}

function whyNoAction(text: string): string {
  if (text.trim() === "") return nothing.empty;
  const line = text.split("\n", 1)[0]!;
  if (/^(search|click)\[\s*\]/.test(line)) return nothing.noArgument;
  if (/^(search|click)\[.*\]/.test(line) && hasBracketInside(line)) return nothing.brackets;
  if (/^(search|click)\[/i.test(line) && !/^(search|click)/.test(line)) return nothing.capitals;
  if (/^(search|click)\[/.test(line)) return nothing.unclosed;
  if (text.split(/[\n\r\u2028\u2029]/).some(holdsAction)) return nothing.notFirst;
  return nothing.noAction;
}

/** For a line that begins with an action: whether there is a bracket between its first and its last one. */
function hasBracketInside(line: string): boolean {
  const inside = line.slice(line.indexOf("[") + 1, line.lastIndexOf("]"));
  return inside.includes("[") || inside.includes("]");
}

/** Whether a line contains an action. Its first start is enough: what ends another ends it too. */
function holdsAction(line: string): boolean {
  const start = /(search|click)\[/.exec(line);
  return start !== null && line.lastIndexOf("]") > start.index + start[0].length;
}
