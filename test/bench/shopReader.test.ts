import { expect, it } from "vitest";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { expert } from "../../src/env/webshop/expert.ts";
import { buyFirst, playGoal, type Policy } from "../../src/env/webshop/policies.ts";
import { reader } from "./recipes/shopReader.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import { mean } from "../../src/numeric/statistics.ts";

const catalogue = generateCatalogue(1);
const shop = new WebShopEnv(catalogue, { maxTurns: 8 });

const worth = (policy: Policy) =>
  mean(Array.from({ length: 200 }, (_, goal) => playGoal(shop, goal, policy).reward));

it("earns nearly what the expert does, who sees the reward, and far more than who buys the first", () => {
  const [first, own, best] = [buyFirst, reader, expert()].map(worth) as [number, number, number];
  expect(own).toBeGreaterThan(first + 0.3);
  expect(own).toBeGreaterThan(0.94);
  expect(own).toBeLessThan(best);
});

it("looks at what the page shows alone", () => {
  shop.resetGoal(3);
  const { instruction } = shop.goal;
  const asked: PropertyKey[] = [];
  const goal = new Proxy({ instruction } as WebShopEnv["goal"], {
    get: (target, key) => {
      asked.push(key);
      return Reflect.get(target, key) as unknown;
    },
  });
  const { page, nodes } = shop;
  expect(reader({ page, nodes, goal } as WebShopEnv)).toMatch(/^search\[/);
  expect(new Set(asked)).toEqual(new Set(["instruction"]));
});
