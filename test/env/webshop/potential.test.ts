import { expect, test } from "vitest";
import { expert, shopPotential } from "../../../src/env/webshop/expert.ts";
import { generateCatalogue } from "../../../src/env/webshop/generate/generateCatalogue.ts";
import { buyFirst } from "../../../src/env/webshop/policies.ts";
import { WebShopEnv } from "../../../src/env/webshop/webshopEnv.ts";

const catalogue = generateCatalogue(1);

test.each(["expert", "buyFirst"])(
  "%s: from 0, between 0 and 1, and at the end the reward",
  (name) => {
    const policy = name === "expert" ? expert() : buyFirst;
    for (let goal = 0; goal < 40; goal++) {
      const env = new WebShopEnv(catalogue);
      env.resetGoal(goal);
      const seen = [shopPotential(env)];
      for (let ended = false; !ended;) {
        const { terminated, info } = env.step(policy(env));
        ended = terminated;
        seen.push(shopPotential(env));
        if (terminated) expect(seen.at(-1)).toBe(info.envReward);
      }
      expect(seen[0]).toBe(0);
      expect(seen.every((phi) => phi >= 0 && phi <= 1)).toBe(true);
      // The expert loses nothing on its way, and each turn before the last gains something.
      const gains = seen.slice(1).map((phi, i) => phi - seen[i]!);
      if (name === "expert" && seen.at(-1) === 1) {
        expect(gains.slice(0, -1).every((gain) => gain > 0)).toBe(true);
        expect(gains.at(-1)).toBe(0);
      }
    }
  },
);

test("choosing a wanted option raises it, leaving the product lowers it, reading on changes nothing", () => {
  const env = new WebShopEnv(catalogue);
  const goal = catalogue.goals.findIndex(({ options }) => Object.keys(options).length >= 2);
  env.resetGoal(goal);
  const policy = expert();
  while (env.page.kind !== "item") env.step(policy(env));
  const opened = shopPotential(env);
  env.step("click[description]");
  expect(env.page.kind).toBe("section");
  expect(shopPotential(env)).toBe(opened);
  env.step("click[< prev]");
  env.step(policy(env));
  expect(shopPotential(env)).toBeGreaterThan(opened);
  env.step("click[back to search]");
  expect(shopPotential(env)).toBe(0);
});
