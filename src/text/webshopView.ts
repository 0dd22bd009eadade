/** What a prompt needs to know of the shopper's state; the shop's environment has all of it. */

type ShopNode =
  | { role: "text"; text: string }
  | { role: "searchBar" }
  | { role: "button"; text: string }
  /** The asin of a product in a list of results. */
  | { role: "product"; text: string; clicked: boolean }
  | { role: "option"; text: string; group: string; clicked: boolean };

export interface ShownPage {
  page: "search" | "results" | "item" | "section" | "done";
  /** Everything the page shows, in order. */
  nodes: readonly ShopNode[];
  /** What to buy. */
  instruction: string;
  /** RAGEN's list of possible actions, `search[<content>]` and `click[...]`. */
  actionList: readonly string[];
  turnsLeft: number;
  /** The last turn's reward is the sum of these two. */
  envReward: number;
  formatPenalty: number;
}

interface ShownResult {
  asin: string;
  title: string;
  price: string;
  clicked: boolean;
}

/**
 * The products of a page of results, in order: each node is followed by its title and its price.
 */
export function shownProducts(nodes: readonly ShopNode[]): ShownResult[] {
  const textAt = (i: number) => {
    const node = nodes[i];
    return node?.role === "text" ? node.text : "";
  };
  return nodes.flatMap((node, i) => {
    if (node.role !== "product") return [];
    const { text: asin, clicked } = node;
    return [{ asin, clicked, title: textAt(i + 1), price: textAt(i + 2) }];
  });
}

/** The content of a page after its last `< Prev`, or after the header, without options. */
export function contentTexts(nodes: readonly ShopNode[]): string[] {
  const groups = new Set(nodes.flatMap((node) => (node.role === "option" ? [node.group] : [])));
  const last = nodes.findLastIndex(
    (node) => node.role === "button" && /^(< prev|back to search)$/i.test(node.text),
  );
  return nodes
    .slice(last + 1)
    .flatMap((node) => (node.role === "text" && !groups.has(node.text) ? [node.text] : []));
}
