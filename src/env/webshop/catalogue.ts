/** All data of one shop. Read-only: any number of episodes share it. */
import { plainTerms, type Analyser } from "./analyser.ts";
import { bm25, type Document, type Ranker, type Search } from "./bm25.ts";
import { rememberNouns, titleNouns, type NounTagger } from "./nouns.ts";
import type { Goal, Product } from "./product.ts";

export interface Catalogue {
  products: readonly Product[];
  byAsin: ReadonlyMap<string, Product>;
  goals: readonly Goal[];
  /** Ranked search over the products; results are positions in `products`. */
  search: Search;
  nouns: NounTagger;
}

export interface CatalogueOptions {
  analyse?: Analyser;
  ranker?: Ranker;
  /** Nouns of a title; pass lists here if better ones than `titleNouns` are known. */
  nouns?: NounTagger;
}

/** Indexes the products. Default: BM25 over plain terms, and `titleNouns`. */
export function createCatalogue(
  products: readonly Product[],
  goals: readonly Goal[],
  options: CatalogueOptions = {},
): Catalogue {
  const { analyse = plainTerms, ranker = bm25, nouns = titleNouns } = options;
  return {
    products,
    byAsin: new Map(products.map((product) => [product.asin, product])),
    goals,
    search: ranker(products.map(indexedText), analyse),
    nouns: rememberNouns(nouns),
  };
}

/** What WebShop indexes of a product: title, description, first feature and options. */
export function indexedText({ asin, title, description, features, options }: Product): Document {
  const choices = options.map(({ name, values }) => `${name}: ${values.join(", ")}`);
  const parts = [title, description, features[0] ?? "", choices.join(", and ")];
  return { id: asin, text: parts.join(" ").toLowerCase() };
}
