/** The shop in a real Chromium: by keyboard alone, watched, with wrong input, and with files of one's own. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { golden } from "../env/webshop/golden.ts";
import { shopRecord, shopRecording } from "../fixtures/shopRecord.ts";
import { axeFaults } from "./axe.ts";
import {
  by,
  launch,
  openPage,
  type ServedPage,
  servePage,
  takePicture,
  WINDOWS,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake", recording: null });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const pageIs = (page: Page, kind: string) =>
  page.locator(`[data-testid=shop-page][data-page=${kind}]`).waitFor();

async function open(options: BrowserContextOptions = {}, hash = "#shop-1-0") {
  const opened = await openPage(browser, `${site.url}${hash}`, options);
  if (hash === "#shop-1-0") await pageIs(opened.page, "search");
  return opened;
}

/** Presses Tab until something that matches has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((s) => document.activeElement!.matches(s), selector)) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

const focusedTestId = (page: Page) =>
  page.evaluate(() => document.activeElement!.getAttribute("data-testid"));
const logged = (page: Page) => by(page, "turn-log").locator("code").allTextContents();

/** Writes actions by hand, one after the other. */
async function write(page: Page, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await by(page, "write-action").fill(text);
    await page.keyboard.press("Enter");
  }
}

describe("a shopping trip by keyboard alone", () => {
  it("leads from the notebook to the instruction, the purchase and its reward", async () => {
    const made = generateCatalogue(1);
    const goal = made.goals[0]!;
    const { page, errors, close } = await open({}, "");
    await by(page, "experiment").waitFor();
    await page.keyboard.press("s");
    // It opens on what a trained model did.
    await by(page, "trip").waitFor();
    await expect.poll(() => page.title()).toBe("Shop · Turnbook");
    await expect.poll(() => page.evaluate(() => document.activeElement!.tagName)).toBe("H1");
    await tabTo(page, "[data-testid=tab-credit]");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await by(page, "trained-shopper").waitFor();
    await page.keyboard.press("ArrowLeft");
    await pageIs(page, "search");
    await expect.poll(() => by(page, "instruction").textContent()).toContain(goal.instruction);

    await tabTo(page, "[data-testid=search-box]");
    await page.keyboard.type(goal.name);
    await page.keyboard.press("Enter");
    await pageIs(page, "results");
    await expect.poll(() => focusedTestId(page)).toBe("page-heading");
    await expect
      .poll(() => by(page, "shop-says").textContent())
      .toMatch(/^Results, page 1: \d+ products found/);

    await tabTo(page, `[data-element="product:${goal.asin}"]`);
    await page.keyboard.press("Enter");
    await pageIs(page, "item");
    await expect.poll(() => focusedTestId(page)).toBe("page-heading");
    await expect.poll(() => by(page, "page-heading").textContent()).toBe(goal.name);

    for (const [name, value] of Object.entries(goal.options)) {
      const values = made.byAsin
        .get(goal.asin)!
        .options.find((group) => group.name === name)!.values;
      await tabTo(page, "fieldset input");
      await expect
        .poll(() => page.evaluate(() => document.activeElement!.closest("fieldset")!.textContent))
        .toContain(name);
      const turns = (await logged(page)).length;
      // Looking at the others with the arrows takes no action.
      for (let i = 0; i < values.indexOf(value) + values.length; i++)
        await page.keyboard.press("ArrowDown");
      expect((await logged(page)).length).toBe(turns);
      await page.keyboard.press("Space");
      const checked = page.locator("fieldset", { hasText: name }).locator(":checked");
      await expect.poll(() => checked.inputValue()).toBe(value);
      await expect
        .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value))
        .toBe(value);
      await expect.poll(() => by(page, "shop-says").textContent()).toContain(`${name} ${value}`);
    }

    await tabTo(page, '[data-element="button:Features"]');
    await page.keyboard.press("Enter");
    await pageIs(page, "section");
    await tabTo(page, '[data-element="button:< Prev"]');
    await page.keyboard.press("Enter");
    await pageIs(page, "item");
    await tabTo(page, '[data-element="button:Buy Now"]');
    await page.keyboard.press("Enter");
    await pageIs(page, "done");
    await expect.poll(() => focusedTestId(page)).toBe("page-heading");

    // What was pressed is, as text, the same episode for the environment itself.
    const env = new WebShopEnv(made, { showAttributes: true });
    env.resetGoal(0);
    const results = (await logged(page)).map((text) => env.step(text));
    const { terminated, info } = results.at(-1)!;
    expect(results.every((result) => result.info.valid)).toBe(true);
    expect([terminated, info.reward!.reward]).toEqual([true, 1]);
    await expect
      .poll(() => by(page, "reward-total").textContent())
      .toBe("Reward 1.000 Success: reward 1.");
    const [attributes, options] = [goal.attributes.length, Object.keys(goal.options).length];
    const sum = `(${attributes} + ${options} + 1)`;
    await expect
      .poll(() => by(page, "reward-formula").textContent())
      .toBe(`Reward 1.000 = 1 × ${sum} ÷ ${sum}`);
    for (const name of ["attributes", "options", "price"]) {
      const points = by(page, `reward-${name}`).locator("tbody td:last-child");
      expect(new Set(await points.allTextContents())).toEqual(new Set(["✓ 1"]));
    }
    await expect.poll(() => by(page, "shop-says").textContent()).toBe("Bought. Reward 1.000 of 1.");

    await tabTo(page, "[data-testid=after-purchase] button");
    await page.keyboard.press("Enter");
    await pageIs(page, "search");
    await expect.poll(() => focusedTestId(page)).toBe("page-heading");
    await expect.poll(() => by(page, "turn-log").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("is kept while one looks at the other pages", async () => {
    const { page, close } = await open();
    await write(page, "search[nuts]", "click[next >]");
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("m");
    await by(page, "machine").waitFor();
    await page.keyboard.press("s");
    await pageIs(page, "results");
    await expect.poll(() => by(page, "place").textContent()).toContain("Page 2");
    await page.keyboard.press("s");
    await by(page, "experiment").waitFor();
    await page.goBack();
    await expect.poll(() => logged(page)).toEqual(["search[nuts]", "click[next >]"]);
    await close();
  });
});

describe("the address", () => {
  it("names the task, and opens it elsewhere", async () => {
    const { page, close } = await open();
    await page.waitForURL(/#shop-1-0$/);
    await page.getByRole("button", { name: "Next goal" }).click();
    await page.waitForURL(/#shop-1-1$/);
    const instruction = await by(page, "instruction").textContent();
    const other = await openPage(browser, page.url());
    await pageIs(other.page, "search");
    await expect.poll(() => by(other.page, "instruction").textContent()).toBe(instruction);
    await other.page.evaluate(() => (location.hash = "#shop-3-20"));
    const { goals } = generateCatalogue(3);
    await by(other.page, "instruction").getByText(goals[20]!.instruction).waitFor();
    await expect.poll(() => by(other.page, "catalogue-seed").inputValue()).toBe("3");
    expect(other.errors).toEqual([]);
    await Promise.all([close(), other.close()]);
  });
});

describe("an episode to watch", () => {
  const target = (page: Page) =>
    by(page, "target").locator("[data-element]").getAttribute("data-element");

  it("can be the trip one has just made", async () => {
    const { page, close } = await open();
    await write(page, "search[nuts]", "click[next >]");
    await page.locator(".result-title").first().click();
    await page.getByRole("button", { name: "Buy Now" }).click();
    await page.getByRole("button", { name: "Watch this trip again" }).click();
    // The focus went with it.
    for (let i = 0; i < 3; i++) await page.keyboard.press("Tab");
    await tabTo(page, "[data-action=nextPage]");
    await page.keyboard.press("Enter");
    await expect.poll(() => target(page)).toBe("button:Next >");
    await page.keyboard.press("Enter");
    await expect.poll(() => target(page)).toMatch(/^product:/);
    await close();
  });
});

describe("a recorded run in the shop", () => {
  const environment = presetSpec("webshop-class").environment as WebShopSpec;
  const played = shopRecord(environment, 3, (text, turn) => (turn === 1 ? "oops" : text));
  const turns = played.turns.map((turn, h) => ({ ...turn, advantage: h - 1.5 }));
  const record = { ...played, turns };

  async function watch(seed: number) {
    const served = await servePage({ worker: "fake", recording: shopRecording(record, seed) });
    const { page, errors, close } = await openPage(browser, `${served.url}#v1/webshop-class`);
    await by(page, "watch-in-shop").locator("summary").first().click();
    const end = async () => {
      await close();
      await served.close();
    };
    return { page, errors, end };
  }

  it("is watched page by page in the turn panel", async () => {
    const { page, errors, end } = await watch(3);
    await by(page, "replay").waitFor();
    const credit = () => by(page, "replay-credit").textContent();
    await expect.poll(credit).toContain("−1.50");
    await by(page, "play").focus();
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(() => by(page, "caption").textContent())
      .toContain("writes what the model said");
    await expect.poll(credit).toContain("−0.50");
    await expect.poll(() => by(page, "target").count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    const asin = /click\[(.+)\]/.exec(record.turns[2]!.actions![0]!)![1]!.toUpperCase();
    await expect
      .poll(() => by(page, "target").locator("[data-element]").getAttribute("data-element"))
      .toBe(`product:${asin}`);
    for (let i = 2; i < record.turns.length; i++) await page.keyboard.press("ArrowRight");
    await page.locator(".replay [data-page=done]").waitFor();
    expect(await credit()).toBe("");
    await expect
      .poll(() => by(page, "reward-total").textContent())
      .toContain(record.reward.toFixed(3));
    expect(await axeFaults(page)).toEqual([]);
    await takePicture(page, "shop-recorded.png", { fullPage: true });
    await page.getByText("Try this goal yourself").click();
    await page.waitForURL(/#shop-1-3$/);
    await expect
      .poll(() => by(page, "instruction").textContent())
      .toContain(generateCatalogue(1).goals[3]!.instruction);
    expect(errors).toEqual([]);
    await end();
  });
});

describe("WebShop's own files", () => {
  const file = (name: string, value: unknown) => ({
    name,
    mimeType: "application/json",
    buffer: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)),
  });
  const { items_shuffle_format, items_ins_format, items_human_ins_format } = golden.catalogue;
  const good = [
    file("items_shuffle_1000.json", items_shuffle_format),
    file("items_ins_v2_1000.json", items_ins_format),
    file("items_human_ins.json", items_human_ins_format),
  ];

  async function openFiles(files: typeof good) {
    const opened = await open();
    const sent: string[] = [];
    opened.page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    await by(opened.page, "source").selectOption("files");
    await by(opened.page, "files").setInputFiles(files);
    return { ...opened, sent };
  }

  it("become a shop, and stay here", async () => {
    const { page, errors, sent, close } = await openFiles(good);
    await expect.poll(() => by(page, "picked").textContent()).toContain("✓ items_human_ins.json");
    await by(page, "open-files").click();
    await by(page, "load-report").waitFor();
    await expect
      .poll(() => by(page, "load-report").textContent())
      .toMatch(/16 rows read: 16 products, 3 instructions, \d+ goals\.All rows were used\./);
    await expect
      .poll(() => by(page, "instruction").textContent())
      .toContain(golden.loader_expected.synthetic_goal_examples[0]!.instruction_text);
    await write(page, "search[men's dress shirt cotton]", "click[b0syn00001]");
    await expect
      .poll(() => by(page, "page-heading").textContent())
      .toBe("Northfield Men's Cotton Dress Shirt");
    // Nothing but files of the page itself was asked for.
    expect(sent.filter((one) => !one.startsWith(`GET ${site.url}`) || one.includes("?"))).toEqual(
      [],
    );
    expect(errors).toEqual([]);
    await close();
  });

  it("can be dropped, and cannot be opened while one is missing", async () => {
    const { page, close } = await open();
    await by(page, "source").selectOption("files");
    const drop = async (name: string, text: string) => {
      const data = await page.evaluateHandle(
        ([name, text]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text!], name!));
          return transfer;
        },
        [name, text],
      );
      await by(page, "drop").dispatchEvent("drop", { dataTransfer: data });
    };
    await drop("items_shuffle_1000.json", JSON.stringify(items_shuffle_format));
    await expect.poll(() => by(page, "open-files").isDisabled()).toBe(true);
    await expect
      .poll(() => by(page, "picked").textContent())
      .toContain("items_ins_v2_1000.json: missing");
    await drop("items_ins_v2_1000.json", JSON.stringify(items_ins_format));
    await by(page, "open-files").click();
    await by(page, "load-report").waitFor();
    await close();
  });
});

describe("for everyone", () => {
  it.each(WINDOWS)("$name, $theme: no fault on any page, nothing cut off", async (look) => {
    const { name, viewport, theme } = look;
    const { page, close } = await open({ viewport, colorScheme: theme });
    const inOrder = async (stage: string) => {
      expect([stage, await axeFaults(page)]).toEqual([stage, []]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([stage, width]).toEqual([stage, viewport.width]);
      await takePicture(page, `shop-${stage}-${name}-${theme}.png`, { fullPage: true });
    };
    await inOrder("search");
    await write(page, "search[mixed nuts]", "click[oops]");
    await inOrder("results");
    await page.locator(".result-title").first().click();
    await page.locator(".option").first().click();
    await page.getByText("This page as the model sees it").click();
    await inOrder("item");
    await page.getByRole("button", { name: "Reviews" }).click();
    await inOrder("reviews");
    await page.getByRole("button", { name: "< Prev" }).click();
    await page.getByRole("button", { name: "Buy Now" }).click();
    await inOrder("done");
    await by(page, "tab-watch").click();
    await by(page, "episode-choice").selectOption("expert");
    await by(page, "watch").click();
    await page.locator("[data-action=nextPage]").click();
    await inOrder("watch");
    await by(page, "source").selectOption("files");
    await inOrder("files");
    await close();
  });
});
