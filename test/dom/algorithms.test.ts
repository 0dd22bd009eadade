// @vitest-environment happy-dom
/** The algorithms page: its rows, filters, two side by side. Its looks are in ../browser. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, type DomPage } from "./page.ts";

usesApp();

async function open(hash: string) {
  const opened = await openApp(hash, { recording: null });
  await by(opened.page, "algorithms").waitFor();
  return opened;
}

const shownRows = (page: DomPage) =>
  page.locator("[data-row]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row")));

describe("the algorithms page", () => {
  it("shows every row, and those that a filter leaves", async () => {
    const { page, errors, close } = await open("#algorithms");
    expect(await page.title()).toBe("Algorithms · Turnbook");
    expect(await shownRows(page)).toEqual([...algorithmNames]);
    await page.getByText("Filter by axis").click();
    await by(page, "filter-E").selectOption("turn-product");
    expect(await shownRows(page)).toEqual(["turn-ppo"]);
    expect(await by(page, "shown").textContent()).toBe(`1 of ${algorithmNames.length} rows`);
    await by(page, "filter-A").selectOption("trajectory");
    expect(await by(page, "shown").textContent()).toMatch(/^No row matches/);
    await by(page, "clear-filter").click();
    expect(await shownRows(page)).toHaveLength(algorithmNames.length);
    expect(errors).toEqual([]);
    await close();
  });

  it("sets two side by side: axes, settings, lines of their files", async () => {
    const { page, errors, close } = await open("#algorithms-grpo-vs-rloo");
    const row = (name: string) => page.locator(`[data-differs=${name}]`);
    expect(await row("baseline").textContent()).toMatch(/group-mean.*leave-one-out$/);
    expect(await row("epsLow").textContent()).toMatch(/0\.2–$/);
    expect(await row("gamma").count()).toBe(0);
    await by(page, "source-diff-summary").press("Enter");
    await page.getByText("Both run grpo.ts").waitFor();
    await by(page, "compare-with").selectOption("turn-ppo");
    await by(page, "source-diff-summary").press("Enter");
    await by(page, "source-diff").waitFor();
    const text = await by(page, "source-diff").textContent();
    expect(text).toMatch(/^− .*GRPO/m);
    expect(text).toMatch(/^\+ .*Turn-PPO/m);
    await by(page, "compare-with").selectOption("gspo");
    await page.waitForURL(/#algorithms-grpo-vs-gspo$/);
    expect(await row("ratio").textContent()).toMatch(/token.*sequence-geomean$/);
    await by(page, "compare-with").selectOption("");
    await page.waitForURL(/#algorithms-grpo$/);
    expect(await by(page, "differences").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("has three algorithms to read: alone, or two of them side by side", async () => {
    const { page, errors, close } = await open("#algorithms");
    expect(await by(page, "reading-texts").count()).toBe(0);
    await by(page, "reading-summary").press("Enter");
    const texts = by(page, "reading-texts");
    const stretches = texts.locator("[data-same]");
    await stretches.first().waitFor();
    expect(await texts.getAttribute("aria-label")).toBe("grpo.ts, turnPpo.ts");
    const [left, right] = await columns(page);
    expect(left).toBe(source("grpo"));
    expect(right).toBe(source("turnPpo"));
    await by(page, "reading-name").selectOption("token-ppo");
    await by(page, "reading-beside").selectOption("turn-ppo");
    expect((await columns(page))[0]).toBe(source("tokenPpo"));
    // Whoever reads the second alone compares it with none.
    await by(page, "reading-name").selectOption("turn-ppo");
    expect(
      await by(page, "reading-beside").evaluate((select) => (select as HTMLSelectElement).value),
    ).toBe("");
    expect(await stretches.count()).toBe(0);
    expect(unsigned(await texts.locator("pre").textContent())).toBe(source("turnPpo"));
    expect(await texts.locator(".stage").count()).toBe(7);
    expect(errors).toEqual([]);
    await close();
  });

  it("reads first what is picked", async () => {
    const { page, close } = await open("#algorithms-turn-ppo-vs-token-ppo");
    await by(page, "reading-summary").press("Enter");
    await by(page, "reading-texts").locator("[data-same]").first().waitFor();
    expect(await by(page, "reading-texts").getAttribute("aria-label")).toBe(
      "turnPpo.ts, tokenPpo.ts",
    );
    await close();
  });
});

const source = (name: string) =>
  readFileSync(
    join(import.meta.dirname, `../../src/algorithm/reading/${name}.ts`),
    "utf8",
  ).trimEnd();

/** Lines without the signs before them. */
const unsigned = (text: string | null) =>
  text!
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(2))
    .join("\n");

/** The texts of both columns. */
async function columns(page: DomPage): Promise<string[]> {
  const [left, right] = await Promise.all(
    [":first-child", ":last-child"].map((which) =>
      page
        .locator(`[data-testid=reading-texts] [data-same] > pre${which}`)
        .evaluateAll((pres) => pres.map((pre) => pre.textContent).join("")),
    ),
  );
  return [unsigned(left!), unsigned(right!)];
}
