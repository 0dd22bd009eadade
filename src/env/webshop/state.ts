/** A shopper's state: the page and the data it shows, as plain data. */
import type { Options } from "./product.ts";
import { pythonJson } from "./pythonText.ts";
import type { Reward } from "./reward.ts";

export const SECTIONS = ["description", "features", "reviews", "attributes"] as const;
type Section = (typeof SECTIONS)[number];

/** Kept after a search, on every page except the first. */
export interface SearchTrail {
  keywords: string[];
  /** Asins found, best first. */
  found: string[];
  /** Page of results, from 1 (and 0 through one of WebShop's quirks). */
  pageNumber: number;
  /** Asins opened since the last visit of the search page. */
  opened: string[];
}

export interface ItemTrail extends SearchTrail {
  asin: string;
  /** Options chosen so far, in the order of the choices. */
  options: Options;
}

type SearchPage = { kind: "search" };
export type ResultsPage = SearchTrail & { kind: "results" };
export type ItemPage = ItemTrail & { kind: "item" };
export type SectionPage = ItemTrail & { kind: "section"; section: Section };
/** After buying. */
export type DonePage = ItemTrail & { kind: "done"; reward: Reward };

export type ShopPage = SearchPage | ResultsPage | ItemPage | SectionPage | DonePage;

export const RESULTS_PER_PAGE = 10;

/** Asins on one page of results; empty beyond the end and on page 0. */
export function shownResults({ found, pageNumber }: SearchTrail): string[] {
  const end = pageNumber * RESULTS_PER_PAGE;
  return found.slice(Math.max(0, end - RESULTS_PER_PAGE), Math.max(0, end));
}

/** The end of WebShop's address of an item page: its text mode searches this for chosen options. */
export function itemAddress({ asin, keywords, pageNumber, options }: ItemTrail): string {
  return `${asin}/${keywords.join("+")}/${pageNumber}/${pythonJson(options)}`;
}

/**
 * Which page WebShop believes it is on, for `< Prev` and `Next >`. It looks for these names
 * anywhere in the address, so a search for one of them misleads it.
 */
export function addressedPage(page: ShopPage): "results" | "item" | "section" | null {
  if (page.kind === "search" || page.kind === "done") return null;
  if (page.kind === "results") return "results";
  const address = itemAddress(page);
  if (address.includes("search_results")) return "results";
  if (page.kind === "item" || address.includes("item_page")) return "item";
  return "section";
}
