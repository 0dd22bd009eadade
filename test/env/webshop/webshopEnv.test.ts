import { beforeAll, describe, expect, it } from "vitest";
import { createCatalogue, type Catalogue } from "../../../src/env/webshop/catalogue.ts";
import { actionList } from "../../../src/env/webshop/clickables.ts";
import { WebShopEnv, type WebShopOptions } from "../../../src/env/webshop/webshopEnv.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import { golden } from "./golden.ts";
import { oddCatalogue } from "./oddShop.ts";
import { goldenCatalogue } from "./sources.ts";

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await goldenCatalogue();
});

/** The goal of the golden sessions is the first after the shuffle. */
const GOAL = 0;

describe("WebShop's sessions", () => {
  it.each(golden.sessions)("are played as they were: $id", ({ observation_mode, goal, steps }) => {
    const env = new WebShopEnv(catalogue, { observation: observation_mode });
    const start = env.resetGoal(GOAL);
    expect(env.goal.instruction).toBe(goal.instruction_text);
    expect(start.observation).toBe(steps[0]!.obs);
    expect(start.info.available).toEqual(steps[0]!.available);
    for (const step of steps.slice(1)) {
      const { observation, reward, terminated, info } = env.step(step.action!);
      expect(observation).toBe(step.obs);
      expect(reward).toBeCloseTo(step.reward!, 12);
      expect(terminated).toBe(step.done);
      expect(info.available).toEqual(step.available);
      expect(info.options).toEqual(step.session_options);
      expect("asin" in env.page ? env.page.asin : null).toBe(step.session_asin);
      expect("pageNumber" in env.page ? env.page.pageNumber : null).toBe(step.session_page);
      if (step.reward_info) {
        const { rType, rAtt, wAtt, rOption, wOption, rPrice, wPrice, ...rest } = info.reward!;
        expect({
          ...{ r_type: rType, r_att: rAtt, w_att: wAtt, r_option: rOption, w_option: wOption },
          ...{ r_price: rPrice, w_price: wPrice, title_score: rest.titleScore },
          ...{ query_match: rest.queryMatch, category_match: rest.categoryMatch },
        }).toEqual(step.reward_info);
      }
    }
  });
});

/** Plays texts one after the other; the last result. */
function playAll(env: WebShopEnv, ...texts: string[]) {
  env.resetGoal(GOAL);
  return texts.map((text) => env.step(text)).at(-1)!;
}

describe("pages beyond the goldens", () => {
  let odd: Catalogue;
  let oddGoal: number;
  beforeAll(async () => {
    odd = await oddCatalogue();
    oddGoal = odd.goals.findIndex(({ asin }) => asin === "B0ODDFIRST");
  });

  const openOdd = ["search[odd lamp]", "click[b0oddfirst]"];
  const textEnv = (catalogue: Catalogue) => new WebShopEnv(catalogue);
  const richEnv = (catalogue: Catalogue) =>
    new WebShopEnv(catalogue, { observation: "text_rich", showAttributes: true });

  it("offers attributes when told to, and shows them with the product's paths", () => {
    const env = new WebShopEnv(catalogue, { showAttributes: true });
    const open = ["search[dress shirt cotton]", "click[b0syn00001]"];
    expect(playAll(env, ...open).info.available!.clickables.slice(2, 7)).toEqual([
      ...["description", "features", "reviews", "attributes", "buy now"],
    ]);
    expect(playAll(env, ...open, "click[attributes]").observation).toMatch(
      / \[SEP\] machine wash \[SEP\] long sleeve \[SEP\] fashion \[SEP\] men's dress shirts \[SEP\] Clothing, /,
    );
    const hidden = textEnv(catalogue);
    expect(playAll(hidden, ...open, "click[attributes]").info.valid).toBe(false);
  });

  it("leaves out texts as a browser's parser does", () => {
    const shown = (...texts: string[]) => playAll(textEnv(odd), ...texts).observation;
    // A description of line breaks is nothing; one feature without text is one space.
    expect(shown("search[item_page]", "click[b0lower]", "click[description]")).toMatch(/< Prev$/);
    expect(shown("search[item_page]", "click[b0lower]", "click[features]")).toMatch(
      /< Prev \[SEP\] $/,
    );
    const lines = shown("search[lamp done]", "click[search]");
    // The one word that never clicks, even where a product has it for its asin.
    expect(lines).toContain("SEARCH [SEP] Lamp done");
  });

  it("takes an option's value for the button of the same name", () => {
    const env = textEnv(odd);
    expect(playAll(env, ...openOdd, "click[buy now]").terminated).toBe(true);
    expect(playAll(env, ...openOdd, "click[description]").info.page).toBe("section");
    // Not offered as a button, but an option has its name.
    expect(playAll(env, ...openOdd, "click[attributes]").info.page).toBe("section");
    expect(playAll(env, ...openOdd, "click[next >]").info).toMatchObject({
      page: "item",
      options: { action: "next >" },
    });
    expect(playAll(env, ...openOdd, "click[back to search]").info.page).toBe("search");
  });

  it("gives a value of two groups to the later one", () => {
    const { info } = playAll(textEnv(odd), ...openOdd, "click[red]");
    expect(info.options).toEqual({ trim: "red" });
  });

  it("keeps options with names of object members apart from those", () => {
    const { info } = playAll(textEnv(odd), ...openOdd, "click[constructor]", "click[1 | 2]");
    expect(Object.entries(info.options)).toEqual([
      ["10", "1 | 2"],
      ["__proto__x", "constructor"],
    ]);
  });

  it("marks as chosen what is in quotes in the address: names too, and words of the search", () => {
    const env = richEnv(odd);
    const named = playAll(env, ...openOdd, "click[toString]".toLowerCase(), "click[café]");
    // Written as caf\u00e9 in the address, and so never marked.
    expect(named.observation).toContain("[button] café [button_]");
    expect(named.observation).toContain("[clicked button] tostring [clicked button_]");
    // The group's name is in the address, and is a value of another group.
    expect(named.observation).toContain("[clicked button] color [clicked button_]");
    expect(
      named.observation.startsWith("You have clicked tostring.\nYou have clicked color.\n"),
    ).toBe(true);
    const quoted = playAll(env, 'search[odd "red"]', "click[b0oddfirst]");
    expect(quoted.observation).toContain("  [clicked button] red [clicked button_]");
    expect(quoted.info.options).toEqual({});
  });

  it("mistakes the page after a search for its name, down to page 0", () => {
    const env = textEnv(odd);
    const prev = playAll(env, "search[search_results]", "click[b0oddfirst]", "click[< prev]");
    expect(prev.observation).toContain(
      "Back to Search [SEP] Page 0 (Total results: 1) [SEP] Next >",
    );
    expect(prev.info.available!.clickables).toEqual(["back to search", "next >"]);
    expect(env.step("click[next >]").observation).toContain("Page 1 (Total results: 1)");
    const section = ["search[item_page]", "click[b0lower]", "click[reviews]", "click[< prev]"];
    expect(playAll(env, ...section).info.page).toBe("results");
  });

  it("searches on every page, which clears the item and its options", () => {
    const env = textEnv(catalogue);
    const open = ["search[hdmi cable]", "click[b0syn00004]", "click[6 feet]", "click[features]"];
    expect(playAll(env, ...open).info.options).toEqual({ length: "6 feet" });
    expect(env.step("search[shirt]").info).toMatchObject({ page: "results", options: {} });
  });

  it("draws other random results for every page", () => {
    const env = textEnv(odd);
    const found = () => (env.page.kind === "results" ? env.page.found : []);
    playAll(env, "search[<r>]");
    const first = found();
    env.step("click[next >]");
    expect([first.length, found().length]).toEqual([50, 50]);
    expect(found()).not.toEqual(first);
  });

  it("writes what was bought as Flask writes JSON", () => {
    const env = new WebShopEnv(odd);
    env.resetGoal(oddGoal);
    const texts = [...openOdd, 'click[with "quotes"]', "click[back to search]"];
    for (const text of [...texts, ...openOdd, 'click[with "quotes"]', "click[café]"])
      env.step(text);
    const { observation } = env.step("click[buy now]");
    expect(observation).toContain('options [SEP] {"color": "caf\\u00e9"} [SEP] attrs');
  });

  it("shows reviews where a shop has them", () => {
    const [first, ...rest] = catalogue.products;
    const reviews = [{ title: "Fits", score: 4, body: "Good shirt." }];
    const products = [{ ...first!, reviews, rating: "4.0" }, ...rest];
    const env = textEnv(createCatalogue(products, catalogue.goals));
    const open = ["search[dress shirt cotton]", "click[b0syn00001]"];
    expect(playAll(env, ...open).observation).toContain("Rating: 4.0");
    expect(playAll(env, ...open, "click[reviews]").observation).toMatch(
      /< Prev \[SEP\] "Fits" \[SEP\] 4 \[SEP\] Good shirt\.$/,
    );
  });
});

describe("episodes", () => {
  it("go through the goals by seed, all of them or a chosen few", () => {
    const env = new WebShopEnv(catalogue);
    expect([0, 5, 12, 30].map((seed) => env.reset(seed).info.goal)).toEqual([0, 5, 0, 6]);
    const few = new WebShopEnv(catalogue, { goals: [7, 3] });
    expect([0, 1, 2].map((seed) => few.reset(seed).info.goal)).toEqual([7, 3, 7]);
  });

  it("end at the limit of turns, and take no step after the end", () => {
    const env = new WebShopEnv(catalogue, { maxTurns: 2, formatPenalty: -0.5 });
    env.reset(0);
    expect(env.step("hm")).toMatchObject({
      reward: -0.5,
      truncated: false,
      info: { turnsLeft: 1 },
    });
    const last = env.step("search[cable]");
    expect(last).toMatchObject({ reward: 0, truncated: true, terminated: false });
    expect(last.info.available).toBeNull();
    expect(() => env.step("search[cable]")).toThrow("the episode has ended");
  });

  it("that buy in the last turn have ended, not been cut off", () => {
    const env = new WebShopEnv(catalogue, { maxTurns: 3 });
    const bought = playAll(env, "search[cable]", "click[b0syn00005]", "click[buy now]");
    expect(bought).toMatchObject({ terminated: true, truncated: false, reward: 0 });
    expect(bought.info.reward).toMatchObject({ rType: 0, rAtt: 0, numOptionMatches: 0 });
  });

  it.each<[Partial<WebShopOptions>, string]>([
    [{ maxTurns: 0 }, "maxTurns is 0; it must be a whole number from 1 to 4294967295"],
    [
      { maxTurns: 2 ** 32 },
      "maxTurns is 4294967296; it must be a whole number from 1 to 4294967295",
    ],
    [{ formatPenalty: NaN }, "formatPenalty is NaN"],
    [{ observation: "html" as "text" }, 'observation is "html"; allowed: text, text_rich'],
    [{ goals: [] }, "goals is []"],
    [{ goals: [0, 12] }, "goals[1] is 12; it must be a whole number from 0 to 11"],
  ])("refuse the options %j", (options, message) => {
    expect(() => new WebShopEnv(catalogue, options)).toThrow(InputError);
    expect(() => new WebShopEnv(catalogue, options)).toThrow(message);
  });

  it("refuse seeds and goals that are none", () => {
    const env = new WebShopEnv(catalogue);
    expect(() => env.goal).toThrow("call reset first");
    expect(() => env.reset(-1)).toThrow(InputError);
    expect(() => env.reset(0.5)).toThrow(InputError);
    expect(() => env.resetGoal(12)).toThrow(InputError);
    for (const seed of [2 ** 53, -1, 0.5, NaN]) {
      const message = `seed is ${seed}; it must be a whole number from 0 to 9007199254740991`;
      for (const reset of [() => env.reset(seed), () => env.resetGoal(0, seed)]) {
        expect(reset).toThrow(InputError);
        expect(reset).toThrow(message);
      }
    }
    expect(() => new WebShopEnv(createCatalogue([], []))).toThrow("the catalogue has no goals");
  });
});

describe("a snapshot", () => {
  it("is refused with a goal, seed or turns that are none, and changes nothing then", () => {
    const env = new WebShopEnv(catalogue);
    env.resetGoal(GOAL, 3);
    const saved = env.snapshot();
    const refused: [object, string][] = [
      [{ goal: 12 }, "goal is 12; it must be a whole number from 0 to 11"],
      [{ seed: 2 ** 53 }, "seed is 9007199254740992; it must be a whole number from 0 to"],
      [
        { turnsLeft: 2 ** 32 },
        "turnsLeft is 4294967296; it must be a whole number from 0 to 4294967295",
      ],
      [{ turnsLeft: -1 }, "turnsLeft is -1"],
    ];
    for (const [change, message] of refused) {
      expect(() => env.restore({ ...saved, ...change })).toThrow(InputError);
      expect(() => env.restore({ ...saved, ...change })).toThrow(message);
      expect(env.snapshot()).toEqual(saved);
    }
  });

  it("may have the greatest seed and the most turns, which random searches are drawn from", () => {
    const env = new WebShopEnv(catalogue, { maxTurns: 2 ** 32 - 1 });
    env.resetGoal(GOAL, Number.MAX_SAFE_INTEGER);
    expect(env.step("search[<r>]").info.valid).toBe(true);
  });
});

describe("RAGEN's list of actions", () => {
  it("has neither the dead search button nor a page after the last", () => {
    const env = new WebShopEnv(catalogue);
    env.resetGoal(GOAL);
    expect(actionList(env.nodes)).toEqual(["search[<content>]"]);
    env.step("search[dress shirt cotton]");
    expect(actionList(env.nodes)).toEqual([
      ...["click[back to search]", "click[next >]"],
      ...["click[b0syn00001]", "click[b0syn00002]", "click[b0syn00003]"],
    ]);
    env.step("click[next >]");
    expect(actionList(env.nodes)).toEqual(["click[back to search]", "click[< prev]"]);
  });
});
