/**
 * What the generated shop sells, as data. No option value contains another colour's name, no
 * attribute occurs in a word of another kind, and few words are shared by two kinds of product:
 * tests check this.
 */

export interface Kind {
  /** The search that finds it, which also ends its titles. */
  query: string;
  /** Department, and the path under it. */
  category: string;
  path: readonly string[];
  /** Lowest and highest price, in dollars. */
  prices: readonly [number, number];
  attributes: readonly string[];
  /** Option groups: name and all values that may be offered. */
  options: readonly (readonly [name: string, values: readonly string[]])[];
  /** What it is for. */
  use: string;
}

const list = (text: string) => text.split(", ");

const COLOR = ["color", list("black, white, blue, red, green, pink, purple, brown, grey, yellow")];
const SIZE = ["size", list("small, medium, large")];
const SCENT = ["scent", list("vanilla, citrus, jasmine, coconut, honey, cedar")];
const FLAVOR = ["flavor", list("ginger, cinnamon, honey, vanilla, berry, mango")];
const PACK = ["pack", list("single, double, family")];
const EDITION = ["edition", list("basic, deluxe, premium")];

interface KindRow {
  query: string;
  path: string;
  prices: [number, number];
  attributes: string;
  options: unknown[];
  use: string;
}

const row = (
  query: string,
  path: string,
  prices: [number, number],
  attributes: string,
  options: unknown[],
  use: string,
): KindRow => ({ query, path, prices, attributes, options, use });

const DEPARTMENTS: Readonly<Record<string, readonly KindRow[]>> = {
  fashion: [
    row(
      "dress shirt",
      "Fashion › Clothing › Shirts",
      [14, 70],
      "cotton, linen, slim, breathable, machine washable, stretchy, long sleeve, wrinkle free",
      [COLOR, SIZE],
      "work and weekends",
    ),
    row(
      "rain jacket",
      "Fashion › Clothing › Jackets",
      [25, 110],
      "waterproof, hooded, padded, breathable, windproof, reflective, packable, lightweight",
      [COLOR, SIZE],
      "wet days",
    ),
    row(
      "running shoes",
      "Fashion › Shoes › Running",
      [30, 120],
      "lightweight, cushioned, breathable, waterproof, non slip, vegan, reflective, flexible",
      [COLOR, ["size", list("seven, eight, nine, ten")]],
      "road and trail",
    ),
    row(
      "knit sweater",
      "Fashion › Clothing › Sweaters",
      [18, 90],
      "wool, cotton, cropped, hooded, machine washable, oversized, stretchy, warm",
      [COLOR, SIZE],
      "cold evenings",
    ),
  ],
  beauty: [
    row(
      "shampoo",
      "Beauty › Hair Care › Shampoo",
      [5, 40],
      "organic, vegan, sulfate free, gentle, volumizing, moisturizing, cruelty free, repairing",
      [SCENT, ["size", list("travel, regular, family")]],
      "daily care",
    ),
    row(
      "body lotion",
      "Beauty › Skin Care › Lotion",
      [6, 45],
      "organic, vegan, soothing, gentle, fast absorbing, moisturizing, cruelty free, firming",
      [SCENT, ["size", list("travel, regular, family")]],
      "dry skin",
    ),
    row(
      "lipstick",
      "Beauty › Makeup › Lips",
      [4, 35],
      "long lasting, vegan, smudge proof, creamy, paraben free, moisturizing, cruelty free, lightweight",
      [COLOR, ["finish", list("matte, glossy, satin, sheer")]],
      "day and night",
    ),
    row(
      "face mask",
      "Beauty › Skin Care › Masks",
      [4, 38],
      "organic, vegan, soothing, gentle, paraben free, moisturizing, cooling, brightening",
      [SCENT, PACK],
      "tired skin",
    ),
  ],
  electronics: [
    row(
      "headphones",
      "Electronics › Audio › Headphones",
      [18, 115],
      "wireless, foldable, noise cancelling, rechargeable, lightweight, sweat proof, durable, padded",
      [COLOR, EDITION],
      "music and calls",
    ),
    row(
      "bluetooth speaker",
      "Electronics › Audio › Speakers",
      [20, 110],
      "portable, waterproof, compact, rechargeable, durable, voice control, loud, dust proof",
      [COLOR, EDITION],
      "parties at home",
    ),
    row(
      "keyboard",
      "Electronics › Computers › Keyboards",
      [15, 95],
      "wireless, backlit, quiet, ergonomic, compact, mechanical, rechargeable, spill proof",
      [COLOR, ["layout", list("english, french, german, spanish")]],
      "fast typing",
    ),
    row(
      "phone charger",
      "Electronics › Phones › Chargers",
      [8, 55],
      "wireless, fast charging, portable, compact, durable, foldable, magnetic, universal",
      [COLOR, ["plug", list("american, british, european")]],
      "desk and travel bag",
    ),
  ],
  furniture: [
    row(
      "office chair",
      "Furniture › Office › Chairs",
      [40, 130],
      "ergonomic, adjustable, padded, sturdy, easy assembly, swivel, stackable, modern",
      [COLOR, ["material", list("mesh, leather, fabric, velvet")]],
      "long hours",
    ),
    row(
      "table lamp",
      "Furniture › Lighting › Lamps",
      [15, 80],
      "dimmable, adjustable, modern, rustic, touch control, energy saving, sturdy, portable",
      [COLOR, ["material", list("oak, bamboo, metal, glass")]],
      "reading corners",
    ),
    row(
      "bookshelf",
      "Furniture › Storage › Shelves",
      [35, 125],
      "wooden, sturdy, modern, rustic, easy assembly, stackable, space saving, scratch resistant",
      [COLOR, ["tiers", list("three, four, five, six")]],
      "books and plants",
    ),
    row(
      "area rug",
      "Furniture › Decor › Rugs",
      [20, 120],
      "machine washable, non slip, soft, modern, rustic, handmade, stain resistant, woven",
      [COLOR, ["shape", list("round, square, oval")]],
      "living rooms",
    ),
  ],
  grocery: [
    row(
      "herbal tea",
      "Grocery › Drinks › Tea",
      [4, 30],
      "organic, caffeine free, sugar free, vegan, kosher, soothing, fair trade, hand picked",
      [FLAVOR, PACK],
      "slow mornings",
    ),
    row(
      "ground coffee",
      "Grocery › Drinks › Coffee",
      [6, 45],
      "organic, decaf, fair trade, kosher, smooth, single origin, strong, slow roasted",
      [FLAVOR, ["grind", list("fine, coarse, medium")]],
      "early mornings",
    ),
    row(
      "cookies",
      "Grocery › Snacks › Cookies",
      [3, 28],
      "gluten free, sugar free, vegan, organic, crunchy, kosher, chewy, individually wrapped",
      [FLAVOR, PACK],
      "lunch boxes",
    ),
    row(
      "mixed nuts",
      "Grocery › Snacks › Nuts",
      [5, 40],
      "salted, oven roasted, organic, gluten free, vegan, spicy, kosher, resealable",
      [FLAVOR, PACK],
      "hungry afternoons",
    ),
  ],
  outdoors: [
    row(
      "camping tent",
      "Outdoors › Camping › Tents",
      [45, 130],
      "waterproof, lightweight, windproof, easy setup, durable, insulated, ventilated, portable",
      [COLOR, ["sleeps", list("two, four, six")]],
      "summer trips",
    ),
    row(
      "hiking backpack",
      "Outdoors › Bags › Backpacks",
      [25, 115],
      "waterproof, lightweight, durable, padded, reflective, packable, ventilated, expandable",
      [COLOR, SIZE],
      "mountain paths",
    ),
    row(
      "water bottle",
      "Outdoors › Kitchen › Bottles",
      [8, 50],
      "insulated, leak proof, lightweight, durable, reusable, dishwasher safe, collapsible, unbreakable",
      [COLOR, SIZE],
      "gym and school",
    ),
    row(
      "picnic blanket",
      "Outdoors › Garden › Blankets",
      [12, 65],
      "waterproof, machine washable, soft, foldable, portable, warm, padded, handmade",
      [COLOR, ["pattern", list("plain, striped, checked, floral")]],
      "days in the park",
    ),
  ],
};

/** Everything that is sold. */
export const KINDS: readonly Kind[] = Object.entries(DEPARTMENTS).flatMap(([category, rows]) =>
  rows.map(({ path, attributes, options, ...rest }) => ({
    ...rest,
    category,
    path: path.split(" › "),
    attributes: list(attributes),
    options: options as Kind["options"],
  })),
);

export const BRANDS: readonly string[] = list(
  "Norva, Tilo, Brima, Kestrel, Mando, Pelio, Quill, Sorrel, Tarn, Umbra, Velda, Wexo, Yarrow, Zeno, Lumo, Fenn",
);

/** How instructions begin. */
export const OPENINGS: readonly string[] = ["Find me", "I need", "I am looking for"];
