import { describe, expect, it } from "vitest";
import { fileSource } from "../../../src/env/webshop/jsonMembers.ts";
import {
  loadProducts,
  type LoadOptions,
  type LoadProgress,
} from "../../../src/env/webshop/loadProducts.ts";
import { describeWarning } from "../../../src/env/webshop/loadReport.ts";
import type { Goal } from "../../../src/env/webshop/product.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import { golden, type GoalGolden } from "./golden.ts";
import { goldenSources, jsonSource, textSource } from "./sources.ts";

function expectGoal(goal: Goal, expected: GoalGolden): void {
  expect(goal.weight).toBeCloseTo(expected.weight, 12);
  expect({ ...goal, weight: 0 }).toEqual({
    asin: expected.asin,
    category: expected.category,
    query: expected.query,
    name: expected.name,
    productCategory: expected.product_category,
    instruction: expected.instruction_text,
    attributes: expected.attributes,
    priceUpper: expected.price_upper,
    options: expected.goal_options,
    weight: 0,
  });
}

describe("WebShop's own files", () => {
  it("become the products that its loader makes", async () => {
    const { products, warnings } = await loadProducts(...goldenSources());
    expect(warnings).toEqual([]);
    for (const expected of golden.loader_expected.processed_products) {
      const product = products.find(({ asin }) => asin === expected.asin)!;
      const options = product.options.map(({ name, values }) => [name, values]);
      expect(options).toEqual(Object.entries(expected.options));
      const { title, pricing, priceText, attributes, query } = product;
      expect({ title, pricing, priceText, attributes, query }).toEqual({
        title: expected.Title,
        pricing: expected.pricing,
        priceText: expected.Price,
        attributes: expected.Attributes,
        query: expected.query,
      });
    }
  });

  it("give its synthetic goals, limits and order included", async () => {
    const { goals, counts } = await loadProducts(...goldenSources(), { seed: 7 });
    const { n_synthetic_goals, synthetic_goal_examples } = golden.loader_expected;
    expect(counts).toEqual({ rows: 16, products: 16, instructions: 3, goals: n_synthetic_goals });
    synthetic_goal_examples.forEach((expected, i) => expectGoal(goals[i]!, expected));
  });

  it("give its human goals", async () => {
    const { goals } = await loadProducts(...goldenSources(), { seed: 7, goals: "human" });
    expect(goals.length).toBe(golden.loader_expected.human_goals.length);
    golden.loader_expected.human_goals.forEach((expected, i) => expectGoal(goals[i]!, expected));
  });
});

/** Rows as the real files have them, and as broken as they may be. */
const ROW = {
  asin: "B000000001",
  name: "Desk Lamp",
  full_description: "Lights a desk.",
  small_description: ["Warm light", "Metal"],
  pricing: "$19.99",
  images: ["a.jpg", "b.jpg"],
  product_category: "Home › Lamps",
  category: "garden",
  query: " Desk LAMPS ",
  customization_options: { Color: [{ value: " Red/Blue ", image: "c.jpg" }, { value: "Tan" }] },
  average_rating: 4.5,
  seller_name: "someone",
};
const NOTES = {
  attributes: ["warm light"],
  instruction: "Find me a lamp",
  instruction_attributes: ["warm light"],
};

type Fields = Record<string, unknown>;

/** Loads a sound row first, then the given ones, all with instructions. */
async function load(rows: unknown[], options: LoadOptions = {}) {
  const notes = [ROW, ...rows].map((row) => [(row as Fields | null)?.["asin"] ?? "", NOTES]);
  return loadProducts(
    jsonSource("items.json", [ROW, ...rows], 64),
    jsonSource("ins.json", Object.fromEntries(notes), 64),
    null,
    options,
  );
}

/** The second product, and what was noted. */
async function loadRow(change: Fields) {
  const row: Fields = { ...ROW, asin: "B000000002", ...change };
  for (const key of Object.keys(row)) if (row[key] === undefined) delete row[key];
  const { products, warnings } = await load([row]);
  return { product: products[1], notes: warnings.map(describeWarning) };
}

describe("a row of the real files", () => {
  it("keeps what the shop shows", async () => {
    const { product, notes } = await loadRow({});
    expect(notes).toEqual([]);
    expect(product).toEqual({
      asin: "B000000002",
      title: "Desk Lamp",
      description: "Lights a desk.",
      features: ["Warm light", "Metal"],
      rating: "N.A.",
      reviews: [],
      priceText: "$19.99",
      pricing: [19.99],
      price: 19.99,
      category: "garden",
      query: "desk lamps",
      productCategory: "Home › Lamps",
      attributes: ["warm light"],
      options: [{ name: "color", values: ["red | blue", "tan"] }],
      image: "a.jpg",
    });
  });

  it.each<[unknown, number[], string, boolean]>([
    ["", [100], "$100.0", false],
    [null, [100], "$100.0", false],
    [undefined, [100], "$100.0", false],
    ["$1,299.00", [1299], "$1299.0", false],
    ["$19.99 - $34.99", [19.99, 34.99], "$19.99 to $34.99", false],
    ["$1.00 $2.00 $3.00", [1, 2], "$1.0 to $2.0", false],
    ["from $5", [5], "$5.0", false],
    [7.5, [7.5], "$7.5", false],
    ["5 dollars", [100], "$100.0", true],
    ["$", [100], "$100.0", true],
    ["$1.2.3 - $4", [4], "$4.0", true],
    [["$5"], [100], "$100.0", true],
    [-3, [100], "$100.0", true],
  ])("with pricing %j costs %j", async (pricing, prices, text, odd) => {
    const { product, notes } = await loadRow({ pricing });
    expect([product!.pricing, product!.priceText]).toEqual([prices, text]);
    expect(notes.length).toBe(odd ? 1 : 0);
  });

  it("draws the price of a range by seed", async () => {
    const price = async (seed: number) => {
      const { products } = await load([{ ...ROW, asin: "B2", pricing: "$10.00 - $20.00" }], {
        seed,
      });
      return products[1]!.price;
    };
    expect(await price(1)).toBe(await price(1));
    expect(await price(1)).not.toBe(await price(2));
    // Python: random.seed(1); random.uniform(10.0, 20.0)
    expect(await price(1)).toBe(11.343642441124013);
  });

  it.each<[Fields, Fields, string | null]>([
    [{ small_description: "One text" }, { features: ["One text"] }, null],
    [{ small_description: [] }, { features: [] }, null],
    [{ small_description: null }, { features: [] }, "small_description is missing"],
    [{ small_description: ["a", 3, null] }, { features: ["a"] }, "has an entry that is not a text"],
    [{ customization_options: "" }, { options: [] }, null],
    [{ customization_options: null }, { options: [] }, null],
    [{ customization_options: undefined }, { options: [] }, null],
    [{ customization_options: { Size: null } }, { options: [] }, null],
    [{ customization_options: ["x"] }, { options: [] }, "customization_options is not an object"],
    [
      { customization_options: { Size: [{ value: 8 }, { value: null }, "9"] } },
      { options: [{ name: "size", values: ["8"] }] },
      "an option has no value: left out (1: B000000002)",
    ],
    [
      { customization_options: { SIZE: [{ value: "a" }], Size: [{ value: "b" }] } },
      { options: [{ name: "size", values: ["b"] }] },
      null,
    ],
    [
      { customization_options: { Size: [{ value: "x".repeat(1001) }, { value: "s" }] } },
      { options: [{ name: "size", values: ["s"] }] },
      "an option is longer than 1000 characters: left out (1: B000000002)",
    ],
    [
      { customization_options: { ["x".repeat(1001)]: [{ value: "s" }] } },
      { options: [] },
      "an option's name is longer than 1000 characters: left out",
    ],
    [{ full_description: null }, { description: "" }, "full_description is missing"],
    [{ query: undefined, category: 3 }, { query: "", category: "" }, "category is missing"],
    [{ images: [] }, { image: null }, null],
    [{ images: undefined }, { image: null }, null],
  ])("with %j", async (change, expected, note) => {
    const { product, notes } = await loadRow(change);
    expect(product).toMatchObject(expected);
    if (note === null) expect(notes).toEqual([]);
    else expect(notes[0]).toContain(note);
  });

  it.each<[Fields, string]>([
    [{ asin: "nan" }, 'asin is "nan": row left out (1: row 2)'],
    [{ asin: "B0000000010" }, "asin is longer than 10: row left out (1: row 2)"],
    [{ asin: undefined }, "asin is missing: row left out (1: row 2)"],
    [{ asin: ROW.asin }, "asin occurs again: row left out (1: row 2)"],
    [{ name: null }, "name is missing: row left out (1: row 2)"],
  ])("is left out with %j, and named", async (change, note) => {
    const { product, notes } = await loadRow(change);
    expect(product).toBeUndefined();
    expect(notes).toEqual([note]);
  });
});

describe("the files of attributes and instructions", () => {
  const goalsOf = async (notes: unknown, human?: unknown) => {
    const second = { ...ROW, asin: "B000000002" };
    const loaded = await loadProducts(
      jsonSource("items.json", [ROW, second]),
      jsonSource("ins.json", { [ROW.asin]: NOTES, B000000002: notes, UNKNOWN: NOTES }),
      human === undefined ? null : jsonSource("human.json", human),
      { goals: human === undefined ? "synthetic" : "human" },
    );
    return { ...loaded, notes: loaded.warnings.map(describeWarning) };
  };

  it.each<[unknown, string[], string | null]>([
    [{ attributes: ["a", "b"] }, ["a", "b"], null],
    [{ attributes: ["a"], instruction: null }, ["a"], null],
    [{}, ["DUMMY_ATTR"], null],
    [{ attributes: "a" }, ["DUMMY_ATTR"], "attributes is not a list of texts"],
    [3, ["DUMMY_ATTR"], "the entry of items_ins is not an object"],
    [{ attributes: ["a"], instruction: "x" }, ["a"], "no text or no attributes: no goal made"],
    [
      { attributes: ["a"], instruction: "x", instruction_attributes: [] },
      ["a"],
      "no text or no attributes: no goal made",
    ],
  ])("may hold %j", async (entry, attributes, note) => {
    const { products, goals, notes } = await goalsOf(entry);
    expect(products[1]!.attributes).toEqual(attributes);
    expect(goals.every(({ asin }) => asin === ROW.asin)).toBe(true);
    if (note === null) expect(notes).toEqual([]);
    else expect(notes[0]).toContain(note);
  });

  it("may lack a product, which then has no goal", async () => {
    const loaded = await loadProducts(
      jsonSource("items.json", [ROW, { ...ROW, asin: "B2" }]),
      jsonSource("ins.json", { [ROW.asin]: NOTES }),
    );
    expect(loaded.warnings.map(describeWarning)).toEqual([
      "asin is not in items_ins: no attributes, no goal (1: B2)",
    ]);
    expect(loaded.counts).toEqual({ rows: 2, products: 2, instructions: 1, goals: 2 });
  });

  it("may hold people's instructions with and without attributes, options and products", async () => {
    const said = { instruction: "..i want a lamp.", instruction_attributes: ["warm light"] };
    const { goals, notes, counts } = await goalsOf(NOTES, {
      [ROW.asin]: [
        { ...said, instruction_options: ["red"] },
        said,
        { ...said, instruction_attributes: [] },
        { instruction: 3 },
        null,
      ],
      B000000002: "none",
      GONE: [said],
    });
    expect(counts.goals).toBe(2);
    expect(goals[0]!.instruction).toMatch(/^i want a lamp, and price lower than \d0.00 dollars$/);
    expect(goals.map(({ options, weight }) => [options, weight]).sort()).toEqual([
      [[], 1],
      [["red"], 1],
    ]);
    expect(notes).toEqual([
      "a person's instruction has no attributes: no goal made (1: B000000001)",
      "a person's instruction is incomplete: no goal made (2: B000000001, B000000001)",
      "the entry of items_human_ins is not a list: left out (1: B000000002)",
      "instructions for a product that is not there: left out (1: GONE)",
    ]);
  });

  it("make no goals of options with more than 10,000 combinations", async () => {
    const many = Array.from({ length: 101 }, (_, i) => ({ value: `v${i}` }));
    const row = { ...ROW, asin: "B2", customization_options: { a: many, b: many } };
    const { goals, warnings } = await load([row]);
    expect(goals.length).toBe(2);
    expect(warnings.map(describeWarning)).toEqual([
      "has more than 10000 combinations: no goal made (1: B2)",
    ]);
  });

  it("may make no goals, where none are wanted: the products are the same", async () => {
    const items = jsonSource("items.json", [ROW, { ...ROW, asin: "B2", pricing: "$1 - $9" }]);
    const notes = jsonSource("ins.json", { [ROW.asin]: NOTES, B2: {} });
    const { products, goals, counts } = await loadProducts(items, notes, null, { goals: "none" });
    expect([goals, counts.goals, counts.products]).toEqual([[], 0, 2]);
    expect(products).toEqual((await loadProducts(items, notes)).products);
    const bare = await loadProducts(items, jsonSource("ins.json", {}), null, { goals: "none" });
    expect(bare.products.length).toBe(2);
  });

  it("leave out attributes and instructions that are too long to be compared", async () => {
    const long = "x".repeat(1001);
    const { products, goals, notes } = await goalsOf({
      attributes: ["a", long, "y".repeat(1000)],
      instruction: "x",
      instruction_attributes: [long],
    });
    expect(products[1]!.attributes).toEqual(["a", "y".repeat(1000)]);
    expect(goals.every(({ asin }) => asin === ROW.asin)).toBe(true);
    expect(notes).toEqual([
      "an attribute is longer than 1000 characters: left out (1: B000000002)",
      "an instruction asks for a text longer than 1000 characters: no goal made (1: B000000002)",
    ]);
    const said = { instruction: "i", instruction_attributes: ["a"] };
    const human = await goalsOf(NOTES, {
      [ROW.asin]: [said, { ...said, instruction_options: [long] }],
    });
    expect(human.counts.goals).toBe(1);
    expect(human.notes[0]).toContain("an instruction asks for a text longer than 1000 characters");
  });

  it("give dear products no limit", async () => {
    const limits = async (pricing: string) => {
      const { goals } = await load([{ ...ROW, asin: "B2", pricing }]);
      return goals.find(({ asin }) => asin === "B2")!;
    };
    const dear = await limits("$985.00");
    expect([dear.priceUpper, dear.instruction]).toEqual([
      1_000_000,
      expect.not.stringContaining("price"),
    ]);
    expect((await limits("$979.99")).priceUpper).toBe(990);
  });
});

describe("streamed reading", () => {
  const text = JSON.stringify([ROW, { ...ROW, asin: "B2", name: 'Lamp "é𝒳" \\ [}],{' }]);
  const notes = JSON.stringify({ [ROW.asin]: NOTES, B2: NOTES });

  it.each([1, 2, 3, 5, 64, 100_000])("in chunks of %i bytes gives the same", async (chunk) => {
    const { products } = await loadProducts(
      textSource("items.json", text, chunk),
      textSource("ins.json", notes, chunk),
    );
    expect(products.map(({ title }) => title)).toEqual(["Desk Lamp", 'Lamp "é𝒳" \\ [}],{']);
  });

  it("takes files dropped on a page, and tells its progress", async () => {
    const progress: LoadProgress[] = [];
    const { products } = await loadProducts(
      fileSource(new File([text], "dropped.json")),
      fileSource(new File([notes], "ins.json")),
      null,
      { onProgress: (at) => progress.push(at) },
    );
    expect(products.length).toBe(2);
    const size = new TextEncoder().encode(text).length;
    expect(progress).toContainEqual({ file: "dropped.json", bytes: size, size });
  });

  it("takes streams that only have readers, and stops reading at the limit", async () => {
    let cancelled = false;
    const source = textSource("items.json", text, 16);
    const chunks = (source.open() as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const reader = {
      read: () => chunks.next(),
      cancel: () => void (cancelled = true),
    };
    const stream = { getReader: () => reader } as unknown as ReadableStream<Uint8Array>;
    const { counts } = await loadProducts(
      { ...source, open: () => stream },
      textSource("ins.json", notes),
      null,
      { limit: 1 },
    );
    expect([counts.rows, cancelled]).toEqual([1, true]);
  });

  it("survives rows that are no JSON, Python's NaN and a file that is cut off", async () => {
    const broken = [
      "[",
      JSON.stringify(ROW),
      ', {"asin": "B2", "name": },',
      ' {"asin": "B3", "name": "NaN \\"Infinity\\"", "average_rating": NaN, "x": -Infinity},',
      "7,",
      ' {"asin": "B4", "na',
    ].join("");
    const { products, warnings, counts } = await loadProducts(
      textSource("items.json", `\ufeff ${broken}`),
      textSource("ins.json", notes),
    );
    expect(products.map(({ title }) => title)).toEqual(["Desk Lamp", 'NaN "Infinity"']);
    expect(counts.rows).toBe(5);
    const noted = warnings.map(describeWarning);
    expect(noted).toContain("is not valid JSON: row left out (1: row 2)");
    expect(noted).toContain("is not an object: row left out (1: row 4)");
    expect(noted).toContain("is cut off: the file ends early: row left out (1: row 5)");
  });

  it("notes a row with a stray bracket, and reads those after it", async () => {
    const rows = [ROW, { ...ROW, asin: "B2" }].map((row) => JSON.stringify(row));
    const { products, warnings } = await loadProducts(
      textSource("items.json", `[${rows[0]}, {"asin": "B3"}}, ${rows[1]}] [`),
      textSource("ins.json", notes),
    );
    expect(products.map(({ asin }) => asin)).toEqual([ROW.asin, "B2"]);
    expect(warnings.map(describeWarning)).toEqual([
      "is not valid JSON: row left out (1: row 2)",
      "is text after the end of the JSON: row left out (1: row 4)",
    ]);
  });

  it.each([
    ["", "items.json is empty; it must be JSON"],
    ["  \n", "items.json is empty; it must be JSON"],
    ["null", 'items.json begins with "null"; it must be a JSON list or object'],
    ["[]", "items.json holds no product"],
    ["[1, 2]", "items.json holds no product"],
  ])("refuses %j", async (content, message) => {
    const loading = loadProducts(textSource("items.json", content), textSource("ins.json", notes));
    await expect(loading).rejects.toThrow(InputError);
    await expect(loading).rejects.toThrow(message);
  });

  it("refuses files without a goal, and human goals without their file", async () => {
    const items = textSource("items.json", text);
    const none = loadProducts(items, jsonSource("ins.json", {}));
    await expect(none).rejects.toThrow("no goal can be made from ins.json");
    const human = loadProducts(items, textSource("ins.json", notes), null, { goals: "human" });
    await expect(human).rejects.toThrow("human goals need items_human_ins.json");
    const empty = loadProducts(items, textSource("ins.json", notes), jsonSource("human.json", {}), {
      goals: "human",
    });
    await expect(empty).rejects.toThrow("no goal can be made from human.json");
  });
});
