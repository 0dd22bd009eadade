/** The effect of an action: from one page to the next, as on WebShop's server. */
import type { Clickable } from "./clickables.ts";
import { findProducts, type Draw } from "./findProducts.ts";
import { productOf, type Shop } from "./pageNodes.ts";
import type { ShopAction } from "./parseAction.ts";
import { computeReward } from "./reward.ts";
import {
  addressedPage,
  SECTIONS,
  type ItemTrail,
  type SearchTrail,
  type ShopPage,
} from "./state.ts";

/**
 * The next page, or null if the action has no effect here. `clickables` are those of `page`. A
 * search works on every page, though only the first shows a search box.
 */
export function act(
  page: ShopPage,
  action: ShopAction,
  clickables: ReadonlyMap<string, Clickable>,
  shop: Shop,
  draw: Draw,
): ShopPage | null {
  const { name, argument } = action;
  const opened = page.kind === "search" ? [] : page.opened;
  if (name === "search") return search(argument.split(" "), 1, opened, shop, draw);
  const target = argument === "search" ? undefined : clickables.get(argument);
  // Pages without a trail have only the search button, which cannot be clicked.
  if (!target || page.kind === "search" || page.kind === "done") return null;
  return click(page, argument, target, shop, draw);
}

type PageWithTrail = Exclude<ShopPage, { kind: "search" } | { kind: "done" }>;

/** Names take precedence over buttons: an option called "buy now" buys. */
function click(
  page: PageWithTrail,
  name: string,
  target: Clickable,
  shop: Shop,
  draw: Draw,
): ShopPage {
  if (name === "back to search") return { kind: "search" };
  const step = pageStep(page, name);
  if (step !== null) {
    const { keywords, pageNumber, opened } = page;
    if (keywords[0] === "<r>") return search(keywords, pageNumber + step, opened, shop, draw);
    return { ...trailOf(page), kind: "results", pageNumber: pageNumber + step };
  }
  if (page.kind === "results") return openItem(page, target, shop);
  const section = SECTIONS.find((one) => one === name);
  if (section) return { ...shownItem(page), kind: "section", section };
  if (name === "buy now") return buy(shownItem(page), shop);
  return { ...shownItem(page), kind: "item", options: chosen(page, target) };
}

/** How far `< Prev` and `Next >` move through the results; null if they lead elsewhere. */
function pageStep(page: PageWithTrail, name: string): number | null {
  const at = addressedPage(page);
  if (name === "next >") return at === "results" ? 1 : null;
  if (name !== "< prev" || at === "section") return null;
  return at === "results" ? -1 : 0;
}

function search(
  keywords: string[],
  pageNumber: number,
  opened: string[],
  shop: Shop,
  draw: Draw,
): ShopPage {
  const found = findProducts(shop.catalogue, keywords, draw);
  return { kind: "results", keywords, found, pageNumber, opened };
}

function openItem(page: SearchTrail, target: Clickable, shop: Shop): ShopPage {
  const { asin } = productOf(target.text, shop.catalogue);
  const opened = page.opened.includes(asin) ? page.opened : [...page.opened, asin];
  return { ...trailOf(page), kind: "item", asin, opened, options: {} };
}

function chosen({ options }: ItemTrail, target: Clickable): ItemTrail["options"] {
  return target.role === "option" ? { ...options, [target.group]: target.text } : options;
}

function buy(trail: ItemTrail, { catalogue, goal }: Shop): ShopPage {
  const product = productOf(trail.asin, catalogue);
  const purchase = { product, price: product.price, options: trail.options };
  return { ...trail, kind: "done", reward: computeReward(purchase, goal, catalogue.nouns) };
}

function trailOf({ keywords, found, pageNumber, opened }: SearchTrail): SearchTrail {
  return { keywords, found, pageNumber, opened };
}

function shownItem(page: ItemTrail): ItemTrail {
  return { ...trailOf(page), asin: page.asin, options: page.options };
}
