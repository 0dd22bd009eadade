import { describe, expect, it } from "vitest";
import { createCatalogue } from "../../../src/env/webshop/catalogue.ts";
import { expert } from "../../../src/env/webshop/expert.ts";
import { generateCatalogue } from "../../../src/env/webshop/generate/generateCatalogue.ts";
import {
  buyFirst,
  playGoal,
  randomPolicy,
  type Policy,
} from "../../../src/env/webshop/policies.ts";
import type { Goal, OptionGroup } from "../../../src/env/webshop/product.ts";
import { ShopTask } from "../../../src/env/webshop/shopTask.ts";
import { WebShopEnv } from "../../../src/env/webshop/webshopEnv.ts";
import { mean } from "../../../src/numeric/statistics.ts";
import { oddCatalogue } from "./oddShop.ts";
import { goldenCatalogue } from "./sources.ts";

const catalogue = generateCatalogue(1);
const shop = new WebShopEnv(catalogue, { maxTurns: 9 });

/** Over 200 goals, all over the shop. */
function play(policyOf: (episode: number) => Policy) {
  const outcomes = Array.from({ length: 200 }, (_, i) =>
    playGoal(shop, (i * 9) % catalogue.goals.length, policyOf(i)),
  );
  return {
    rewards: outcomes.map(({ reward }) => reward),
    reward: mean(outcomes.map(({ reward }) => reward)),
    success: mean(outcomes.map(({ success }) => Number(success))),
    turns: mean(outcomes.map(({ turns }) => turns)),
  };
}

describe("policies over 200 goals", () => {
  const best = play(() => expert());

  it("the expert earns more than 0.9, in about five turns", () => {
    expect(best.reward).toBeGreaterThan(0.9);
    expect(best.success).toBeGreaterThan(0.9);
    expect(best.turns).toBeLessThan(5.5);
  });

  it("the first product found earns 0.4 to 0.7, a random policy less than 0.2", () => {
    const first = play(() => buyFirst);
    expect(first.reward).toBeGreaterThan(0.4);
    expect(first.reward).toBeLessThan(0.7);
    expect(first.turns).toBe(3);
    expect(play((i) => randomPolicy(1, i)).reward).toBeLessThan(0.2);
  });

  it("noise costs the expert, the same each time for the same seed", () => {
    const noisy = (share: number, seed = 1) =>
      play((episode) => expert({ share, seed, episode })).rewards;
    const [some, much] = [noisy(0.2), noisy(0.6)];
    expect(mean(some)).toBeLessThan(best.reward);
    expect(mean(much)).toBeLessThan(mean(some));
    expect(noisy(0.6)).toEqual(much);
    expect(noisy(0.6, 2)).not.toEqual(much);
    expect(noisy(0)).toEqual(best.rewards);
  });
});

it("the expert goes on from wherever it finds itself", () => {
  const env = new WebShopEnv(catalogue, { maxTurns: 20 });
  const first = catalogue.products[0]!.asin.toLowerCase();
  const starts = [
    ["search[zzz]"],
    ["search[tea]", "click[next >]", "click[next >]"],
    [`search[${catalogue.products[0]!.title}]`, `click[${first}]`, "click[reviews]"],
  ];
  for (const start of starts) {
    env.resetGoal(5);
    for (const action of start) env.step(action);
    const policy = expert();
    for (let i = 0; env.page.kind !== "done" && i < 12; i++) env.step(policy(env));
    expect(env.page, start.join()).toMatchObject({ kind: "done", reward: { reward: 1 } });
  }
});

it("the expert shops in WebShop's own kind of data too", async () => {
  const golden = await goldenCatalogue();
  const env = new WebShopEnv(golden, { maxTurns: 15 });
  const rewards = golden.goals.map((_, goal) => playGoal(env, goal, expert()).reward);
  expect(mean(rewards)).toBeGreaterThan(0.9);
});

describe("the expert and options that no click can set", () => {
  /** Goal 0's product alone, with these options, in a shop that wants them so. */
  function play(options: OptionGroup[], wanted: Goal["options"]) {
    const goal = { ...catalogue.goals[0]!, options: wanted };
    const own = catalogue.products.find(({ asin }) => asin === goal.asin)!;
    const product = { ...own, options };
    const env = new WebShopEnv(createCatalogue([product], [goal]), { maxTurns: 9 });
    return { ...playGoal(env, 0, expert()), page: env.page };
  }

  const colors = { name: "color", values: ["red", "blue"] };
  const trims = { name: "trim", values: ["red", "black"] };

  it.each<[string, OptionGroup[], Goal["options"], object, number]>([
    // Red can only be the trim's, which then is not black: one of two wishes.
    ["in two groups", [colors, trims], { color: "red", trim: "black" }, { trim: "red" }, 4],
    ["in two groups, wanted once", [colors, trims], ["red"], { trim: "red" }, 4],
    ["beside a button", [{ name: "show", values: ["description"] }], ["description"], {}, 3],
    ["that never clicks", [{ name: "do", values: ["search"] }], ["search"], {}, 3],
    ["without text", [{ name: "do", values: ["", "a]b"] }], { do: "" }, {}, 3],
    [
      "of buttons",
      [{ name: "do", values: ["buy now", "< prev", "tan"] }],
      ["tan"],
      { do: "tan" },
      4,
    ],
  ])("buys with a value %s", (_, options, wanted, chosen, turns) => {
    const played = play(options, wanted);
    expect(played.page).toMatchObject({ kind: "done", options: chosen });
    expect(played.reward).toBeGreaterThan(0);
    expect(played.turns).toBe(turns);
  });

  it("earns what can be earned", () => {
    expect(play([colors, trims], ["red"]).reward).toBe(1);
    expect(play([colors, { name: "trim", values: ["black"] }], ["red", "black"]).reward).toBe(1);
    const half = play([colors, trims], { color: "red", trim: "black" }).page;
    expect(half).toMatchObject({ reward: { numOptionMatches: 1, rOption: 0.5 } });
  });

  it("goes by no product that no click opens", () => {
    const goal = { ...catalogue.goals[0]!, options: [] };
    const own = catalogue.products.find(({ asin }) => asin === goal.asin)!;
    const products = ["SEARCH", "A[1]", "B0OPENS"].map((asin) => ({ ...own, asin }));
    const env = new WebShopEnv(createCatalogue(products, [goal]), { maxTurns: 9 });
    expect(playGoal(env, 0, expert())).toEqual({ reward: 1, success: true, turns: 3 });
    expect(env.page).toMatchObject({ asin: "B0OPENS" });
  });

  it("ends every goal of a shop full of such values", async () => {
    const odd = await oddCatalogue();
    const env = new WebShopEnv(odd, { maxTurns: 15 });
    const goals = odd.goals.flatMap(({ asin }, i) => (asin === "B0ODDFIRST" ? [i] : []));
    const some = goals.filter((_, i) => i % Math.ceil(goals.length / 40) === 0);
    for (const goal of some) {
      const { reward, turns } = playGoal(env, goal, expert());
      expect(reward, JSON.stringify(odd.goals[goal]!.options)).toBeGreaterThan(0.5);
      expect(turns).toBeLessThan(10);
    }
  });
});

describe("ShopTask", () => {
  const task = () => new ShopTask(new WebShopEnv(catalogue, { maxTurns: 4, formatPenalty: -0.5 }));

  it("tells the actions that were taken and RAGEN's three counts", () => {
    const one = task();
    expect(one.reset(2).info.marks).toEqual({
      ...{ success_purchase: false, success_find: false, end_of_page: false },
    });
    const found = one.step("search[tea]").info;
    expect(found.actions).toEqual(["search[tea]"]);
    expect(found.instruction).toBe(catalogue.goals[2]!.instruction);
    const wrong = one.step("click[nothing]");
    expect([wrong.info.actions, wrong.info.valid, wrong.reward]).toEqual([[], false, -0.5]);
    one.step(found.actionList.find((action) => action.startsWith("click[b0"))!);
    const bought = one.step("click[buy now]");
    expect(bought.info.marks.success_purchase).toBe(true);
    expect(bought.info.marks.success_find).toBe(bought.reward === 1);
    expect(bought.info.actionList).toEqual([]);
  });

  it("sees the end of the pages: nothing to do there but to go back", () => {
    const one = task();
    one.reset(2);
    one.step("search[herbal]");
    expect(one.step("click[next >]").info.marks.end_of_page).toBe(false);
    expect(one.step("click[next >]").info.marks.end_of_page).toBe(true);
  });

  it("takes no page of a product for the end of the pages", () => {
    const one = new ShopTask(new WebShopEnv(catalogue));
    one.reset(2);
    const { actionList } = one.step("search[tea]").info;
    one.step(actionList.find((action) => action.startsWith("click[b0"))!);
    for (const section of ["description", "features", "reviews"]) {
      const { info } = one.step(`click[${section}]`);
      expect(info.actionList).toEqual(["click[back to search]", "click[< prev]"]);
      expect(info.marks.end_of_page).toBe(false);
      one.step("click[< prev]");
    }
  });

  it("restored, goes on the same", () => {
    const one = task();
    one.reset(2);
    one.step("search[tea]");
    const saved = one.snapshot();
    const next = one.step("click[next >]");
    const other = task();
    other.restore(saved);
    expect(other.step("click[next >]")).toEqual(next);
  });
});
