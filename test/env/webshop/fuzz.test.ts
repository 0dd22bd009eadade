import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { pythonRandom, type PythonRandom } from "../../../src/env/random/pythonRandom.ts";
import { createCatalogue, type Catalogue } from "../../../src/env/webshop/catalogue.ts";
import { clickablesOf } from "../../../src/env/webshop/clickables.ts";
import { generateCatalogue } from "../../../src/env/webshop/generate/generateCatalogue.ts";
import { OBSERVATION_MODES, renderPage } from "../../../src/env/webshop/render.ts";
import { shownResults, type ShopPage } from "../../../src/env/webshop/state.ts";
import { WebShopEnv } from "../../../src/env/webshop/webshopEnv.ts";
import { goldenCatalogue } from "./sources.ts";
import { oddCatalogue } from "./oddShop.ts";

let catalogues: Catalogue[];
beforeAll(async () => {
  catalogues = [await goldenCatalogue(), await oddCatalogue(), generateCatalogue(1)];
});

/** What holds on every page, whatever came before. */
function checkPage(page: ShopPage, { byAsin }: Catalogue): void {
  if (page.kind === "search") {
    expect(page).toEqual({ kind: "search" });
    return;
  }
  expect(page.pageNumber).toBeGreaterThanOrEqual(0);
  expect(new Set(page.found).size).toBe(page.found.length);
  for (const asin of [...page.found, ...page.opened]) expect(byAsin.has(asin)).toBe(true);
  expect(shownResults(page).length).toBeLessThanOrEqual(10);
  if (page.kind === "results") return;
  expect(page.found).toContain(page.asin);
  expect(page.opened).toContain(page.asin);
  const groups = byAsin.get(page.asin)!.options;
  for (const [name, value] of Object.entries(page.options)) {
    expect(groups.find((group) => group.name === name)!.values).toContain(value);
  }
  if (page.kind !== "done") return;
  expect(page.reward.reward).toBeGreaterThanOrEqual(0);
  expect(page.reward.reward).toBeLessThanOrEqual(1);
}

const WORDS = ["lamp", "search_results", "item_page", "<r>", "<a>", "<c>", "<q>", "warm light"];
const WORDS_MORE = ["garden", "fashion", "lamps", "cable", '"red"', "done", "", " ", "\u2028", "é"];
const FRAGMENTS = ["click[", "search[", "]", "[", "]]", "\n", "click", "CLICK[", "𝒳", "\0", "null"];

/** Six in ten click what is there; the others search, click what is absent, or are noise. */
function nextText(env: WebShopEnv, random: PythonRandom, noise: string[]): string {
  const words = [...WORDS, ...WORDS_MORE];
  switch (random.below(10)) {
    case 0:
      return `search[${random.choice(words)} ${random.choice(words)}]`;
    case 1:
      return `click[${random.choice([...words, "buy now", "b0syn00001", "red", "< prev"])}]`;
    case 2:
      return random.choice(FRAGMENTS) + random.choice(noise) + random.choice(FRAGMENTS);
    case 3:
      return random.choice(noise);
    default: {
      if (env.page.kind === "search" || env.page.kind === "done")
        return `search[${random.choice(words)}]`;
      // Buying ends the episode: seldom.
      const texts = [...clickablesOf(env.nodes).keys()].filter((text) => text !== "buy now");
      return `click[${random.below(40) === 0 ? "buy now" : random.choice(texts)}]`;
    }
  }
}

describe("10,000 random and adversarial actions", () => {
  it("never throw and leave every page consistent", () => {
    const random = pythonRandom(11);
    const noise = fc.sample(fc.string({ unit: "binary", maxLength: 30 }), {
      seed: 3,
      numRuns: 500,
    });
    const counts = { valid: 0, invalid: 0, ended: 0, kinds: new Set<string>() };
    let env = start(0);
    for (let i = 0; i < 10_000; i++) {
      const before = env.page;
      const text = nextText(env, random, noise);
      const { observation, reward, terminated, truncated, info } = env.step(text);
      checkPage(env.page, env.catalogue);
      expect(observation).toBe(renderPage(env.nodes, env.options.observation));
      expect(terminated).toBe(env.page.kind === "done");
      expect(info.page).toBe(env.page.kind);
      if (!info.valid) expect(env.page).toBe(before);
      expect(reward).toBe(info.valid ? info.envReward : -0.25);
      if (!terminated) expect(info.envReward).toBe(0);
      counts[info.valid ? "valid" : "invalid"]++;
      counts.kinds.add(info.page);
      if (terminated || truncated) {
        counts.ended++;
        env = start(i);
      }
    }
    expect(counts.kinds.size).toBe(5);
    expect(counts.valid).toBeGreaterThan(3000);
    expect(counts.invalid).toBeGreaterThan(2000);
    expect(counts.ended).toBeGreaterThan(100);

    function start(seed: number): WebShopEnv {
      const fresh = new WebShopEnv(catalogues[seed % 3]!, {
        observation: OBSERVATION_MODES[seed % 2]!,
        showAttributes: seed % 3 === 0,
        formatPenalty: -0.25,
      });
      fresh.reset(seed);
      return fresh;
    }
  });

  it("do what is listed: every clickable that the grammar can name changes or repeats a page", () => {
    const random = pythonRandom(5);
    for (const catalogue of catalogues) {
      const env = new WebShopEnv(catalogue, { showAttributes: true, maxTurns: 1000 });
      env.reset(1);
      for (let i = 0; i < 150 && env.page.kind !== "done"; i++) {
        const here = env.snapshot();
        for (const text of env.step("nothing").info.available!.clickables) {
          env.restore(here);
          const nameable = text !== "search" && text !== "" && !/[[\]\n]/.test(text);
          expect({ text, valid: env.step(`click[${text}]`).info.valid }).toEqual({
            text,
            valid: nameable,
          });
        }
        env.restore(here);
        env.step(i % 9 === 0 ? "search[lamp cable]" : nextText(env, random, ["x"]));
      }
    }
  });
});

/** Texts of 10^5 characters: words, one word, brackets, and characters of two code units. */
const LONG_TEXTS = ["lamp ", "x", "[", "]", "click[", "𝒳", "search_results ", '"', "\\"].map(
  (piece) => piece.repeat(Math.ceil(1e5 / piece.length)).slice(0, 1e5),
);

describe("texts of 100,000 characters", () => {
  it("never throw, and pages after a search for them still work", () => {
    for (const catalogue of catalogues) {
      const env = new WebShopEnv(catalogue);
      for (const text of LONG_TEXTS) {
        env.reset(1);
        for (const one of [text, `click[${text}]`, `search[lamp ${text}]`]) {
          env.step(one);
          checkPage(env.page, catalogue);
        }
        for (let i = 0; i < 3 && env.page.kind !== "done"; i++) {
          const { clickables } = env.step("nothing").info.available!;
          const last = clickables.at(-1)!;
          expect(env.step(`click[${last}]`).info.valid).toBe(last !== "search");
          checkPage(env.page, catalogue);
        }
      }
    }
  });

  it("may be a product's too: it is found, shown and bought", () => {
    const [golden] = catalogues;
    const [first] = golden!.products;
    for (const text of LONG_TEXTS) {
      const [title, description, features] = [`lamp ${text}`, text, [text, "warm light"]];
      const long = { ...first!, title, description, features };
      const goal = { ...golden!.goals[0]!, name: title, query: first!.query };
      const env = new WebShopEnv(createCatalogue([long], [goal]));
      env.resetGoal(0);
      const item = `click[${first!.asin.toLowerCase()}]`;
      const section = "click[description]";
      for (const one of ["search[lamp]", item, section, "click[< prev]", "click[buy now]"]) {
        expect(env.step(one).info.valid).toBe(true);
        checkPage(env.page, env.catalogue);
      }
      expect(env.page.kind).toBe("done");
    }
  });
});

describe("a snapshot", () => {
  it("is plain data, and restored gives the same future in another environment", () => {
    const random = pythonRandom(23);
    for (let round = 0; round < 60; round++) {
      const catalogue = catalogues[round % 3]!;
      const options = { observation: OBSERVATION_MODES[round % 2]!, maxTurns: 30 };
      const env = new WebShopEnv(catalogue, options);
      env.reset(round);
      for (let i = 0; i < round % 7; i++) tryStep(env, nextText(env, random, ["y"]));
      const saved = JSON.stringify(env.snapshot());
      const copy = new WebShopEnv(catalogue, options);
      copy.restore(JSON.parse(saved) as ReturnType<typeof env.snapshot>);
      for (let i = 0; i < 12; i++) {
        const text = i === 4 ? "search[<r>]" : nextText(env, random, ["z"]);
        expect(tryStep(copy, text)).toEqual(tryStep(env, text));
      }
      expect(copy.snapshot()).toEqual(env.snapshot());
      const again = new WebShopEnv(catalogue, options);
      again.restore(JSON.parse(saved) as ReturnType<typeof env.snapshot>);
      expect(JSON.stringify(again.snapshot())).toBe(saved);
    }
  });

  /** After the end: null. */
  function tryStep(env: WebShopEnv, text: string) {
    return env.snapshot().ended ? null : env.step(text);
  }
});
