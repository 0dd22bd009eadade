/** What a shop's search box finds. */
import { permutation } from "../../numeric/rng.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Product } from "./product.ts";
import { strip } from "./pythonText.ts";

/** A ranked search returns at most this many, and so does `<r>`. */
const MAX_FOUND = 50;

/** Where a random search takes its randomness from. */
export interface Draw {
  /** Whole number, 0 .. 2^53 - 1. */
  seed: number;
  /** Whole number, 0 .. 2^32 - 1: another one for another sample. */
  turn: number;
}

/**
 * Asins found for the words of a query, best first. A first word `<r>` stands for a random sample,
 * `<a>`, `<c>` and `<q>` for all products of exactly this attribute, department or query.
 */
export function findProducts(catalogue: Catalogue, keywords: string[], draw: Draw): string[] {
  const { products } = catalogue;
  const rest = strip(keywords.slice(1).join(" "));
  const where = (test: (product: Product) => boolean) => asins(products.filter(test));
  switch (keywords[0]) {
    case "<r>":
      return asins(randomProducts(products, draw));
    case "<a>":
      return where(({ attributes }) => attributes.includes(rest));
    case "<c>":
      // WebShop reads one word here.
      return where(({ category }) => category === strip(keywords[1] ?? ""));
    case "<q>":
      return where(({ query }) => query === rest);
    default:
      return asins(catalogue.search(keywords.join(" "), MAX_FOUND).map((i) => products[i]!));
  }
}

function asins(products: readonly Product[]): string[] {
  return products.map(({ asin }) => asin);
}

function randomProducts(products: readonly Product[], { seed, turn }: Draw): Product[] {
  const key = { seed, stream: "webshop-random-search", iteration: turn, trajectory: 0, step: 0 };
  const order = permutation(products.length, key);
  return Array.from(order.subarray(0, MAX_FOUND), (i) => products[i]!);
}
