import { beforeAll, describe, expect, it } from "vitest";
import type { Catalogue } from "../../src/env/webshop/catalogue.ts";
import { expert } from "../../src/env/webshop/expert.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { pageNodes } from "../../src/env/webshop/pageNodes.ts";
import { buyFirst, playGoal } from "../../src/env/webshop/policies.ts";
import type { DonePage } from "../../src/env/webshop/state.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import { announcementOf, didOf, headingOf, pageId } from "../../src/panels/shared/shop/describe.ts";
import { whyNothing } from "../../src/panels/shared/shop/explain.ts";
import { anotherThan, wholeNumber } from "../../src/panels/shop/GoalPicker.tsx";
import { kindOfFile, type LoadListener } from "../../src/panels/shop/loadFiles.ts";
import { episodeBy, replayOf } from "../../src/reading/shop/replay.ts";
import { rewardInNumbers } from "../../src/panels/shared/shop/rewardFormula.ts";
import { closestAttribute, optionScores } from "../../src/panels/shared/shop/scores.ts";
import { generatedShop, prepareShop } from "../../src/reading/shop/generatedShop.ts";
import { recordedEpisode } from "../../src/reading/shop/replay.ts";
import { standingOf, tryStanding } from "../../src/reading/shop/standing.ts";
import { createShopSession } from "../../src/panels/shop/shopState.ts";
import {
  actionLines,
  beginTrip,
  elementOf,
  here,
  playTrip,
  SEARCH_BAR,
  shopOf,
  standBefore,
  takeTurn,
  TRIP_DEFAULTS,
  type Trip,
} from "../../src/reading/shop/trip.ts";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { shopRecord } from "../fixtures/shopRecord.ts";
import { goldenCatalogue } from "../env/webshop/sources.ts";
import { golden } from "../env/webshop/golden.ts";

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await goldenCatalogue();
});

/** The goal of the golden sessions: a shirt, navy | blue, large, at most 60 dollars. */
const SETUP = { ...TRIP_DEFAULTS, goal: 0 };
const TO_SHIRT = ["search[men's dress shirt cotton]", "click[b0syn00001]"];
const TRIP = [...TO_SHIRT, "click[large]", "click[purple]", "click[features]", "click[< prev]"];

const trip = (texts: string[]) => playTrip(catalogue, SETUP, texts);
const shop = () => shopOf(catalogue, SETUP);
const donePage = (done: Trip) => here(done).page as DonePage;

describe("a trip", () => {
  it("is the environment's episode, whatever is written", () => {
    for (const { steps } of golden.sessions) {
      const texts = steps.slice(1).map(({ action }) => action!);
      const env = new WebShopEnv(catalogue, { showAttributes: true });
      env.resetGoal(0);
      const played = trip(texts);
      texts.forEach((text, i) => {
        const { info } = env.step(text);
        expect(played.turns[i]).toMatchObject({ text, valid: info.valid, action: info.action });
        expect(played.turns[i]!.after.page).toEqual(env.page);
      });
    }
  });

  it("is not changed by going on from it", () => {
    const before = trip(TO_SHIRT);
    const copy = structuredClone(before);
    const one = takeTurn(catalogue, before, "click[large]");
    const other = takeTurn(catalogue, before, "click[medium]");
    expect(before).toEqual(copy);
    expect(here(one).page).toMatchObject({ options: { size: "large" } });
    expect(here(other).page).toMatchObject({ options: { size: "medium" } });
  });

  it("ends with the purchase or with the turns, and takes no more", () => {
    const bought = trip([...TO_SHIRT, "click[buy now]", "search[more]"]);
    expect(bought.turns).toHaveLength(3);
    expect(() => takeTurn(catalogue, bought, "search[more]")).toThrow("ended");
    const short = playTrip(catalogue, { ...SETUP, maxTurns: 2 }, TRIP);
    expect(here(short)).toMatchObject({ ended: true, turnsLeft: 0, page: { kind: "item" } });
    expect(announcementOf(short, shop())).toContain("All turns are used.");
  });

  it("begins where the goal says, or says why not", () => {
    expect(here(beginTrip(catalogue, SETUP)).page).toEqual({ kind: "search" });
    expect(() => beginTrip(catalogue, { ...SETUP, goal: 999 })).toThrow(/goal is 999.*0 to/);
  });

  it("comes from pasted lines as from the command line's file", () => {
    expect(actionLines("search[a]\r\nclick[b]\n")).toEqual(["search[a]", "click[b]"]);
    expect(actionLines("a\n\nb")).toEqual(["a", "", "b"]);
    expect(actionLines("")).toEqual([]);
  });
});

describe("what a text uses on a page", () => {
  it("is the element of that name", () => {
    const { page } = here(trip(TO_SHIRT));
    expect(elementOf(page, "click[Large]", shop())).toBe("option:size:large");
    expect(elementOf(page, "click[buy now]", shop())).toBe("button:Buy Now");
    expect(elementOf(page, "search[x]", shop())).toBe(SEARCH_BAR);
    expect(elementOf(here(trip(TO_SHIRT.slice(0, 1))).page, TO_SHIRT[1]!, shop())).toBe(
      "product:B0SYN00001",
    );
  });

  it("is nothing exactly where the environment says so", () => {
    const texts = golden.sessions.flatMap(({ steps }) => steps.slice(1).map((s) => s.action!));
    for (const { steps } of golden.sessions) {
      const played = trip(steps.slice(1).map(({ action }) => action!));
      played.turns.forEach((_, i) => {
        const { page } = standBefore(played, i);
        for (const text of texts) {
          const used = elementOf(page, text, shop()) !== null;
          const from = { ...played, turns: played.turns.slice(0, i) };
          expect(used).toBe(takeTurn(catalogue, from, text).turns.at(-1)!.valid);
        }
      });
    }
  });
});

describe("a text that did nothing", () => {
  const why = (text: string) => whyNothing(text, pageNodes(here(trip(TO_SHIRT)).page, shop()));

  it.each([
    ["", "search[red shirt]"],
    ["buy it", "must be search[words] or click[name]"],
    ["Click[large]", "small letters"],
    ["search[]", "must not be empty"],
    ["click[ ]", 'named " "'],
    ["click[large", "closing bracket"],
    ["search[a[b]]", "Nested brackets"],
    ["Action: click[large]", "must come first"],
    ["click[search]", "search[words]"],
    ["click[purple]", 'Nothing on this page is named "purple"'],
    ["click[ large]", 'exactly "large"'],
  ])("%j is explained", (text, part) => {
    expect(takeTurn(catalogue, trip(TO_SHIRT), text).turns.at(-1)!.valid).toBe(false);
    expect(why(text)).toContain(part);
  });
});

describe("words for pages and turns", () => {
  it("say what each turn did", () => {
    const played = trip([...TRIP, "click[back to search]"]);
    expect(played.turns.map((_, i) => didOf(played, i, shop()))).toEqual([
      "page 1, 3 products found",
      "opens Northfield Men's Cotton Dress Shirt",
      "size: large",
      "nothing happened",
      "reads the features",
      "back at Northfield Men's Cotton Dress Shirt",
      "back at the search",
    ]);
  });

  it("say where one is, and what was chosen", () => {
    const said = TRIP.map((_, i) => announcementOf(trip(TRIP.slice(0, i + 1)), shop()));
    expect(said[0]).toBe("Results, page 1: 3 products found, 3 on this page.");
    expect(said[1]).toContain("$24.5. To choose: color, size.");
    expect(said[2]).toBe("Chosen: size large.");
    expect(said[3]).toBe(""); // the notice speaks
    expect(announcementOf(trip([]), shop())).toContain(shop().goal.instruction);
    expect(headingOf(here(trip(TRIP.slice(0, 1))).page, shop())).toBe(
      "Results for “men's dress shirt cotton”",
    );
  });

  it("count an item page as one place whatever is chosen on it", () => {
    const places = TRIP.map((_, i) => pageId(here(trip(TRIP.slice(0, i + 1))).page));
    expect(places[1]).toBe(places[2]);
    expect(places[1]).toBe(places[5]);
    expect(new Set(places).size).toBe(3);
  });
});

describe("the reward's numbers", () => {
  it("are in the formula, and give its result", () => {
    for (const choices of [[], ["click[large]"], ["click[large]", "click[navy | blue]"]]) {
      const { reward } = donePage(trip([...TO_SHIRT, ...choices, "click[buy now]"]));
      const formula = rewardInNumbers(reward);
      expect(formula).toContain(`= 1 × (2 + ${choices.length} + 1) ÷ (2 + 2 + 1)`);
      const [, total] = /Reward ([\d.]+) =/.exec(formula)!;
      expect(Number(total)).toBeCloseTo((3 + choices.length) / 5, 3);
    }
  });

  it("name the closest thing to each wish, alike enough exactly where it counts", () => {
    const page = donePage(trip([...TO_SHIRT, "click[large]", "click[white]", "click[buy now]"]));
    const [color, size] = optionScores(page.reward, shop().goal, page.options);
    expect(color).toMatchObject({ wanted: "color: navy | blue", satisfied: false });
    expect(color!.score).toBeLessThanOrEqual(85);
    expect(size).toMatchObject({ wanted: "size: large", satisfied: true, text: "large" });
    expect(size!.score).toBeGreaterThan(85);
    const product = catalogue.byAsin.get("B0SYN00001")!;
    expect(closestAttribute("machine wash", product)).toEqual({ text: "machine wash", score: 100 });
    expect(closestAttribute("x", { ...product, attributes: [] }).text).toBeNull();
  });

  it("agree with the reward's matches on purchases in a generated shop", () => {
    const made = generateCatalogue(3);
    for (let goal = 0; goal < 40; goal++) {
      const setup = { ...SETUP, goal };
      const policy = goal % 2 === 0 ? buyFirst : expert({ share: 0.3, seed: 1, episode: goal });
      const { trip: played } = replayOf(episodeBy(policy, made, setup));
      const { page } = here(played);
      if (page.kind !== "done") continue;
      const scores = optionScores(page.reward, made.goals[goal]!, page.options);
      for (const { satisfied, score } of scores) expect(satisfied).toBe(score > 85);
    }
  });
});

describe("a replay", () => {
  it("shows the page before each turn with what the turn uses, and the end", () => {
    const texts = [...TRIP, "search[cable]", "click[next >]"];
    const { frames, leftOut } = replayOf({ catalogue, setup: SETUP, texts });
    expect(leftOut).toBe(0);
    expect(frames.map(({ stand, element }) => [stand.page.kind, element])).toEqual([
      ["search", SEARCH_BAR],
      ["results", "product:B0SYN00001"],
      ["item", "option:size:large"],
      ["item", null],
      ["item", "button:Features"],
      ["section", "button:< Prev"],
      ["item", SEARCH_BAR],
      ["results", "button:Next >"],
      ["results", null],
    ]);
    expect(frames[0]!.typed).toBe("men's dress shirt cotton");
    expect(frames[3]).toMatchObject({ text: "click[purple]", valid: false });
    expect(frames.at(-1)!.text).toBeNull();
  });

  it("leaves out what comes after the end, and counts it", () => {
    const texts = [...TO_SHIRT, "click[buy now]", "click[large]", "search[x]"];
    const { frames, leftOut } = replayOf({ catalogue, setup: SETUP, texts });
    expect(leftOut).toBe(2);
    expect(frames.at(-1)!.stand.page.kind).toBe("done");
  });

  it("of the expert earns what the expert earns", () => {
    const made = generateCatalogue(1);
    const env = new WebShopEnv(made, { showAttributes: true });
    for (const goal of [0, 7, 300]) {
      const { trip: played } = replayOf(episodeBy(expert(), made, { ...SETUP, goal }));
      expect(donePage(played).reward.reward).toBe(playGoal(env, goal, expert()).reward);
      expect(played.turns.every(({ valid }) => valid)).toBe(true);
    }
  });
});

describe("a training run's record", () => {
  const environment = presetSpec("webshop-class").environment as WebShopSpec;

  it("is watched with the pages and the reward that the model had", () => {
    for (const goal of [3, 900]) {
      const record = shopRecord(environment, goal, (text, turn) => (turn === 2 ? "oops" : text));
      const { trip: played, frames, leftOut } = replayOf(recordedEpisode(record, environment));
      expect([played.turns.length, leftOut]).toEqual([record.turns.length, 0]);
      expect(frames[2]).toMatchObject({ text: "what the model said", valid: false });
      expect(donePage(played).reward.reward).toBe(record.reward);
    }
  });

  it("that ran out of turns ends where the model ended", () => {
    const record = shopRecord(environment, 3, () => "oops");
    const { trip: played } = replayOf(recordedEpisode(record, environment));
    expect(record.truncated).toBe(true);
    expect(here(played)).toMatchObject({ ended: true, page: { kind: "search" } });
  });

  it("of no shop is refused with the field's name", () => {
    const record = shopRecord(environment, 3);
    const { catalogSeed: _, ...rest } = environment;
    expect(() => recordedEpisode(record, rest as WebShopSpec)).toThrow(
      "environment.catalogSeed is nothing; it must be a whole number",
    );
    const far = recordedEpisode({ ...record, seed: 1e6 }, environment);
    expect(() => replayOf(far)).toThrow("goal is 1000000");
  });
});

describe("a shop that is prepared", () => {
  it("lets other tasks in while it is made, and is there afterwards", async () => {
    let others = 0;
    const timer = setInterval(() => others++);
    await prepareShop(77);
    clearInterval(timer);
    expect(others).toBeGreaterThan(0);
    const made = generatedShop(77);
    expect(made.goals).toEqual(generateCatalogue(77).goals);
    expect(generatedShop(77)).toBe(made);
    expect(prepareShop(77)).toBe(prepareShop(77));
  });

  it("is waited for once only where its seed is none, which is said when it is wanted", async () => {
    const waiting = prepareShop(0.5);
    await waiting;
    expect(prepareShop(0.5)).toBe(waiting);
    expect(() => generatedShop(0.5)).toThrow("seed is 0.5");
  });
});

describe("the shop's session", () => {
  it("keeps the last trip when another task is chosen", () => {
    const session = createShopSession();
    const state = () => session.store.getState();
    session.act("search[nuts]");
    session.write("click[nonsense]");
    expect(state()).toMatchObject({
      moves: 1,
      trip: { turns: [{ valid: true }, { valid: false }] },
    });
    const { trip: walked } = state();
    session.chooseGoal(5);
    expect(state().trip).toMatchObject({ setup: { goal: 5 }, turns: [] });
    expect(state().lastTrip!.trip).toBe(walked);
    session.openGenerated(2);
    expect(state().shop.source).toEqual({ kind: "generated", seed: 2 });
    expect(state().trip).toMatchObject({ setup: { goal: 0 }, turns: [] });
    expect(state().lastTrip!.trip).toBe(walked);
  });

  it("opens loaded files, and hears nothing of a reading that was cancelled", async () => {
    const listeners: LoadListener[] = [];
    let ended = 0;
    const session = createShopSession((_, listener) => {
      listeners.push(listener);
      return () => void ended++;
    });
    const state = () => session.store.getState();
    const file = new File(["[]"], "items_shuffle.json");
    const ask = {
      products: file,
      attributes: file,
      human: null,
      limit: 1,
      goals: "synthetic",
    } as const;
    session.openFiles(ask);
    listeners[0]!.onProgress({ file: "items_shuffle.json", bytes: 1, size: 2 });
    expect(state().reading).toMatchObject({ state: "reading", progress: { bytes: 1 } });
    session.cancelReading();
    expect([ended, state().reading.state]).toEqual([1, "idle"]);
    session.openFiles(ask);
    listeners[1]!.onFailed("no");
    expect(state().reading).toEqual({ state: "failed", message: "no" });
    session.openFiles(ask);
    const { products, goals } = catalogue;
    const counts = { rows: 16, products: 16, instructions: 3, goals: goals.length };
    listeners[2]!.onLoaded({ products: [...products], goals: [...goals], warnings: [], counts });
    expect(state().reading.state).toBe("indexing");
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(state().shop.source).toEqual({ kind: "files", counts, warnings: [] });
    expect(state().shop.catalogue.products).toHaveLength(16);
  });
});

describe("the task form", () => {
  it("knows WebShop's files by their names", () => {
    expect(
      [
        ...["items_shuffle.json", "items_shuffle_1000.json", "items_ins_v2.json"],
        ...["items_ins_v2_1000.json", "items_human_ins.json", "goals.json", "items_shuffle.txt"],
      ].map(kindOfFile),
    ).toEqual(["products", "products", "attributes", "attributes", "human", null, null]);
  });

  it("takes whole numbers in range only", () => {
    expect(
      ["0", " 12 ", "12", "13", "-1", "1.5", "", "1e3", "٣"].map((t) => wholeNumber(t, 12)),
    ).toEqual([0, 12, 12, null, null, null, null, null, null]);
  });

  it("picks any other goal, and each of them", () => {
    const picked = [0, 0.25, 0.5, 0.999].map((draw) => anotherThan(1, 4, () => draw));
    expect(new Set(picked)).toEqual(new Set([0, 2, 3]));
    expect(anotherThan(0, 1)).toBe(0);
  });
});

describe("the page of a recorded turn", () => {
  const environment = presetSpec("webshop-class").environment as WebShopSpec;
  const record = shopRecord(environment, 3, (text, turn) => (turn === 1 ? "oops" : text));
  const before = (turn: number, seed = record.seed) => ({
    ...{ seed, turns: record.turns.slice(0, turn) },
    seen: record.turns[turn]?.observation ?? record.finalObservation,
  });

  it("is made again from what was done, also after a text that did nothing", () => {
    const kinds = [...record.turns.keys()].map(
      (h) => standingOf(environment, before(h))!.page.kind,
    );
    expect(kinds.slice(0, 3)).toEqual(["search", "results", "results"]);
    const end = standingOf(environment, before(record.turns.length))!;
    expect(end).toMatchObject({ ended: true, page: { kind: "done" } });
  });

  it("has the goal that the environment chooses for a seed beyond its goals", () => {
    const { length } = standingOf(environment, before(0))!.shop.catalogue.goals;
    const far = standingOf(environment, before(0, record.seed + 5 * length))!;
    expect(far.shop.goal).toBe(standingOf(environment, before(0))!.shop.goal);
  });

  it("is said not to be there where the run's shop was another one", () => {
    expect(standingOf(environment, before(1, record.seed + 1))).toBeNull();
    expect(tryStanding(environment, before(1, record.seed + 1)).problem).toContain(
      "differs from the recorded one",
    );
    const none = { ...environment, catalogSeed: 0.5 };
    expect(tryStanding(none, before(1)).problem).toContain("seed is 0.5");
  });
});
