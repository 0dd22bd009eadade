import { describe, expect, it } from "vitest";
import type { Goal } from "../../../src/env/webshop/product.ts";
import { loadProducts } from "../../../src/env/webshop/loadProducts.ts";
import { golden, type GoalGolden } from "./golden.ts";
import { goldenSources } from "./sources.ts";

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
