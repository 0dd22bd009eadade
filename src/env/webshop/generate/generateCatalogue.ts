/** A shop generated from a seed: a few hundred products and WebShop's synthetic goals for them. */
import { append } from "../../../numeric/lists.ts";
import { pythonRandom } from "../../random/pythonRandom.ts";
import { createCatalogue, type Catalogue, type CatalogueOptions } from "../catalogue.ts";
import { shuffleGoals, syntheticGoals, weighGoals } from "../goals.ts";
import type { Goal, Product } from "../product.ts";
import { InputError } from "../../../numeric/inputError.ts";
import { Draws } from "../draws.ts";
import { OPENINGS } from "./lexicon.ts";
import { makeProducts } from "./products.ts";

export const DEFAULT_CATALOGUE_SEED = 1;
/** Python's generator, which draws the price limits, takes seeds below 2^32 only. */
export const MAX_CATALOGUE_SEED = 2 ** 32 - 1;

/** An instruction asks for this many of a product's three attributes. */
const WANTED = 2;

/**
 * The catalogue of a seed, the same everywhere: 24 kinds of 14 products each, and a goal for every
 * combination of a product's options.
 * @throws InputError unless the seed is an integer from 0 to 2^32 - 1.
 */
export function generateCatalogue(
  seed = DEFAULT_CATALOGUE_SEED,
  options: CatalogueOptions = {},
): Catalogue {
  const making = makeCatalogue(seed, options);
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
  }
}

/** The same in slices of a few milliseconds, for callers that do other work in between. */
export function* makeCatalogue(
  seed: number,
  options: CatalogueOptions = {},
): Generator<void, Catalogue> {
  if (!Number.isInteger(seed) || seed < 0 || seed > MAX_CATALOGUE_SEED) {
    const range = `a whole number from 0 to ${MAX_CATALOGUE_SEED}`;
    throw new InputError(`the catalogue's seed is ${seed}; it must be ${range}`);
  }
  const random = pythonRandom(seed);
  const products: Product[] = [];
  const goals: Goal[] = [];
  for (const ofKind of makeProducts(seed)) {
    for (const product of ofKind) {
      const instruction = makeInstruction(product, seed, products.length);
      append(goals, syntheticGoals(product, instruction, random));
      products.push(product);
    }
    yield;
  }
  const shuffled = shuffleGoals(weighGoals(goals));
  yield;
  return createCatalogue(products, shuffled, options);
}

function makeInstruction({ asin, attributes, query }: Product, seed: number, i: number) {
  const key = { seed, stream: "webshop-instruction", iteration: i, trajectory: 0, step: 0 };
  const draws = new Draws(key);
  const wanted = draws.sample(attributes, WANTED);
  const instruction = `${draws.choice(OPENINGS)} ${wanted.join(", ")} ${query}`;
  return { asin, instruction, attributes: wanted };
}
