/** Pages and turns in words: headings, the log, and screen reader texts. */
import { formatNumber } from "../../../numeric/format.ts";
import { productOf, type Shop } from "../../../env/webshop/pageNodes.ts";
import { shownResults, type ShopPage } from "../../../env/webshop/state.ts";
import { here, standBefore, type Trip } from "../../../reading/shop/trip.ts";
import { shopWords, words } from "./words.ts";

/** Constant as long as a shopper stays on one page; choosing an option does not leave it. */
export function pageId(page: ShopPage): string {
  switch (page.kind) {
    case "search":
      return page.kind;
    case "results":
      return JSON.stringify([page.kind, page.keywords, page.pageNumber]);
    case "section":
      return JSON.stringify([page.kind, page.asin, page.section]);
    default:
      return JSON.stringify([page.kind, page.asin]);
  }
}

export function headingOf(page: ShopPage, { catalogue }: Shop): string {
  switch (page.kind) {
    case "search":
      return words.page.searchTitle;
    case "results":
      return words.page.results(page.keywords.join(" "));
    case "item":
      return productOf(page.asin, catalogue).title || page.asin;
    case "section":
      return shopWords[page.section];
    case "done":
      return shopWords.thanks;
  }
}

/** Which page it is and its content, as a sentence. */
export function saidOf(page: ShopPage, { catalogue }: Shop): string {
  const { said } = words;
  switch (page.kind) {
    case "search":
      return said.search;
    case "results":
      return said.results(page.pageNumber, page.found.length, shownResults(page).length);
    case "item": {
      const pairs = Object.entries(page.options).map(([name, value]) => `${name} ${value}`);
      if (pairs.length > 0) return said.chosen(pairs);
      const { title, priceText, options } = productOf(page.asin, catalogue);
      return said.item(
        title,
        priceText,
        options.map(({ name }) => name),
      );
    }
    case "section":
      return said.section(shopWords[page.section]);
    case "done":
      return said.bought(formatNumber(page.reward.reward));
  }
}

/** The result of a trip's latest turn, for a live region; at the start, the task. */
export function announcementOf(trip: Trip, shop: Shop): string {
  const last = trip.turns.at(-1);
  if (!last) return `${shopWords.instruction} ${shop.goal.instruction}`;
  if (!last.valid) return ""; // the notice beside the page reports it
  const { page, ended } = here(trip);
  const over = ended && page.kind !== "done" ? ` ${words.said.outOfTurns}` : "";
  return saidOf(page, shop) + over;
}

/** What a turn did, in a few words. */
export function didOf(trip: Trip, turn: number, { catalogue }: Shop): string {
  const { did } = words;
  const { valid, after } = trip.turns[turn]!;
  const [before, { page }] = [standBefore(trip, turn).page, after];
  if (!valid) return did.nothing;
  switch (page.kind) {
    case "search":
      return did.search;
    case "results":
      return did.results(page.pageNumber, page.found.length);
    case "item": {
      const { title } = productOf(page.asin, catalogue);
      if (before.kind !== "item")
        return before.kind === "section" ? did.backToItem(title) : did.item(title);
      const { argument } = trip.turns[turn]!.action!;
      const chosen = Object.entries(page.options).findLast(([, value]) => value === argument);
      return chosen ? did.chose(...chosen) : did.backToItem(title);
    }
    case "section":
      return did.section(page.section);
    case "done":
      return did.bought(formatNumber(page.reward.reward));
  }
}
