/** What a page shows, in order: the single source of its texts and clickables. */
import type { Catalogue } from "./catalogue.ts";
import type { Goal, Options, Product } from "./product.ts";
import { pythonFloat, pythonJson } from "./pythonText.ts";
import {
  itemAddress,
  shownResults,
  type DonePage,
  type ItemPage,
  type ResultsPage,
  type SectionPage,
  type ShopPage,
} from "./state.ts";

export type PageNode =
  | { role: "text"; text: string }
  | { role: "searchBar" }
  | { role: "button"; text: string }
  /** The asin of a product in a list of results. */
  | { role: "product"; text: string; clicked: boolean }
  /** A value to choose, in the option group of that name. */
  | { role: "option"; text: string; group: string; clicked: boolean };

export interface Shop {
  catalogue: Catalogue;
  goal: Goal;
  /** Whether item pages offer the attributes. */
  showAttributes: boolean;
}

/** @throws Error if the page names a product that is not in the catalogue. */
export function pageNodes(page: ShopPage, shop: Shop): PageNode[] {
  const { instruction } = shop.goal;
  switch (page.kind) {
    case "search":
      return [
        text("WebShop"),
        text("Instruction: "),
        text(instruction),
        { role: "searchBar" },
        button("Search"),
      ];
    case "results":
      return [...header(instruction), ...resultNodes(page, shop.catalogue)];
    case "item":
      return [...header(instruction), button("< Prev"), ...itemNodes(page, shop)];
    case "section":
      return [...header(instruction), button("< Prev"), ...sectionNodes(page, shop.catalogue)];
    case "done":
      return doneNodes(page);
  }
}

/** The product with that asin. @throws Error if there is none. */
export function productOf(asin: string, { byAsin }: Catalogue): Product {
  const product = byAsin.get(asin);
  if (!product) throw new Error(`the catalogue has no product ${asin}`);
  return product;
}

function text(content: string): PageNode {
  return { role: "text", text: content };
}

function button(label: string): PageNode {
  return { role: "button", text: label };
}

function header(instruction: string): PageNode[] {
  return [text("Instruction:"), text(instruction), button("Back to Search")];
}

function resultNodes(page: ResultsPage, catalogue: Catalogue): PageNode[] {
  const { pageNumber, found, opened } = page;
  const products = shownResults(page).map((asin) => productOf(asin, catalogue));
  return [
    text(`Page ${pageNumber} (Total results: ${found.length})`),
    ...(pageNumber > 1 ? [button("< Prev")] : []),
    button("Next >"),
    ...products.flatMap(({ asin, title, priceText }): PageNode[] => [
      { role: "product", text: asin, clicked: opened.includes(asin) },
      text(title),
      text(priceText),
    ]),
  ];
}

function itemNodes(page: ItemPage, { catalogue, showAttributes }: Shop): PageNode[] {
  const { title, priceText, rating, options } = productOf(page.asin, catalogue);
  const address = itemAddress(page);
  const choices = options.flatMap(({ name, values }): PageNode[] => [
    text(name),
    ...values.map((value): PageNode => {
      return { role: "option", text: value, group: name, clicked: address.includes(`"${value}"`) };
    }),
  ]);
  return [
    ...choices,
    text(title),
    text(`Price: ${priceText}`),
    text(`Rating: ${rating}`),
    ...["Description", "Features", "Reviews"].map(button),
    ...(showAttributes ? [button("Attributes")] : []),
    button("Buy Now"),
  ];
}

function sectionNodes({ asin, section }: SectionPage, catalogue: Catalogue): PageNode[] {
  const product = productOf(asin, catalogue);
  switch (section) {
    case "description":
      return [text(product.description)];
    case "features":
      return product.features.map((feature) => text(` ${feature}`));
    case "reviews":
      return product.reviews.flatMap(({ title, score, body }) =>
        [`"${title}"`, String(score), body].map(text),
      );
    case "attributes": {
      const { category, query, productCategory } = product;
      const attributes = product.attributes.map((attribute) => text(` ${attribute}`));
      return [...attributes, ...[category, query, productCategory].map(text)];
    }
  }
}

/** WebShop's text environment fills in only these three values. */
function doneNodes({ asin, options, reward }: DonePage): PageNode[] {
  const bought = ["asin", asin, "options", sortedJson(options)];
  const unknown = ["attrs", "category", "query", "product category"].flatMap((key) => [
    key,
    "None",
  ]);
  return [
    ...["Thank you for shopping with us!", "Your code: ", "None"],
    ...[" (Paste it in your MTurk interface.)", "Purchased", ...bought, ...unknown, "Target"],
    ...["asin", "options", "attrs", "price upper", "instuction text", "category"],
    ...["product category", "query", "Goal ", "None", "Reward", "Your score (min 0.0, max 1.0)"],
    ...[pythonFloat(reward.reward), "Reward Details ", "None"],
  ].map(text);
}

/** Flask's `tojson`: sorted keys, with HTML special characters escaped. */
function sortedJson(options: Options): string {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return pythonJson(Object.fromEntries(sorted)).replace(
    /[<>&']/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
