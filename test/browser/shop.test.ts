/** The shop in a real Chromium: by keyboard alone, watched, with wrong input, and with files of one's own. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCatalogue } from "../../src/env/webshop/catalogue.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { golden } from "../env/webshop/golden.ts";
import { oddRows, oddShop } from "../env/webshop/oddShop.ts";
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

async function open(options: BrowserContextOptions = {}, hash = "#shop") {
  const opened = await openPage(browser, `${site.url}${hash}`, options);
  if (hash === "#shop") await pageIs(opened.page, "search");
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
    await pageIs(page, "search");
    expect(await page.title()).toBe("Shop · Turnbook");
    expect(await page.evaluate(() => document.activeElement!.tagName)).toBe("H1");
    expect(await by(page, "instruction").textContent()).toContain(goal.instruction);

    await tabTo(page, "[data-testid=search-box]");
    await page.keyboard.type(goal.name);
    await page.keyboard.press("Enter");
    await pageIs(page, "results");
    expect(await focusedTestId(page)).toBe("page-heading");
    expect(await by(page, "shop-says").textContent()).toMatch(
      /^Results, page 1: \d+ products found/,
    );

    await tabTo(page, `[data-element="product:${goal.asin}"]`);
    await page.keyboard.press("Enter");
    await pageIs(page, "item");
    expect(await focusedTestId(page)).toBe("page-heading");
    expect(await by(page, "page-heading").textContent()).toBe(goal.name);

    for (const [name, value] of Object.entries(goal.options)) {
      const values = made.byAsin
        .get(goal.asin)!
        .options.find((group) => group.name === name)!.values;
      await tabTo(page, "fieldset input");
      expect(
        await page.evaluate(() => document.activeElement!.closest("fieldset")!.textContent),
      ).toContain(name);
      const turns = (await logged(page)).length;
      // Looking at the others with the arrows takes no action.
      for (let i = 0; i < values.indexOf(value) + values.length; i++)
        await page.keyboard.press("ArrowDown");
      expect((await logged(page)).length).toBe(turns);
      await page.keyboard.press("Space");
      const checked = page.locator("fieldset", { hasText: name }).locator(":checked");
      expect(await checked.inputValue()).toBe(value);
      expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe(
        value,
      );
      expect(await by(page, "shop-says").textContent()).toContain(`${name} ${value}`);
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
    expect(await focusedTestId(page)).toBe("page-heading");

    // What was pressed is, as text, the same episode for the environment itself.
    const env = new WebShopEnv(made, { showAttributes: true });
    env.resetGoal(0);
    const results = (await logged(page)).map((text) => env.step(text));
    const { terminated, info } = results.at(-1)!;
    expect(results.every((result) => result.info.valid)).toBe(true);
    expect([terminated, info.reward!.reward]).toEqual([true, 1]);
    expect(await by(page, "reward-total").textContent()).toBe("Reward 1.000 Success: reward 1.");
    const [attributes, options] = [goal.attributes.length, Object.keys(goal.options).length];
    const sum = `(${attributes} + ${options} + 1)`;
    expect(await by(page, "reward-formula").textContent()).toBe(
      `Reward 1.000 = 1 × ${sum} ÷ ${sum}`,
    );
    for (const name of ["attributes", "options", "price"]) {
      const points = by(page, `reward-${name}`).locator("tbody td:last-child");
      expect(new Set(await points.allTextContents())).toEqual(new Set(["✓ 1"]));
    }
    expect(await by(page, "shop-says").textContent()).toBe("Bought. Reward 1.000 of 1.");

    await tabTo(page, "[data-testid=after-purchase] button");
    await page.keyboard.press("Enter");
    await pageIs(page, "search");
    expect(await focusedTestId(page)).toBe("page-heading");
    expect(await by(page, "turn-log").count()).toBe(0);
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
    expect(await by(page, "place").textContent()).toContain("Page 2");
    await page.keyboard.press("s");
    await by(page, "experiment").waitFor();
    await page.goBack();
    expect(await logged(page)).toEqual(["search[nuts]", "click[next >]"]);
    await close();
  });
});

describe("a purchase that is not quite right", () => {
  it("shows what is missing, and what came closest", async () => {
    const made = generateCatalogue(1);
    const { asin } = made.goals[0]!;
    const { page, close } = await open();
    await write(page, `search[${made.goals[0]!.name}]`, `click[${asin}]`, "click[buy now]");
    await pageIs(page, "done");
    const options = by(page, "reward-options").locator("tbody tr");
    expect(await options.count()).toBeGreaterThan(0);
    for (const row of await options.all()) {
      expect(await row.textContent()).toContain("nothing was chosen");
      expect(await row.locator("td").last().textContent()).toBe("✗ 0");
    }
    expect(await by(page, "reward-total").textContent()).toContain("Success would be");
    await close();
  });
});

describe("wrong input", () => {
  it("leaves the page as it was and says why, in the log too", async () => {
    const { page, errors, close } = await open();
    await write(page, "search[nuts]");
    const before = await by(page, "shop-page").innerHTML();
    for (const [text, reason] of [
      ["Click[next >]", "small letters"],
      ["click[nonsense]", 'Nothing on this page is called "nonsense"'],
      ["click[search]", "search[words]"],
      ["<b>hello</b>", "That is no action"],
      ["", "An action is needed"],
    ] as const) {
      await write(page, text);
      expect(await by(page, "nothing").textContent()).toBe(
        `Nothing happened. ${await reasonIn(page)}`,
      );
      expect(await reasonIn(page)).toContain(reason);
      expect(await by(page, "shop-page").innerHTML()).toBe(before);
      expect(await focusedTestId(page)).toBe("write-action");
    }
    expect((await logged(page)).slice(1)).toEqual([
      ...["Click[next >]", "click[nonsense]", "click[search]", "<b>hello</b>", "(nothing)"],
    ]);
    await write(page, "click[next >]");
    expect(await by(page, "nothing").textContent()).toBe("");
    expect(errors).toEqual([]);
    await close();
  });

  it("of a search, a goal or a seed is said where it was made", async () => {
    const { page, close } = await open();
    await page.getByRole("button", { name: "Search" }).click();
    expect(await page.locator(".shop-search").textContent()).toContain("no empty search");
    const instruction = await by(page, "instruction").textContent();
    await by(page, "goal").fill("99999");
    expect(await page.locator(".goal-picker").textContent()).toContain(
      'The goal is "99999"; it must be a whole number of 0 to 1965.',
    );
    await by(page, "catalogue-seed").fill("-1");
    expect(await page.locator(".seed").textContent()).toContain('The seed is "-1"');
    expect(await by(page, "instruction").textContent()).toBe(instruction);
    await by(page, "goal").fill("3");
    await by(page, "catalogue-seed").fill("2");
    expect(await page.locator(".shop-task [aria-invalid]").count()).toBe(0);
    await page.waitForURL(/#shop-2-0$/);
    expect(await by(page, "instruction").textContent()).toContain(
      generateCatalogue(2).goals[0]!.instruction,
    );
    await close();
  });

  /** What stands after "Nothing happened." */
  async function reasonIn(page: Page): Promise<string> {
    return (await by(page, "nothing").textContent())!.replace("Nothing happened. ", "");
  }
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
    expect(await by(other.page, "instruction").textContent()).toBe(instruction);
    await other.page.evaluate(() => (location.hash = "#shop-3-20"));
    const { goals } = generateCatalogue(3);
    await by(other.page, "instruction").getByText(goals[20]!.instruction).waitFor();
    expect(await by(other.page, "catalogue-seed").inputValue()).toBe("3");
    expect(other.errors).toEqual([]);
    await Promise.all([close(), other.close()]);
  });

  it("of no task is said, and the shop stays open", async () => {
    const { page, errors, close } = await openPage(browser, `${site.url}#shop-1-99999`);
    await pageIs(page, "search");
    expect(await by(page, "address-problem").textContent()).toContain("goal is 99999");
    await page.getByRole("button", { name: "Another one" }).click();
    expect(await by(page, "address-problem").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });
});

describe("an episode to watch", () => {
  const target = (page: Page) =>
    by(page, "target").locator("[data-element]").getAttribute("data-element");

  it("is turned over with the arrow keys, what each turn clicks marked", async () => {
    const { name, asin } = generateCatalogue(1).goals[0]!;
    const value = generateCatalogue(1).byAsin.get(asin)!.options[0]!.values[1]!;
    const group = generateCatalogue(1).byAsin.get(asin)!.options[0]!.name;
    const { page, errors, close } = await open();
    await by(page, "tab-watch").click();
    await by(page, "episode-choice").selectOption("pasted");
    const texts = [
      `search[${name}]`,
      `click[${asin}]`,
      `click[${value}]`,
      "buy it",
      "search[nuts]",
    ];
    await by(page, "paste").fill(`${texts.join("\n")}\n`);
    await by(page, "watch").click();
    expect(await by(page, "caption").textContent()).toContain(texts[0]);
    expect(await by(page, "target").textContent()).toBe("Searchclicked");
    await by(page, "play").focus();
    await page.keyboard.press("ArrowLeft");
    expect(await by(page, "replay").getAttribute("data-frame")).toBe("0");
    await page.keyboard.press("ArrowRight");
    expect(await target(page)).toBe(`product:${asin}`);
    await page.keyboard.press("ArrowRight");
    expect(await target(page)).toBe(`option:${group}:${value}`);
    expect(await page.locator(".replay input:checked").count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    expect(await page.locator(".replay input:checked").getAttribute("value")).toBe(value);
    expect(await by(page, "target").count()).toBe(0);
    expect(await by(page, "caption").textContent()).toContain(
      "Nothing happened. That is no action",
    );
    await page.keyboard.press("ArrowRight");
    expect(await by(page, "caption").textContent()).toContain("WebShop searches on every page");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await by(page, "replay-at").textContent()).toBe("The end, after 5 turns");
    expect(await page.locator(".replay [data-page=results]").count()).toBe(1);
    // A watched page can be read, not used.
    expect(await page.locator(".replay [data-testid=shop-page] button").count()).toBe(0);
    expect(await page.locator(".turn-log [aria-current=step]").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("plays by itself, the expert's to a perfect purchase", async () => {
    const { page, close } = await open();
    await by(page, "tab-watch").click();
    await by(page, "watch").click();
    await page.locator(".replay-controls select").selectOption("fast");
    await by(page, "play").click();
    await page.locator(".replay [data-page=item]").waitFor();
    await by(page, "play").press("p");
    expect(await by(page, "play").textContent()).toBe("Play");
    const frame = await by(page, "replay").getAttribute("data-frame");
    await page.waitForTimeout(1200);
    expect(await by(page, "replay").getAttribute("data-frame")).toBe(frame);
    await by(page, "play").press("p");
    await page.locator(".replay [data-page=done]").waitFor();
    expect(await by(page, "reward-total").textContent()).toContain("Reward 1.000");
    await page.waitForTimeout(1000);
    expect(await by(page, "play").textContent()).toBe("Play");
    await close();
  });

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
    expect(await target(page)).toBe("button:Next >");
    await page.keyboard.press("Enter");
    expect(await target(page)).toMatch(/^product:/);
    await close();
  });
});

describe("a recorded run in the shop", () => {
  const environment = presetSpec("webshop-class").environment as WebShopSpec;
  const record = shopRecord(environment, 3, (text, turn) => (turn === 1 ? "oops" : text));

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
    await by(page, "play").focus();
    await page.keyboard.press("ArrowRight");
    expect(await by(page, "caption").textContent()).toContain("writes what the model said");
    expect(await by(page, "target").count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    const asin = /click\[(.+)\]/.exec(record.turns[2]!.actions![0]!)![1]!.toUpperCase();
    expect(await by(page, "target").locator("[data-element]").getAttribute("data-element")).toBe(
      `product:${asin}`,
    );
    for (let i = 2; i < record.turns.length; i++) await page.keyboard.press("ArrowRight");
    await page.locator(".replay [data-page=done]").waitFor();
    expect(await by(page, "reward-total").textContent()).toContain(record.reward.toFixed(3));
    expect(await axeFaults(page)).toEqual([]);
    await takePicture(page, "shop-recorded.png", { fullPage: true });
    await page.getByText("Shop for this goal yourself").click();
    await page.waitForURL(/#shop-1-3$/);
    expect(await by(page, "instruction").textContent()).toContain(
      generateCatalogue(1).goals[3]!.instruction,
    );
    expect(errors).toEqual([]);
    await end();
  });

  it("with a goal that the shop does not have says so", async () => {
    const { page, errors, end } = await watch(1e6);
    expect(await by(page, "replay-problem").textContent()).toContain("goal is 1000000");
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
    expect(await by(page, "picked").textContent()).toContain("✓ items_human_ins.json");
    await by(page, "open-files").click();
    await by(page, "load-report").waitFor();
    expect(await by(page, "load-report").textContent()).toMatch(
      /16 rows read: 16 products, 3 instructions, \d+ goals\.Every row could be used\./,
    );
    expect(await by(page, "instruction").textContent()).toContain(
      golden.loader_expected.synthetic_goal_examples[0]!.instruction_text,
    );
    await write(page, "search[men's dress shirt cotton]", "click[b0syn00001]");
    expect(await by(page, "page-heading").textContent()).toBe(
      "Northfield Men's Cotton Dress Shirt",
    );
    // Nothing but files of the page itself was asked for.
    expect(sent.filter((one) => !one.startsWith(`GET ${site.url}`) || one.includes("?"))).toEqual(
      [],
    );
    expect(errors).toEqual([]);
    await close();
  });

  it("have goals by people too, when these were given", async () => {
    const { page, close } = await openFiles(good);
    await by(page, "goals-kind").selectOption("human");
    await by(page, "open-files").click();
    await by(page, "load-report").waitFor();
    const [first] = golden.loader_expected.human_goals;
    const texts = golden.loader_expected.human_goals.map((goal) => goal.instruction_text);
    expect(first).toBeDefined();
    const shown = await by(page, "instruction").textContent();
    expect(texts.some((text) => shown!.includes(text))).toBe(true);
    await close();
  });

  it("with broken rows open without them, and name them", async () => {
    const rows = JSON.stringify(items_shuffle_format).slice(1, -1);
    const broken = `[${rows},{"asin": "nan"},7,{"asin": oops},${rows.slice(0, rows.indexOf("},") + 1)}]`;
    const { page, close } = await openFiles([
      file("items_shuffle_1000.json", broken),
      good[1]!,
      file("notes.json", {}),
    ]);
    expect(await by(page, "unknown-files").textContent()).toContain("notes.json");
    await by(page, "open-files").click();
    await by(page, "load-report").waitFor();
    const items = await by(page, "load-report").locator("li").allTextContents();
    expect(items.join("\n")).toContain('asin is "nan": row left out (1: row 17)');
    expect(items.join("\n")).toContain("is no object: row left out (1: row 18)");
    expect(items.join("\n")).toContain("is not valid JSON: row left out (1: row 19)");
    await close();
  });

  it("that are no such files are refused in a sentence, and the shop stays open", async () => {
    const { page, close } = await openFiles([file("items_shuffle.json", "hello"), good[1]!]);
    const size = await by(page, "shop-size").textContent();
    await by(page, "open-files").click();
    await by(page, "files-problem").waitFor();
    expect(await by(page, "files-problem").textContent()).toContain(
      'items_shuffle.json begins with "hello"; it must be a JSON list or object',
    );
    expect(await by(page, "shop-size").textContent()).toBe(size);
    await by(page, "files").setInputFiles([good[0]!]);
    await by(page, "open-files").click();
    await by(page, "load-report").waitFor();
    expect(await by(page, "files-problem").count()).toBe(0);
    await close();
  });

  it("with names that mislead WebShop are shopped in as WebShop does", async () => {
    const rows = oddRows();
    const attributes = ["warm light", "easy clean"];
    const note = { attributes, instruction: "Find me a lamp", instruction_attributes: attributes };
    const notes = Object.fromEntries(rows.map(({ asin }) => [asin, note]));
    const files = [file("items_shuffle.json", rows), file("items_ins.json", notes)];
    const { page, errors, close } = await openFiles(files);
    await by(page, "open-files").click();
    await by(page, "load-report").waitFor();
    const first = ["search[odd lamp search_results]", "click[b0oddfirst]"];
    await write(page, ...first);
    const labels = await page.locator(".option").count();
    expect(labels).toBeGreaterThan(20);
    for (let i = 0; i < labels; i++) {
      const before = await logged(page);
      const option = page.locator(".option").nth(i);
      // Chosen through another group: two of one name are one to WebShop.
      if (await option.locator("input").isChecked()) continue;
      await option.click();
      await page.waitForFunction(
        (n) => document.querySelectorAll("[data-testid=turn-log] li").length > n,
        before.length,
      );
      const kind = await by(page, "shop-page").getAttribute("data-page");
      if (kind === "done") break;
      if (kind !== "item") await write(page, ...first);
    }
    // Pressing is the same episode for the environment itself.
    const { products, goals } = await oddShop();
    const env = new WebShopEnv(createCatalogue(products, goals), { showAttributes: true });
    env.resetGoal(0);
    for (const text of await logged(page)) env.step(text);
    expect(await by(page, "shop-page").getAttribute("data-page")).toBe(env.page.kind);
    const did = await by(page, "turn-log").locator("li[data-valid=false]").count();
    expect(did).toBeGreaterThan(0); // brackets cannot be clicked
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
    expect(await by(page, "open-files").isDisabled()).toBe(true);
    expect(await by(page, "picked").textContent()).toContain("items_ins_v2_1000.json: missing");
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
    await page.getByText("This page as a model reads it").click();
    await inOrder("item");
    await page.getByRole("button", { name: "Reviews" }).click();
    await inOrder("reviews");
    await page.getByRole("button", { name: "< Prev" }).click();
    await page.getByRole("button", { name: "Buy Now" }).click();
    await inOrder("done");
    await by(page, "tab-watch").click();
    await by(page, "watch").click();
    await page.locator("[data-action=nextPage]").click();
    await inOrder("watch");
    await by(page, "source").selectOption("files");
    await inOrder("files");
    await close();
  });
});
