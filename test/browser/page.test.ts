/** The page with made-up numbers: what it shows, by mouse, by keyboard, to a screen reader, on a phone. More of it is in ../dom. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";
import { axeFaults } from "./axe.ts";
import { tasksDuring, timed } from "./mainThread.ts";
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
import { EVERY } from "../every.ts";

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([
    servePage({ worker: "fake", recording: syntheticRecording(shortRun()) }),
    launch(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const originOf = (page: Page) => by(page, "origin").first().getAttribute("data-origin");
/** Opens a chart's table (built only for those who look) and waits for its last row: charts come a little late. */
async function openTable(page: Page, last: number) {
  // By key: while charts are still growing, a pointer can miss it.
  const cell = page.locator("[data-cell=curves]");
  await cell.locator("summary", { hasText: "Mean reward: summary and table" }).press("Enter");
  await by(page, "chart-reward-table").locator(`tr[data-x='${last}']`).waitFor();
}
const stateIs = (page: Page, state: string) => page.locator(`[data-run-state=${state}]`).waitFor();

async function open(hash = "", options = {}) {
  const opened = await openPage(browser, site.url + hash, options);
  await by(opened.page, "experiment").waitFor();
  return opened;
}

describe("first paint", () => {
  it("shows the lesson and a recorded run, labelled with its command, without errors", async () => {
    const { page, errors, close } = await open();
    await page.locator("[data-testid=recording][data-state=shown]").waitFor();
    await expect
      .poll(() => by(page, "recording").textContent())
      .toContain("npm run -s turnbook -- train");
    await expect.poll(() => originOf(page)).toBe("recorded");
    await expect.poll(() => page.title()).toContain("Who earned the reward?");
    await by(page, "turns-panel").scrollIntoViewIfNeeded();
    await expect.poll(() => by(page, "turns-table").locator("tbody tr").count()).toBeGreaterThan(1);
    await expect.poll(() => page.locator("svg [data-testid=crash-mark]").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });
});

describe("a run", () => {
  it("steps one iteration and stays paused", async () => {
    const { page, close } = await open("#v1/nano?optimisation.iterations=9");
    await by(page, "step").click();
    await stateIs(page, "paused");
    await openTable(page, 1);
    await by(page, "chart-reward-table")
      .locator("tr[data-x='1'] td")
      .nth(2)
      .getByText(/\d/)
      .waitFor();
    await page.waitForTimeout(600);
    await expect.poll(() => by(page, "chart-reward-table").locator("tbody tr").count()).toBe(1);
    await by(page, "run").click();
    await stateIs(page, "finished");
    await close();
  });

  it("marks a crash with a cross and words, and lets the others go on", async () => {
    const { page, close } = await open("#v1/nano?optimisation.iterations=6&seed=13");
    await by(page, "run").click();
    await stateIs(page, "finished");
    await openTable(page, 6);
    await expect
      .poll(() => page.locator("[data-testid=chart-reward] [data-testid=crash-mark]").count())
      .toBe(1);
    const legend = by(page, "chart-reward").locator(".chart-legend");
    await expect.poll(() => legend.textContent()).toContain("crashed");
    await expect
      .poll(() => by(page, "chart-reward-summary").textContent())
      .toContain("crashed at iteration 3");
    await expect.poll(() => by(page, "chart-reward-table").locator("tbody tr").count()).toBe(6);
    await close();
  });

  if (EVERY)
    it("leaves the page free to answer while numbers pour in", async () => {
      await timed("tasks of a live run", { limit: 1, unit: "of what they may take" }, busiest);
    });

  /** How busy a run keeps the page, as a share of what it may: three tasks up to 100 ms of work, none else over 50. */
  async function busiest(): Promise<number> {
    const { page, close } = await open("#v1/nano?optimisation.iterations=150");
    // Charts are drawn only while they are on screen: all of them are.
    await page.setViewportSize({ width: 1280, height: 8000 });
    await page.locator("[data-testid=recording][data-state=shown]").waitFor();
    await by(page, "chart-heldout").getByTestId("line").first().waitFor();
    const tasks = await tasksDuring(browser, page, async () => {
      await by(page, "run").click();
      await stateIs(page, "finished");
    });
    expect(tasks.length).toBeGreaterThan(100);
    await close();
    // The aim is none above 50 ms. Processor time is the page's own, but a busy machine's caches are not: some slack.
    return Math.max(tasks[0]!.processor / 100, tasks[3]!.processor / 50);
  }
});

describe("the form and the link", () => {
  it("keeps the address in step with the form", async () => {
    const { page, close } = await open();
    await openSettings(page);
    await by(page, "field-seed").fill("41");
    await page.waitForURL(/#v1\/nano-fair\?seed=41$/);
    await page.reload();
    await expect.poll(() => by(page, "field-seed").inputValue()).toBe("41");
    await close();
  });

  it("copies a link that carries the fingerprint, and compares a run with it", async () => {
    const grant = { permissions: ["clipboard-read", "clipboard-write"] };
    const { page, close } = await open("#v1/nano?optimisation.iterations=3", grant);
    await by(page, "run").click();
    await stateIs(page, "finished");
    await by(page, "copy-link").click();
    const link = (await by(page, "copied").getAttribute("data-link"))!;
    expect(link).toContain("&fp=");
    expect(new URL(link).hash.length).toBeLessThan(200);
    await close();

    const other = await openPage(browser, link);
    await by(other.page, "run").click();
    await stateIs(other.page, "finished");
    const verdict = by(other.page, "fingerprint");
    await expect.poll(() => verdict.getAttribute("data-comparison")).toBe("reproduced");
    await other.close();

    // ../dom/sharedRun.test.ts has other numbers too.
    if (!EVERY) return;
    const wrong = await openPage(browser, link.replace(/trace=../, "trace=00"));
    await by(wrong.page, "run").click();
    await stateIs(wrong.page, "finished");
    await expect
      .poll(() => by(wrong.page, "fingerprint").textContent())
      .toContain("at iteration 1");
    await wrong.close();
  });
});

describe("the keyboard", () => {
  it("is enough for everything", async () => {
    const { page, close } = await open("#v1/nano?optimisation.iterations=200");
    await page.locator("[data-testid=recording][data-state=shown]").waitFor();
    await page.keyboard.press("?");
    await by(page, "help-dialog").waitFor();
    await expect.poll(() => by(page, "help-dialog").textContent()).toContain("Next episode");
    await page.keyboard.press("Escape");
    await by(page, "help-dialog").waitFor({ state: "detached" });

    // The panel comes after the page.
    await page.locator("[data-scope=turns][tabindex]").first().waitFor();
    await page.keyboard.press("g");
    const current = by(page, "turns-table").locator("[aria-current]");
    await expect.poll(() => current.textContent()).toBe("Turn 1");
    await page.keyboard.press("j");
    await expect.poll(() => current.textContent()).toBe("Turn 2");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => current.textContent()).toBe("Turn 1");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => by(page, "turns-episode").textContent()).toContain("Episode 2");
    const method = await by(page, "turns-algorithm").inputValue();
    await page.keyboard.press("a");
    await expect.poll(() => by(page, "turns-algorithm").inputValue()).not.toBe(method);
    await page.keyboard.press("[");
    await expect.poll(() => page.getByLabel("Follow latest").isChecked()).toBe(false);

    // Space scrolls.
    const top = () => page.evaluate(() => scrollY);
    const before = await top();
    await page.keyboard.press("Space");
    await expect.poll(top).toBeGreaterThan(before);
    await by(page, "run").press("Enter");
    await stateIs(page, "running");
    await by(page, "run").press("Space");
    await stateIs(page, "paused");
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await stateIs(page, "idle");
    await close();
  });

  it("reaches every control by Tab, with the focus in sight", async () => {
    const { page, close } = await open();
    await page.locator("[data-testid=recording][data-state=shown]").waitFor();
    const seen = new Set<string>();
    for (let i = 0; i < 120; i++) {
      await page.keyboard.press("Tab");
      const { id, outlined } = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
        const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
        const active = document.activeElement!;
        return {
          id: active.getAttribute("data-testid"),
          outlined: outlined || active === document.body,
        };
      });
      if (id) seen.add(id);
      expect(outlined).toBe(true);
    }
    for (const id of [
      "help-button",
      "settings",
      "run",
      "step",
      "pace",
      "copy-link",
      "turns-algorithm",
    ])
      expect([...seen]).toContain(id);
    await close();
  });
});

describe("looks", () => {
  it.each(WINDOWS)("$name, $theme: no problem for anyone, nothing cut off", async (look) => {
    const { name, viewport, theme } = look;
    const { page, close } = await open("", { viewport, colorScheme: theme });
    await page.locator("[data-testid=recording][data-state=shown]").waitFor();
    await takePicture(page, `${name}-${theme}.png`, { fullPage: true });
    await openSettings(page);
    await page.getByText("More settings").click();
    await openTable(page, 20);
    expect(await axeFaults(page)).toEqual([]);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBe(viewport.width);
    await takePicture(page, `${name}-${theme}-open.png`, { fullPage: true });
    await close();
  });

  it("follows the reader's choice of theme across visits", async () => {
    const { page, close } = await open("", { colorScheme: "light" });
    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
    await expect.poll(() => theme()).toBe("light");
    await by(page, "theme-button").click();
    await expect.poll(() => theme()).toBe("dark");
    await page.reload();
    await expect.poll(() => theme()).toBe("dark");
    await close();
  });
});
