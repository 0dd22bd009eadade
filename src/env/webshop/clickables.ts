/** What can be clicked on a page, and the lists of it that agents see. */
import type { PageNode } from "./pageNodes.ts";

export type Clickable = Exclude<PageNode, { role: "text" } | { role: "searchBar" }>;

/** WebShop's own list. */
export interface Available {
  has_search_bar: boolean;
  clickables: string[];
}

/**
 * What each lower-case text would click: buttons and products, then options. Of two with the same
 * text the later one counts, at the position of the earlier.
 */
export function clickablesOf(nodes: readonly PageNode[]): Map<string, Clickable> {
  const clickables = new Map<string, Clickable>();
  for (const node of nodes) {
    const button = node.role === "button" || node.role === "product";
    if (button) clickables.set(node.text.toLowerCase(), node);
  }
  for (const node of nodes) if (node.role === "option") clickables.set(node.text, node);
  return clickables;
}

/** `clickables` may be passed if already known. */
export function availableOf(
  nodes: readonly PageNode[],
  clickables: ReadonlyMap<string, Clickable> = clickablesOf(nodes),
): Available {
  return {
    has_search_bar: nodes.some(({ role }) => role === "searchBar"),
    clickables: [...clickables.keys()],
  };
}

/**
 * RAGEN's list of actions: no `click[search]`, which does nothing, and no next page after one without
 * products.
 */
export function actionList(nodes: readonly PageNode[]): string[] {
  const { has_search_bar, clickables } = availableOf(nodes);
  const empty = !nodes.some(({ role }) => role === "product");
  const clicks = clickables.filter((text) => text !== "search" && !(text === "next >" && empty));
  const search = has_search_bar ? ["search[<content>]"] : [];
  return [...search, ...clicks.map((text) => `click[${text}]`)];
}
