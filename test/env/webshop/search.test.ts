import { describe, expect, it } from "vitest";
import { plainTerms, stemmedTerms } from "../../../src/env/webshop/analyser.ts";
import { bm25 } from "../../../src/env/webshop/bm25.ts";
import { createCatalogue, indexedText } from "../../../src/env/webshop/catalogue.ts";
import { findProducts } from "../../../src/env/webshop/findProducts.ts";
import { pythonRandom } from "../../../src/env/random/pythonRandom.ts";
import { goldenCatalogue } from "./sources.ts";
import { oddCatalogue } from "./oddShop.ts";

const DRAW = { seed: 1, turn: 1 };

describe("analysers", () => {
  it("take runs of letters and digits without stop words", () => {
    expect(plainTerms("The Men's T-Shirt, 5XL & for café")).toEqual([
      ...["men", "s", "t", "shirt", "5xl", "caf"],
    ]);
  });

  it("take stems of words of any script", () => {
    expect(stemmedTerms("The Men's running shoes are washable: 3.5 cafés")).toEqual([
      ...["men", "run", "shoe", "washabl", "3.5", "café"],
    ]);
  });
});

describe("BM25", () => {
  /** The formula, document by document. */
  function scoreOf(text: string, query: string, texts: string[]): number {
    const lengths = texts.map((one) => plainTerms(one).length);
    const mean = lengths.reduce((a, b) => a + b) / texts.length;
    const terms = plainTerms(text);
    return plainTerms(query).reduce((sum, term) => {
      const tf = terms.filter((one) => one === term).length;
      const df = texts.filter((one) => plainTerms(one).includes(term)).length;
      const idf = Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
      return sum + (idf * tf) / (tf + 0.9 * (1 - 0.4 + (0.4 * terms.length) / mean));
    }, 0);
  }

  it("ranks as the formula on random documents, ties by id", () => {
    const random = pythonRandom(4);
    const vocabulary = "lamp red blue warm the light desk floor bulb glass".split(" ");
    const words = (n: number) =>
      Array.from({ length: n }, () => random.choice(vocabulary)).join(" ");
    for (let round = 0; round < 40; round++) {
      const texts = Array.from({ length: 30 }, () => words(1 + random.below(12)));
      // Ids in the opposite order of the documents.
      const documents = texts.map((text, i) => ({ id: `id${99 - i}`, text }));
      const search = bm25(documents, plainTerms);
      const query = words(1 + random.below(4));
      const expected = texts
        .map((text, i) => ({ i, score: scoreOf(text, query, texts) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => (Math.abs(a.score - b.score) < 1e-12 ? b.i - a.i : b.score - a.score))
        .map(({ i }) => i);
      expect(search(query, 1000)).toEqual(expected);
      expect(search(query, 3)).toEqual(expected.slice(0, 3));
    }
  });

  it("finds nothing for no words, stop words and unknown words", () => {
    const search = bm25([{ id: "a", text: "red lamp" }], plainTerms);
    for (const query of ["", "  ", "the of", "constructor", "__proto__"]) {
      expect(search(query, 10)).toEqual([]);
    }
  });

  it("is made of no documents without harm", () => {
    expect(bm25([], plainTerms)("lamp", 10)).toEqual([]);
  });
});

describe("the shop's search", () => {
  it("indexes title, description, first feature and options", async () => {
    const { products } = await goldenCatalogue();
    expect(indexedText(products[0]!)).toEqual({
      id: "B0SYN00001",
      text:
        "northfield men's cotton dress shirt a crisp cotton shirt. machine wash warm " +
        "color: white, navy | blue, and size: small, medium, large",
    });
  });

  it("knows WebShop's hidden modes", async () => {
    const catalogue = await oddCatalogue();
    const all = catalogue.products.length;
    expect(findProducts(catalogue, ["<a>", "warm", "light"], DRAW).length).toBe(all);
    expect(findProducts(catalogue, ["<a>", "warm"], DRAW)).toEqual([]);
    expect(findProducts(catalogue, ["<c>", "garden", "ignored"], DRAW).length).toBe(all);
    expect(findProducts(catalogue, ["<c>"], DRAW)).toEqual([]);
    expect(findProducts(catalogue, ["<q>", "lamps"], DRAW).length).toBe(all);
    expect(findProducts(catalogue, ["lamp"], DRAW).length).toBe(50);
  });

  it("draws random results by seed and turn", async () => {
    const catalogue = await oddCatalogue();
    const sample = (seed: number, turn: number) => findProducts(catalogue, ["<r>"], { seed, turn });
    expect(new Set(sample(1, 1)).size).toBe(50);
    expect(sample(1, 1)).toEqual(sample(1, 1));
    expect(sample(1, 1)).not.toEqual(sample(1, 2));
    expect(sample(1, 1)).not.toEqual(sample(2, 1));
  });

  it("takes another analyser and another ranker", async () => {
    const { products, goals } = await goldenCatalogue();
    const stemmed = createCatalogue(products, goals, { analyse: stemmedTerms });
    expect(findProducts(stemmed, ["shirts"], DRAW).length).toBe(3);
    const backwards = createCatalogue(products, goals, {
      ranker: (documents) => () => documents.map((_, i) => documents.length - 1 - i),
    });
    expect(findProducts(backwards, ["any"], DRAW)[0]).toBe("B0SYN00016");
  });
});
