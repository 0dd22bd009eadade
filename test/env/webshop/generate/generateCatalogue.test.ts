import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../../../src/env/webshop/catalogue.ts";
import { normalizeColor } from "../../../../src/env/webshop/colors.ts";
import { findProducts } from "../../../../src/env/webshop/findProducts.ts";
import {
  generateCatalogue,
  makeCatalogue,
} from "../../../../src/env/webshop/generate/generateCatalogue.ts";
import { KINDS } from "../../../../src/env/webshop/generate/lexicon.ts";
import { buyFirst, playGoal } from "../../../../src/env/webshop/policies.ts";
import type { Goal, Options, Product } from "../../../../src/env/webshop/product.ts";
import { computeReward, type Reward } from "../../../../src/env/webshop/reward.ts";
import { WebShopEnv } from "../../../../src/env/webshop/webshopEnv.ts";
import { permutation, uniforms } from "../../../../src/numeric/rng.ts";
import { InputError } from "../../../../src/numeric/inputError.ts";
import { mean } from "../../../../src/numeric/statistics.ts";

const SEEDS = [1, 2, 3, 4_000_000_000];
const shops = new Map(SEEDS.map((seed) => [seed, generateCatalogue(seed)]));

function bought(product: Product, goal: Goal, { nouns }: Catalogue, options: Options): Reward {
  return computeReward({ product, price: product.price, options }, goal, nouns);
}

describe.each(SEEDS)("the shop of seed %i", (seed) => {
  const shop = shops.get(seed)!;
  const { products, goals } = shop;

  it("has a few hundred products in several categories, each with WebShop's goals", () => {
    expect(products.length).toBe(336);
    expect(new Set(products.map(({ category }) => category)).size).toBe(6);
    expect(new Set(products.map(({ asin }) => asin)).size).toBe(336);
    expect(goals.length).toBeGreaterThan(1000);
    const combinations = ({ options }: Product) =>
      options.reduce((count, { values }) => count * values.length, 1);
    expect(goals.length).toBe(products.reduce((sum, product) => sum + combinations(product), 0));
    for (const { asin, title, pricing, price } of products) {
      expect(asin).toMatch(/^B0[0-9A-Z]{8}$/);
      expect(title).not.toBe("");
      expect(price).toBeGreaterThanOrEqual(pricing[0]!);
      expect(price).toBeLessThanOrEqual(pricing.at(-1)!);
    }
    const share = (test: (product: Product) => boolean) => products.filter(test).length / 336;
    expect(share(({ pricing }) => pricing.length === 2)).toBeGreaterThan(0.08);
    expect(share(({ reviews }) => reviews.length > 0)).toBeGreaterThan(0.6);
    expect(share(({ options }) => options.length === 2)).toBeGreaterThan(0.7);
  });

  it("is the same whenever it is made", () => {
    const again = generateCatalogue(seed);
    expect(again.products).toEqual(products);
    expect(again.goals).toEqual(goals);
  });

  it("is the same made in parts, a kind of product in each", () => {
    const making = makeCatalogue(seed);
    let parts = 0;
    let step = making.next();
    for (; !step.done; step = making.next()) parts++;
    expect(parts).toBeGreaterThan(KINDS.length);
    expect(step.value.products).toEqual(products);
    expect(step.value.goals).toEqual(goals);
  });

  it("pays at most 0.1 for a product at random, bought as it is or with options at random", () => {
    const draws = uniforms({ seed, stream: "test", iteration: 0, trajectory: 0, step: 0 }, 40_000);
    let next = 0;
    const pick = <T>(list: readonly T[]) => list[Math.floor(draws[next++]! * list.length)]!;
    const rewards = Array.from({ length: 4000 }, (_, i) => {
      const product = pick(products);
      const chosen = product.options.map(({ name, values }) => [name, pick(values)]);
      const options = i % 2 === 0 ? {} : (Object.fromEntries(chosen) as Options);
      return bought(product, pick(goals), shop, options).reward;
    });
    expect(mean(rewards)).toBeLessThan(0.1);
    expect(mean(rewards)).toBeGreaterThan(0.01);
  });

  it("pays 0.4 to 0.7 for the first product found for the instruction", () => {
    const env = new WebShopEnv(shop);
    const key = { seed, stream: "test goals", iteration: 0, trajectory: 0, step: 0 };
    const chosen = [...permutation(goals.length, key).subarray(0, 400)];
    const rewards = chosen.map((goal) => playGoal(env, goal, buyFirst).reward);
    expect(mean(rewards)).toBeGreaterThan(0.4);
    expect(mean(rewards)).toBeLessThan(0.7);
  });

  it("pays 1 for the right product with the right options, whatever the goal", () => {
    const wrong = goals.filter((goal) => {
      const product = shop.byAsin.get(goal.asin)!;
      return bought(product, goal, shop, goal.options as Options).reward !== 1;
    });
    expect(wrong).toEqual([]);
  });

  it("has at least ten products for each goal's query", () => {
    for (const query of new Set(goals.map((goal) => goal.query))) {
      const found = findProducts(shop, query.split(" "), { seed: 0, turn: 0 });
      expect(found.length, query).toBeGreaterThanOrEqual(10);
      expect(products.filter((product) => product.query === query).length).toBeGreaterThan(9);
    }
  });

  it("counts an attribute just where the product has it", () => {
    for (const goal of goals.filter((_, i) => i % 7 === 0)) {
      for (const product of products.filter(({ query }) => query === goal.query)) {
        const found = bought(product, goal, shop, {}).matches.attributes;
        for (const { wanted, by } of found) {
          expect(by !== null, `${wanted} of ${product.title}`).toBe(
            product.attributes.includes(wanted),
          );
        }
      }
    }
  });

  it("has reviews that say of a product what is true of it", () => {
    for (const { attributes, reviews } of products) {
      for (const { body } of reviews) {
        expect(attributes.some((attribute) => body.includes(`really ${attribute}.`))).toBe(true);
      }
    }
  });
});

it("no option value is taken for another, in its own group or in another of the kind", () => {
  const [shop] = shops.values();
  for (const { options, query } of KINDS) {
    const all = options.flatMap(([name, values]) => values.map((value) => ({ name, value })));
    const product = shop!.products.find((one) => one.query === query)!;
    const goal = shop!.goals.find((one) => one.query === query)!;
    for (const wanted of all) {
      for (const chosen of all) {
        const asked = { ...goal, options: { [wanted.name]: wanted.value } };
        const { numOptionMatches } = bought(product, asked, shop!, { [chosen.name]: chosen.value });
        const same = chosen.name === wanted.name && chosen.value === wanted.value;
        expect(numOptionMatches, `${chosen.value} for ${wanted.value}`).toBe(same ? 1 : 0);
      }
      expect(normalizeColor(wanted.value)).toBe(wanted.value);
    }
  }
});

it("different seeds sell different things", () => {
  const titles = SEEDS.map((seed) =>
    shops
      .get(seed)!
      .products.map(({ title }) => title)
      .join(),
  );
  expect(new Set(titles).size).toBe(SEEDS.length);
});

it("a seed that is none is refused by name and range", () => {
  for (const seed of [-1, 1.5, 2 ** 32, NaN]) {
    expect(() => generateCatalogue(seed)).toThrow(InputError);
    expect(() => generateCatalogue(seed)).toThrow(/seed is .*whole number from 0 to 4294967295/);
  }
});
