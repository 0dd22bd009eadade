// @vitest-environment happy-dom
/** The shop: wrong input, addresses, and trips that are watched. */
import { describe, expect, it } from "vitest";
import { createCatalogue } from "../../src/env/webshop/catalogue.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import { words } from "../../src/panels/shared/shop/words.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { golden } from "../env/webshop/golden.ts";
import { oddRows, oddShop } from "../env/webshop/oddShop.ts";
import { shopRecord, shopRecording } from "../fixtures/shopRecord.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, type DomPage } from "./page.ts";

usesApp();

const pageIs = (page: DomPage, kind: string) =>
  page.locator(`[data-testid=shop-page][data-page=${kind}]`).waitFor();

/** At a task's first page: the shop keeps a trip while one looks at other pages, but not at another task. */
async function open(hash = "#shop-1-0") {
  const opened = await openApp("#shop-1-1", { recording: null });
  await pageIs(opened.page, "search");
  location.hash = hash;
  await by(opened.page, hash === "#shop-1-0" ? "instruction" : "address-problem")
    .getByText(hash === "#shop-1-0" ? firstInstruction : "99999")
    .waitFor();
  return opened;
}

const firstInstruction = generateCatalogue(1).goals[0]!.instruction;

const focusedTestId = (page: DomPage) =>
  page.evaluate(() => document.activeElement!.getAttribute("data-testid"));
const logged = (page: DomPage) => by(page, "turn-log").locator("code").allTextContents();

/** Writes actions by hand, one after the other. */
async function write(page: DomPage, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await by(page, "write-action").fill(text);
    await page.keyboard.press("Enter");
  }
}

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
    expect(await by(page, "reward-total").textContent()).toContain("Success means");
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
      ["click[nonsense]", 'Nothing on this page is named "nonsense"'],
      ["click[search]", "search[words]"],
      ["<b>hello</b>", "An action must be"],
      ["", "Type an action"],
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
    expect(await page.locator(".shop-search").textContent()).toContain("rejects empty searches");
    const instruction = await by(page, "instruction").textContent();
    await by(page, "goal").fill("99999");
    expect(await page.locator(".goal-picker").textContent()).toContain(
      'The goal is "99999"; it must be a whole number from 0 to 1965.',
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

  /** What follows "Nothing happened. An action must be" */
  async function reasonIn(page: DomPage): Promise<string> {
    return (await by(page, "nothing").textContent())!.replace("Nothing happened. ", "");
  }
});

describe("the address", () => {
  it("of no task is said, and the shop stays open", async () => {
    const { page, errors, close } = await open("#shop-1-99999");
    await pageIs(page, "search");
    expect(await by(page, "address-problem").textContent()).toContain("goal is 99999");
    await page.getByRole("button", { name: words.goal.another }).click();
    expect(await by(page, "address-problem").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });
});

describe("an episode to watch", () => {
  const target = (page: DomPage) =>
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
      "Nothing happened. An action must be",
    );
    await page.keyboard.press("ArrowRight");
    expect(await by(page, "caption").textContent()).toContain(
      "WebShop accepts searches on every page",
    );
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
    await by(page, "episode-choice").selectOption("expert");
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
});

describe("a recorded run in the shop", () => {
  const environment = presetSpec("webshop-class").environment as WebShopSpec;
  const record = shopRecord(environment, 3, (text, turn) => (turn === 1 ? "oops" : text));

  async function watch(seed: number) {
    const opened = await openApp("#v1/webshop-class", { recording: shopRecording(record, seed) });
    await by(opened.page, "watch-in-shop").locator("summary").first().click();
    return opened;
  }

  it("with a goal that the shop does not have says so", async () => {
    const { page, errors, close } = await watch(1e6);
    expect(await by(page, "replay-problem").textContent()).toContain("goal is 1000000");
    expect(errors).toEqual([]);
    await close();
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
    await by(opened.page, "source").selectOption("files");
    await by(opened.page, "files").setInputFiles(files);
    return opened;
  }

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
    expect(items.join("\n")).toContain("is not an object: row left out (1: row 18)");
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
});
