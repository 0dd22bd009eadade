/** The content of a shop: products as the loader returns them, and goals to shop for. */

/** One choice on an item page, e.g. colour: white, navy. */
export interface OptionGroup {
  /** Lower case. */
  name: string;
  /** Lower case; may repeat. */
  values: string[];
}

export interface Review {
  title: string;
  /** Stars, 0 to 5. */
  score: number;
  body: string;
}

export interface Product {
  asin: string;
  /** WebShop's `name` and `Title`. */
  title: string;
  description: string;
  /** WebShop's BulletPoints, shown on the features page. */
  features: string[];
  /** "N.A." if the shop has none, as always in WebShop. */
  rating: string;
  reviews: Review[];
  /** The price shown, in dollars: "$24.5" or "$19.99 to $34.99". */
  priceText: string;
  /** The one or two prices behind it, in dollars. */
  pricing: number[];
  /**
   * What buying costs, in dollars: fixed when the catalogue is made, so that rewards are
   * reproducible.
   */
  price: number;
  /** The shop's department, e.g. "fashion". */
  category: string;
  /** The search that this product was found by, lower case. */
  query: string;
  /** Path of categories joined by " › ". */
  productCategory: string;
  attributes: string[];
  options: OptionGroup[];
  /** Address of the first picture; null without one. */
  image: string | null;
}

/** Chosen or wanted options: name to value. */
export type Options = Record<string, string>;

export interface Goal {
  /** The product that this goal was made from. */
  asin: string;
  category: string;
  query: string;
  /** Title of that product. */
  name: string;
  productCategory: string;
  /** What the shopper reads. */
  instruction: string;
  /** At least one. */
  attributes: string[];
  /** Dollars; a price up to and including it is right. */
  priceUpper: number;
  /** By name in synthetic goals, a list of values in human ones. */
  options: Options | string[];
  /** How often WebShop draws this goal, relative to the others. */
  weight: number;
}
