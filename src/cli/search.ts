/** `search webshop --query TEXT [--page P]`: the results of the shop's search. */
import { findProducts } from "../env/webshop/findProducts.ts";
import { productOf } from "../env/webshop/pageNodes.ts";
import { shownResults } from "../env/webshop/state.ts";
import { InputError } from "../numeric/inputError.ts";
import { parseArgsOf, type OptionSpec } from "./args.ts";
import type { Command } from "./command.ts";
import { CATALOGUE_OPTIONS, readCatalogue } from "./webshopData.ts";

const OPTIONS: Record<string, OptionSpec> = {
  ...CATALOGUE_OPTIONS,
  query: { type: "string" },
  page: { type: "integer", min: 1 },
  seed: { type: "integer", min: 0, max: Number.MAX_SAFE_INTEGER },
};

export const searchCommand: Command = async (argv, out) => {
  const args = parseArgsOf("search", "webshop", argv, OPTIONS);
  const query = args.string("query");
  if (!query) throw new InputError("option --query TEXT is missing or empty");
  const pageNumber = args.number("page") ?? 1;
  const catalogue = await readCatalogue(args, out, "none");
  const keywords = query.toLowerCase().split(" ");
  const found = findProducts(catalogue, keywords, { seed: args.number("seed") ?? 0, turn: 0 });
  const shown = shownResults({ keywords, found, pageNumber, opened: [] });
  const results = shown.map((asin) => {
    const { title, priceText } = productOf(asin, catalogue);
    return { id: asin, title, price: priceText };
  });
  out.json({ query, page: pageNumber, total: found.length, results });
};
