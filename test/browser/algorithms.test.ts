/** The algorithms page, and the form's methods: their looks and manners in a real Chromium. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outsideNames } from "../../src/spec/algorithmDocs/docs.ts";
import { missingRuns, readResults, studyCells } from "../../src/panels/questions/results.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import { decodeLink } from "../../src/spec/link.ts";
import { openQuestions } from "../../src/spec/studies/openQuestions.ts";
import { sweepCommandOf } from "../../src/spec/studies/study.ts";
import { axeFaults } from "./axe.ts";
import {
  by,
  launch,
  openPage,
  type ServedPage,
  servePage,
  takePicture,
  WINDOWS,
  openSettings,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake", recording: null });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

async function open(hash: string, options = {}) {
  const opened = await openPage(browser, `${site.url}${hash}`, options);
  const asked: string[] = [];
  opened.page.on("request", (request) => asked.push(request.url()));
  await by(opened.page, hash.startsWith("#algorithms") ? "algorithms" : "experiment").waitFor();
  return { ...opened, asked };
}

const formulasShown = (page: Page) =>
  page.locator("[data-testid=formulas] .katex-html").first().waitFor();

describe("the algorithms page", () => {
  it("tells about one: text, formulas that follow its settings, terms that are found", async () => {
    const { page, errors, close } = await open("#algorithms");
    await page.locator("[data-row=turn-ppo] a").click();
    await page.waitForURL(/#algorithms-turn-ppo$/);
    await formulasShown(page);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Turn-PPO");
    const clip = page.locator("[data-formula=surrogate]");
    const low = clip.locator("[data-term='settings.epsLow']");
    await expect.poll(() => low.textContent()).toBe("0.2");
    await page.getByText("Settings", { exact: true }).click();
    await by(page, "setting-epsLow").fill("0.1");
    await expect.poll(() => low.textContent()).toBe("0.1");
    await by(page, "setting-epsLow").fill("x");
    await expect.poll(() => by(page, "setting-problem").textContent()).toContain('epsLow is "x"');
    await by(page, "reset-settings").click();
    await by(page, "setting-ratio").selectOption("none");
    await expect.poll(() => page.locator("[data-formula=ratio]").count()).toBe(0);
    await expect.poll(() => by(page, "setting-epsLow").count()).toBe(0);
    await by(page, "reset-settings").click();
    await by(page, "as-numbers").uncheck();
    await expect.poll(() => low.textContent()).toContain("ε");
    const background = () =>
      low.first().evaluate((element) => getComputedStyle(element).backgroundColor);
    const before = await background();
    await by(page, "term-settings.epsLow").press("Enter");
    await expect
      .poll(() => by(page, "term-settings.epsLow").getAttribute("aria-pressed"))
      .toBe("true");
    await expect.poll(() => background()).not.toBe(before);
    await page.locator("[data-formula=advantage] [data-term='turn.delta']").first().hover();
    await expect.poll(() => by(page, "term-turn.delta").getAttribute("aria-pressed")).toBe("true");
    expect(errors).toEqual([]);
    await close();
  });

  it.each(WINDOWS)(
    "$name: what is picked is at the top, and nothing moves for it",
    async (look) => {
      const { page, errors, close } = await open("#algorithms-turn-ppo", {
        viewport: look.viewport,
        own: true,
      });
      await formulasShown(page);
      const stand = () =>
        page.evaluate(async () => {
          const shifts = await new Promise<PerformanceEntryList>((resolve) => {
            new PerformanceObserver((list) => resolve(list.getEntries())).observe({
              ...{ type: "layout-shift", buffered: true },
            });
            setTimeout(() => resolve([]), 500);
          });
          const heading = document.activeElement!;
          return {
            scrolled: scrollY,
            shift: shifts.reduce(
              (sum, one) => sum + (one as unknown as { value: number }).value,
              0,
            ),
            heading: heading.textContent,
            isSeen: heading.getBoundingClientRect().bottom < innerHeight,
          };
        });
      const first = await stand();
      expect(first).toMatchObject({ scrolled: 0, heading: "Turn-PPO", isSeen: true });
      expect(first.shift).toBeLessThan(0.05);
      await page.locator("[data-credit=mt-grpo] a").click();
      await page.locator("[data-testid=algorithm][data-name=mt-grpo]").waitFor();
      await expect.poll(stand).toMatchObject({ heading: "MT-GRPO", isSeen: true });
      expect(await page.evaluate(() => scrollY)).toBeLessThan(look.viewport.height / 2);
      expect(errors).toEqual([]);
      await close();
    },
  );

  it("lists the open questions, each with its command and without unmeasured numbers", async () => {
    const { page, errors, asked, close } = await open("#algorithms");
    const isResults = (url: string) => url.endsWith("open-questions.jsonl");
    expect(asked.some(isResults)).toBe(false);
    await page.getByText("Open questions", { exact: true }).click();
    await by(page, "study-horizon").waitFor();
    expect(asked.filter(isResults)).toHaveLength(1);
    await expect.poll(() => page.locator("[data-testid^=study-]").count()).toBe(12);
    const results = readResults(readFileSync("public/open-questions.jsonl", "utf8"));
    for (const question of openQuestions) {
      const shown = await by(page, `study-${question.name}`).textContent();
      expect(shown).toContain(sweepCommandOf(question));
      const open = studyCells(question, results).filter(({ n }) => n === 0);
      expect(shown!.split("not run")).toHaveLength(open.length + 1);
      const { runs, of } = missingRuns(question, studyCells(question, results));
      const says = `Cannot tell yet: ${runs} of ${of} runs are missing`;
      expect(shown!.includes("Cannot tell yet")).toBe(runs > 0);
      if (runs > 0) expect(shown).toContain(says);
    }
    expect(await axeFaults(page, { within: ".open-questions" })).toEqual([]);
    await takePicture(by(page, "study-horizon"), "open-questions.png");
    await by(page, "study-horizon").getByRole("link", { name: "10 turns, 20 actions" }).click();
    await by(page, "experiment").waitFor();
    expect(decodeLink(new URL(page.url()).hash).spec.environment).toMatchObject({ maxTurns: 10 });
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("has a page for every name, and says so where there is none", async () => {
    const { page, errors, close } = await open("#algorithms");
    for (const name of [...algorithmNames, ...outsideNames]) {
      await page.evaluate((to) => (location.hash = `algorithms-${to}`), name);
      await page.locator(`[data-testid=algorithm][data-name=${name}]`).waitFor();
      await formulasShown(page);
    }
    await page.evaluate(() => (location.hash = "algorithms-alchemy"));
    await expect.poll(() => by(page, "unknown-algorithm").textContent()).toMatch(/alchemy$/);
    expect(errors).toEqual([]);
    await close();
  });

  it("is reached and left by keyboard, and has KaTeX from its own server", async () => {
    const { page, errors, asked, close } = await open("#v1/nano?seed=5");
    const katex = () => asked.filter((url) => /katex/i.test(url));
    await page.keyboard.press("d");
    await by(page, "algorithms").waitFor();
    expect(new URL(page.url()).hash).toBe("#algorithms");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    for (let i = 0; i < 4; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await formulasShown(page);
    expect(katex().length).toBeGreaterThan(0);
    expect(katex().every((url) => url.startsWith(site.url))).toBe(true);
    await page.keyboard.press("d");
    await page.waitForURL(/#v1\/nano\?seed=5$/);
    expect(errors).toEqual([]);
    await close();
  });

  it.each(WINDOWS)("$name, $theme: no problem for anyone, nothing cut off", async (look) => {
    const { name, viewport, theme } = look;
    const { page, close } = await open("#algorithms-turn-ppo-vs-grpo", {
      viewport,
      colorScheme: theme,
    });
    await formulasShown(page);
    for (const summary of await page.locator(".algorithms summary").all()) await summary.click();
    await by(page, "source-diff").waitFor();
    await by(page, "term-turn.delta").click();
    // KaTeX's own, and very many elements.
    expect(await axeFaults(page, { without: ".katex" })).toEqual([]);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBe(viewport.width);
    await takePicture(page, `algorithms-${name}-${theme}.png`, { fullPage: true });
    await takePicture(by(page, "reading"), `reading-${name}-${theme}.png`);
    await close();
  });
});

describe("the algorithms to read", () => {
  it("load when they are opened, into a box that has its height and scrolls by key", async () => {
    const { page, asked, errors, close } = await open("#algorithms");
    const texts = () => asked.filter((url) => url.includes("readingTexts"));
    expect(texts()).toEqual([]);
    await page.route("**/readingTexts*", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await by(page, "reading-summary").press("Enter");
    const box = by(page, "reading-texts");
    const height = () => box.evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    expect(await box.getAttribute("aria-busy")).toBe("true");
    await box.locator("[data-same]").first().waitFor();
    expect(texts()).not.toEqual([]);
    expect(await height()).toBe(before);
    await box.press("End");
    await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(500);
    await takePicture(by(page, "reading"), "reading-end.png");
    expect(errors).toEqual([]);
    await close();
  });

  it("are side by side, and at 320 pixels below each other, equal lines once", async () => {
    const { page, close } = await open("#algorithms-token-ppo-vs-turn-ppo");
    await by(page, "reading-summary").press("Enter");
    const first = by(page, "reading-texts").locator("[data-same=false] > pre");
    await first.first().waitFor();
    const places = () =>
      first.evaluateAll((pres) => pres.slice(0, 2).map((pre) => pre.getBoundingClientRect().y));
    const [left, right] = await places();
    expect(right).toBe(left);
    await page.setViewportSize({ width: 320, height: 640 });
    const [above, below] = await places();
    expect(below).toBeGreaterThan(above!);
    expect(await page.locator("pre[aria-hidden]:visible").count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await takePicture(by(page, "reading"), "reading-320.png");
    await close();
  });
});

describe("the form's methods", () => {
  it("are three, and the rest by family; a chosen one has its line and its settings", async () => {
    const { page, errors, close } = await open("#v1/nano?seed=5");
    const boxes = (where: string) => page.locator(`${where} input[type=checkbox]`).count();
    await expect.poll(() => boxes(".methods")).toBe(3);
    await expect.poll(() => boxes(".more-methods")).toBe(algorithmNames.length - 3);
    const summary = page.locator(".more-methods summary");
    await openSettings(page);
    await summary.press("Enter");
    await expect.poll(() => page.locator(".more-methods svg").count()).toBe(0);
    await by(page, "method-gigpo").check();
    await by(page, "method-gspo").check();
    await expect.poll(() => summary.textContent()).toBe("More methods (GSPO, GiGPO)");
    const dashes = await page
      .locator(".more-methods line")
      .evaluateAll((lines) => lines.map((line) => line.getAttribute("stroke-dasharray")));
    expect(new Set(dashes).size).toBe(2);
    await page.getByText("More settings").click();
    await expect.poll(() => by(page, "field-gigpo/omega").count()).toBe(1);
    await expect.poll(() => by(page, "field-gspo/omega").count()).toBe(0);
    await expect.poll(() => by(page, "field-gspo/gamma").count()).toBe(0);
    await expect
      .poll(() => by(page, "field-gspo/epsLow").getAttribute("placeholder"))
      .toBe("0.0003");
    await page.waitForURL(/gspo/);
    await by(page, "method-gigpo").uncheck();
    await by(page, "method-gspo").uncheck();
    for (const name of ["grpo", "token-ppo"]) await by(page, `method-${name}`).uncheck();
    await expect.poll(() => by(page, "method-turn-ppo").isDisabled()).toBe(true);
    // Out of sight, a link would be taken for one that skips.
    await page.locator(".more-methods a").scrollIntoViewIfNeeded();
    expect(await axeFaults(page, { within: ".spec-form" })).toEqual([]);
    await takePicture(by(page, "experiment"), "methods-open.png");
    expect(errors).toEqual([]);
    await close();
  });
});
