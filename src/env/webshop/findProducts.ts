/** What a shop's search box finds. */
import { permutation } from "../../numeric/rng.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Product } from "./product.ts";
import { strip } from "./pythonText.ts";

/** Maximum results of a ranked search and of `<r>`. */
const MAX_FOUND = 50;

/** The random seed of a random search. */
export interface Draw {
  /** Integer, 0 .. 2^53 - 1. */
  seed: number;
  /** Integer, 0 .. 2^32 - 1: different samples need different ones. */
  turn: number;
}

/**
 * Asins found for the words of a query, best first. As the first word, `<r>` means a random sample,
 * and `<a>`, `<c>` and `<q>` mean all products of exactly this attribute, department or query.
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
      // WebShop uses only one word here.
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
