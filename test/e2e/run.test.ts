/** A person's path through the page, with the real training worker: press Run, watch, look at a turn, share. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { by, launch, openPage, type ServedPage, servePage } from "../browser/support.ts";
import { EVERY } from "../every.ts";

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Software WebGPU takes seconds a step: four episodes of two turns stay below 500 tokens an iteration. */
const SMALL =
  "environment.maxTurns=2&optimisation.tasksPerIteration=1&optimisation.groupSize=4&optimisation.minibatch=4" +
  "&optimisation.epochs=1&critic.epochs=1&critic.warmup=1&evaluation.levels=0";

/** A quarter of an iteration's tasks. */
const LESS = "optimisation.tasksPerIteration=4";

const METHODS = ["grpo", "token-ppo", "turn-ppo"];

/** Waits for a state; a run that failed says why instead of timing out. */
async function waitForState(page: Page, state: string, timeout: number): Promise<void> {
  const status = page.locator(`[data-run-state=${state}], [data-run-state=failed]`);
  await status.waitFor({ timeout });
  const now = await by(page, "status").getAttribute("data-state");
  if (now !== state) throw new Error(`the run ${now}: ${await by(page, "problem").textContent()}`);
}

/** The numbers behind a chart: one row per iteration, one cell per method. */
async function chartTable(
  page: Page,
  id: string,
  last: number,
): Promise<{ x: number; cells: string[] }[]> {
  await by(page, id).locator("summary").click();
  // Charts are drawn a little later than the run says that it has finished.
  await by(page, `${id}-table`).locator(`tr[data-x='${last}']`).waitFor();
  const rows = await by(page, `${id}-table`).locator("tbody tr").all();
  return Promise.all(
    rows.map(async (row) => ({
      x: Number(await row.getAttribute("data-x")),
      cells: await row.locator("td").allTextContents(),
    })),
  );
}

/** Text of a number as the page writes it. */
const NUMBER = /^[+\u2212]?\d+(\.\d+)?$/;

describe("on WebGPU", () => {
  it("three curves reach iteration 2, and a turn shows its board, V and advantage", async () => {
    const link = `#v1/nano?seed=3&iterations=2&backend=webgpu&${SMALL}`;
    const { page, errors, close } = await openPage(browser, site.url + link);
    await by(page, "run").click();
    await waitForState(page, "finished", 300_000);
    await expect.poll(() => by(page, "engine").textContent()).toContain("webgpu");
    await expect.poll(() => by(page, "origin").first().getAttribute("data-origin")).toBe("live");

    for (const chart of ["chart-reward", "chart-success"]) {
      const rows = await chartTable(page, chart, 2);
      expect(rows.map(({ x }) => x)).toEqual([1, 2]);
      for (const { cells } of rows) {
        expect(cells).toHaveLength(METHODS.length);
        for (const cell of cells) expect(cell.replace("\u00a0%", "")).toMatch(NUMBER);
      }
    }

    // Out of sight it is as it was before the run: without episodes where the recorded run came later than the panel.
    await by(page, "turns-panel").scrollIntoViewIfNeeded();
    for (const method of METHODS) {
      await by(page, "turns-algorithm").selectOption(method);
      const table = by(page, "turns-table");
      await expect.poll(() => by(page, "turns-iteration").inputValue()).toBe("2");
      const turn = table.locator("tbody tr").first();
      await expect
        .poll(() => turn.getByTestId("board").getAttribute("aria-label"))
        .toMatch(/6 by 6 board\. Player at row \d, column \d\./);
      const cell = (column: number) => turn.locator("td").nth(column).textContent();
      const value = method === "grpo" ? /^no critic$/ : NUMBER;
      await expect.poll(() => cell(2)).toMatch(value);
      expect(await cell(1)).not.toBe("");
      expect(await cell(4)).toMatch(NUMBER);
      expect(await cell(6)).toMatch(/^\d/);
    }
    expect(errors).toEqual([]);
    await close();
  });
});

describe("on WebAssembly", () => {
  it("steps, pauses, and resets while the worker works", async () => {
    const { page, errors, close } = await openPage(
      browser,
      `${site.url}#v1/nano?iterations=50&backend=wasm&${SMALL}`,
    );
    await by(page, "step").click();
    await waitForState(page, "paused", 120_000);
    const rows = await chartTable(page, "chart-reward", 1);
    expect(rows.map(({ x }) => x)).toEqual([1]);
    await by(page, "run").click();
    await waitForState(page, "running", 120_000);
    await by(page, "reset").click();
    await waitForState(page, "idle", 120_000);
    expect(errors).toEqual([]);
    await close();
  });

  // fingerprint.test.ts compares two profiles, ../browser/page.test.ts follows a copied link.
  if (EVERY)
    it("a copied link reproduces the fingerprint in a fresh profile", async () => {
      const first = await openPage(
        browser,
        `${site.url}#v1/nano?iterations=2&backend=wasm&${LESS}`,
      );
      await by(first.page, "run").click();
      await waitForState(first.page, "finished", 300_000);
      const fingerprint = await by(first.page, "fingerprint").locator("code").textContent();
      expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
      await by(first.page, "copy-link").click();
      const link = (await by(first.page, "copied").getAttribute("data-link"))!;
      expect(new URL(link).hash.length).toBeLessThan(200);
      await first.close();

      const second = await openPage(browser, link);
      await by(second.page, "run").click();
      await waitForState(second.page, "finished", 300_000);
      const verdict = by(second.page, "fingerprint");
      await expect.poll(() => verdict.getAttribute("data-comparison")).toBe("reproduced");
      await expect.poll(() => verdict.locator("code").textContent()).toBe(fingerprint);
      await second.close();
    });
});
