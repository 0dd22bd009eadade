/** The most recently used generated shops: generating one takes a moment. */
import type { Catalogue } from "../../env/webshop/catalogue.ts";
import { generateCatalogue, makeCatalogue } from "../../env/webshop/generate/generateCatalogue.ts";
import { inSlices } from "../../numeric/sliced.ts";

/** Shops kept: a page seldom shows more than one. */
const KEPT = 3;
const kept = new Map<number, Catalogue>();
const coming = new Map<number, Promise<void>>();
const READY = Promise.resolve();

/** Immediate if it is cached. @throws InputError for an invalid seed. */
export function generatedShop(seed: number): Catalogue {
  return kept.get(seed) ?? keep(seed, generateCatalogue(seed));
}

/**
 * Generates the shop in advance, in slices, so that the page stays responsive. Does nothing for an
 * invalid seed: `generatedShop` reports it.
 */
export function prepareShop(seed: number): Promise<void> {
  return kept.has(seed) ? READY : (coming.get(seed) ?? prepare(seed));
}

function prepare(seed: number): Promise<void> {
  const ready = inSlices(makeCatalogue(seed))
    .then((catalogue) => {
      keep(seed, catalogue);
      coming.delete(seed);
    })
    .catch(() => {}); // it is cached for later calls
  coming.set(seed, ready);
  return ready;
}

function keep(seed: number, catalogue: Catalogue): Catalogue {
  kept.set(seed, catalogue);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  return catalogue;
}
