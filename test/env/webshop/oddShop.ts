/** A shop of raw rows with everything that may confuse a page: names, values and texts alike. */
import { createCatalogue, type Catalogue } from "../../../src/env/webshop/catalogue.ts";
import { loadProducts, type LoadedShop } from "../../../src/env/webshop/loadProducts.ts";
import { jsonSource } from "./sources.ts";

const values = (...list: string[]) => list.map((value) => ({ value, image: null }));

/** Options whose names and values are also those of buttons, of each other, or of no one's. */
const ODD_OPTIONS = {
  Color: values("Red", "Café", "black\u00a0white", 'with "quotes"', "A [b]", "line\nbreak"),
  Trim: values("Red", "color", "", "search"),
  Action: values("Buy Now", "< Prev", "Next >", "Description", "Attributes", "Back to Search"),
  __proto__x: values("constructor", "toString", "__proto__"),
  "10": values("1/2", "0"),
};

/** Seventy products, so that random searches leave some out. */
export function oddRows(): Record<string, unknown>[] {
  const plain = Array.from({ length: 66 }, (_, i) => ({
    ...base(`B0ODD${String(i).padStart(5, "0")}`, `Plain Lamp number ${i}`),
    pricing: `$${i + 1}.00 - $${i + 30}.50`,
  }));
  return [
    {
      ...base("B0ODDFIRST", "Odd <b>Lamp</b> & search_results"),
      customization_options: ODD_OPTIONS,
    },
    { ...base("b0lower", "item_page Lamp"), full_description: " \n ", small_description: "" },
    { ...base("B0EMPTY", ""), full_description: "", small_description: [], product_category: "" },
    { ...base("SEARCH", "Lamp done"), small_description: [" ", "two\nlines", "Buy Now"] },
    ...plain,
  ];
}

function base(asin: string, name: string): Record<string, unknown> {
  return {
    asin,
    name,
    full_description: "A lamp that gives light.",
    small_description: ["Bright", "Warm light"],
    pricing: "$10.00",
    images: [`img/${asin}.png`],
    product_category: "Home › Lighting › Lamps",
    category: "garden",
    query: "lamps",
    customization_options: { Color: values("Red", "Blue"), Size: values("Small", "Large") },
  };
}

export async function oddShop(): Promise<LoadedShop> {
  const rows = oddRows();
  const instructions = rows.map(({ asin }) => {
    const attributes = ["warm light", "easy clean"];
    const instruction = { instruction: "Find me a lamp", instruction_attributes: attributes };
    return [asin, { attributes, ...instruction }];
  });
  const notes = Object.fromEntries(instructions) as Record<string, unknown>;
  return loadProducts(
    jsonSource("items_shuffle.json", rows, 4096),
    jsonSource("items_ins.json", notes, 4096),
  );
}

export async function oddCatalogue(): Promise<Catalogue> {
  const { products, goals } = await oddShop();
  return createCatalogue(products, goals);
}
