/**
 * Why a text did nothing. WebShop shows the same page again and says nothing; the reader is told what
 * a model is not.
 */
import { clickablesOf } from "../../env/webshop/clickables.ts";
import type { PageNode } from "../../env/webshop/pageNodes.ts";
import { parseAction } from "../../env/webshop/parseAction.ts";
import { words } from "./words.ts";

const { nothing } = words;

/** A sentence for a text that did nothing on the page of these nodes. */
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
  if (/^(search|click)\[.*[[\]].*\]/.test(line)) return nothing.brackets;
  if (/^(search|click)\[/i.test(line) && !/^(search|click)/.test(line)) return nothing.capitals;
  if (/^(search|click)\[/.test(line)) return nothing.unclosed;
  if (/(search|click)\[.+\]/.test(text)) return nothing.notFirst;
  return nothing.noAction;
}
