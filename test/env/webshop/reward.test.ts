import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COLORS, normalizeColor } from "../../../src/env/webshop/colors.ts";
import { titleNouns } from "../../../src/env/webshop/nouns.ts";
import { pythonFloat, pythonJson, pythonRepr } from "../../../src/env/webshop/pythonText.ts";
import { decodeRewardCase, rewardOfCase } from "../../../src/env/webshop/rewardCase.ts";
import { tokenSetRatio } from "../../../src/env/webshop/tokenSetRatio.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import { golden } from "./golden.ts";

/** Every field of the golden's break-down, under our names; null where the golden has none. */
const TERMS = {
  reward: "reward",
  numAttrMatches: "num_attr_matches",
  numOptionMatches: "num_option_matches",
  rType: "r_type",
  rAtt: "r_att",
  wAtt: "w_att",
  rOption: "r_option",
  wOption: "w_option",
  rPrice: "r_price",
  wPrice: "w_price",
  titleScore: "title_score",
  queryMatch: "query_match",
  categoryMatch: "category_match",
} as const;

describe("the reward", () => {
  it.each(golden.reward_cases)("is WebShop's: $id", (testCase) => {
    const reward = rewardOfCase(testCase);
    for (const [ours, theirs] of Object.entries(TERMS)) {
      const actual = reward[ours as keyof typeof TERMS];
      const expected = testCase.expected[theirs] ?? null;
      if (typeof expected === "number") expect(actual).toBeCloseTo(expected, 9);
      else expect({ [ours]: actual }).toEqual({ [ours]: expected });
    }
    expect(reward.reward).toBeCloseTo(testCase.reward_with_thefuzz_0_22_rapidfuzz, 9);
  });

  it("reads the nouns of a title as the goldens' tagger does", () => {
    for (const { product, goal, stub_nouns } of golden.reward_cases) {
      const nouns = { product: titleNouns(product.name), goal: titleNouns(goal.name) };
      expect(nouns).toEqual(stub_nouns);
    }
    const stopWords = golden._provenance.spacy_stub_stopwords.join(" ");
    expect(titleNouns(`${stopWords} Lamp`)).toEqual(["lamp"]);
  });

  it("tells which attribute and option matched, and where", () => {
    const [perfect] = golden.reward_cases;
    const { matches } = rewardOfCase({
      ...perfect,
      goal: {
        ...perfect!.goal,
        attributes: ["slim fits", "button closure", "crisp", "northfield", "silk"],
        goal_options: { size: "large", sleeve: "short" },
      },
    });
    expect(matches.attributes.map(({ by }) => by)).toEqual([
      "attribute",
      "features",
      "description",
      "title",
      null,
    ]);
    expect(matches.options).toEqual([
      { wanted: "size: large", chosen: "large" },
      { wanted: "sleeve: short", chosen: null },
    ]);
  });

  it("weighs its terms to one, and is their sum times the type", () => {
    for (const testCase of golden.reward_cases) {
      const r = rewardOfCase(testCase);
      expect(r.wAtt + (r.wOption ?? 0) + (r.wPrice ?? 0)).toBeCloseTo(1, 12);
      const options = (r.rOption ?? 0) * (r.wOption ?? 0);
      const sum = r.rAtt * r.wAtt + options + (r.rPrice ? r.wPrice! : 0);
      expect(r.reward).toBeCloseTo(r.rType * sum, 12);
    }
  });

  it("has no price term without a limit", () => {
    const [perfect] = golden.reward_cases;
    const free = rewardOfCase({ ...perfect, goal: { ...perfect!.goal, price_upper: 0 } });
    expect([free.rPrice, free.wPrice, free.reward]).toEqual([null, null, 4 / 5]);
  });

  it.each([
    [{ product: null }, "product is null; it must be an object"],
    [{ price: "12" }, 'price is "12"; it must be a number'],
    [{ goal: { name: 3 } }, "goal.attributes is nothing; it must be a list of texts"],
    [{ chosen_options: { color: 4 } }, "chosen_options.color is 4; it must be a text"],
    [{ stub_nouns: [] }, "stub_nouns is []; it must be an object"],
    [{ stub_nouns: { product: ["a", 1], goal: [] } }, "stub_nouns.product[1] is 1"],
    [
      { chosen_options: { color: "x".repeat(60_000) } },
      "chosen_options holds a text of 60000 characters",
    ],
    [{ chosen_options: { color: "x".repeat(1001) } }, "allowed are at most 1000 characters"],
    [
      { product: { ...golden.reward_cases[0]!.product, Attributes: ["a", "x".repeat(1001)] } },
      "product.Attributes holds a text of 1001 characters",
    ],
    [
      { goal: { ...golden.reward_cases[0]!.goal, attributes: ["x".repeat(1001)] } },
      "goal.attributes holds a text of 1001 characters",
    ],
    [
      { goal: { ...golden.reward_cases[0]!.goal, goal_options: { ["x".repeat(1001)]: "a" } } },
      "goal.goal_options holds a text of 1001 characters",
    ],
  ])("refuses a case with %j", (change, message) => {
    const broken = { ...golden.reward_cases[0], ...change };
    expect(() => decodeRewardCase(broken)).toThrow(InputError);
    expect(() => decodeRewardCase(broken)).toThrow(message);
  });
});

describe("tokenSetRatio", () => {
  it.each(golden.token_set_ratio)("of $a and $b", ({ a, b, thefuzz_0_19_difflib }) => {
    expect(tokenSetRatio(a, b)).toBe(thefuzz_0_19_difflib);
    expect(tokenSetRatio(b, a)).toBe(thefuzz_0_19_difflib);
  });

  it("is symmetric, within 0 and 100, and 100 for a text with words and itself", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: "binary" }), (a, b) => {
        const score = tokenSetRatio(a, b);
        expect(score).toBe(tokenSetRatio(b, a));
        expect(score >= 0 && score <= 100 && Number.isInteger(score)).toBe(true);
        expect(tokenSetRatio(`${a} x`, `${a} x`)).toBe(100);
      }),
    );
  });

  it("rounds halves to even, as Python", () => {
    // "abc" in "abcd...": 2 * 1 / 16 = 12.5 %.
    expect(tokenSetRatio("a", "xxxxxxxaxxxxxxx")).toBe(12);
  });
});

describe("normalizeColor", () => {
  it.each(golden.normalize_color)("$input is $output", ({ input, output }) => {
    expect(normalizeColor(input)).toBe(output);
  });

  it("knows 102 words in alphabetical order", () => {
    expect(COLORS.length).toBe(102);
    expect([...COLORS].sort()).toEqual(COLORS);
    expect([normalizeColor("standard"), normalizeColor("dash")]).toEqual(["tan", "ash"]);
  });
});

describe("Python's texts", () => {
  it.each([
    [0, "0.0"],
    [100, "100.0"],
    [19.99, "19.99"],
    [2 / 3, "0.6666666666666666"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1e16, "1e+16"],
    [1e15, "1000000000000000.0"],
    [1.5e-12, "1.5e-12"],
  ])("str(%f) is %s", (x, text) => expect(pythonFloat(x)).toBe(text));

  it("repr and json.dumps escape what Python escapes", () => {
    expect(pythonRepr("a\u00a0b\n\\ é\u200b\u{e0001}")).toBe("a\\xa0b\\n\\\\ é\\u200b\\U000e0001");
    expect(pythonJson({ size: '10"', color: "café" })).toBe(
      '{"size": "10\\"", "color": "caf\\u00e9"}',
    );
  });
});
