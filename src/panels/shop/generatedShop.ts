/** The made-up shop that was asked for last: making one takes a moment. */
import type { Catalogue } from "../../env/webshop/catalogue.ts";
import { generateCatalogue } from "../../env/webshop/generate/generateCatalogue.ts";

let kept: { seed: number; catalogue: Catalogue } | null = null;

/** @throws InputError when the seed is none. */
export function generatedShop(seed: number): Catalogue {
  if (kept?.seed !== seed) kept = { seed, catalogue: generateCatalogue(seed) };
  return kept.catalogue;
}
