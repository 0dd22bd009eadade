// @vitest-environment happy-dom
/** The page with made-up numbers: what it says and does. What is seen of it, and visits after one another, are in ../browser. */
import { describe, expect, it } from "vitest";
import { opened } from "../../src/store/runQueue.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, openSettings, type DomPage as Page } from "./page.ts";
import { EVERY } from "../every.ts";

usesApp();

const recording = syntheticRecording(shortRun());
const originOf = (page: Page) => by(page, "origin").first().getAttribute("data-origin");
const stateIs = (page: Page, state: string) => page.locator(`[data-run-state=${state}]`).waitFor();

/** Opens a chart's table (built only for those who look) and waits for its last row. */
async function openTable(page: Page, last: number) {
  const cell = page.locator("[data-cell=curves]");
  await cell.locator("summary", { hasText: "Mean reward: summary and table" }).press("Enter");
  await by(page, "chart-reward-table").locator(`tr[data-x='${last}']`).waitFor();
}

async function open(hash = "", served: string | null = recording) {
  const opened = await openApp(hash, { recording: served });
  await by(opened.page, "experiment").waitFor();
  return opened;
}

it("says politely that there is no recorded run, and works without", async () => {
  const { page, errors, close } = await open("", null);
  await page.locator("[data-testid=recording][data-state=missing]").waitFor();
  expect(await originOf(page)).toBe("none");
  await by(page, "run").click();
  await page.locator("[data-testid=origin][data-origin=live]").first().waitFor();
  expect(errors).toEqual([]);
  await close();
});

describe("a run", () => {
  it("takes over the panels, finishes, and comes back to the recording on reset", async () => {
    const { page, errors, close } = await open("#v1/nano?optimisation.iterations=4");
    await by(page, "run").click();
    await page.locator("[data-testid=origin][data-origin=live]").first().waitFor();
    await stateIs(page, "finished");
    expect(await by(page, "engine").textContent()).toContain("fake on wasm");
    expect(await by(page, "fallback").textContent()).toContain("no WebGPU");
    expect(await by(page, "fingerprint").locator("code").textContent()).toMatch(/^[0-9a-f]{64}$/);
    await openTable(page, 4);
    const rows = by(page, "chart-reward-table").locator("tbody tr");
    expect(await rows.count()).toBe(4);
    expect(await rows.last().locator("td").allTextContents()).toHaveLength(3);
    await by(page, "reset").click();
    await stateIs(page, "idle");
    expect(await originOf(page)).toBe("recorded");
    expect(errors).toEqual([]);
    await close();
  });

  it("says why it failed and what to do, and can start again", async () => {
    const { page, close } = await open("#v1/nano?seed=666");
    await by(page, "run").click();
    const problem = by(page, "problem");
    await problem.waitFor();
    expect(await problem.getAttribute("role")).toBe("alert");
    expect(await problem.textContent()).toMatch(/device was lost.*Choose another backend/);
    await openSettings(page);
    await by(page, "field-seed").fill("5");
    await by(page, "run").click();
    await stateIs(page, "running");
    expect(await problem.count()).toBe(0);
    await close();
  });
});

describe("the form and the link", () => {
  it("says what is wrong beside the field and refuses to run", async () => {
    const { page, close } = await open();
    await openSettings(page);
    const field = by(page, "field-optimisation.iterations");
    await field.fill("0");
    const message = page.locator(`[id="${(await field.getAttribute("aria-describedby"))!}"]`);
    expect(await message.textContent()).toMatch(
      /Iterations is 0; it must be a whole number from 1 to 1000000/,
    );
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await by(page, "run").isDisabled()).toBe(true);
    await field.fill("3");
    expect(await by(page, "run").isDisabled()).toBe(false);
    await close();
  });

  it("asks before a link replaces local edits", async () => {
    const { page, close } = await open();
    await openSettings(page);
    await by(page, "field-seed").fill("41");
    await page.evaluate(() => (location.hash = "#v1/nano?seed=7"));
    await by(page, "link-banner").waitFor();
    expect(await by(page, "field-seed").inputValue()).toBe("41");
    await by(page, "link-banner").getByRole("button").last().click();
    await page.waitForURL(/seed=41$/);
    await page.evaluate(() => (location.hash = "#v1/nano?seed=8"));
    await by(page, "link-banner").getByRole("button").first().click();
    expect(await by(page, "field-seed").inputValue()).toBe("8");
    await close();
  });

  it("warns about what a link says that cannot be used", async () => {
    const { page, errors, close } = await open("#v1/nano?seed=4&optimisation.epochs=-1&%E0%A4%A=1");
    const warnings = await by(page, "warnings").textContent();
    expect(warnings).toContain("optimisation.epochs is -1");
    expect(await by(page, "field-seed").inputValue()).toBe("4");
    expect(errors).toEqual([]);
    await close();
  });

  const COUNT = EVERY ? 200 : 40;
  it(`survives ${COUNT} damaged links, one after another`, async () => {
    const { page, errors, close } = await open();
    const whole = "#v1/nano?seed=4&algorithms=grpo,turn-ppo&turn-ppo.gamma=0.9&fp=ab12";
    const damage = [
      "%",
      "&",
      "=",
      "#",
      "__proto__=1&",
      "%E0%A4%A",
      "<img src=x>",
      "9".repeat(400),
      "\u0000",
    ];
    const links = Array.from({ length: COUNT }, (_, i) => {
      const at = (i * 7) % whole.length;
      return whole.slice(0, at) + damage[i % damage.length]! + whole.slice(at + (i % 5));
    });
    const seeds = await page.evaluate(async (all) => {
      const said: string[] = [];
      for (const link of all) {
        location.hash = link;
        await new Promise((resolve) => setTimeout(resolve));
        said.push(
          document.querySelector<HTMLInputElement>("[data-testid=field-seed]")?.value ?? "",
        );
      }
      return said;
    }, links);
    expect(seeds).toHaveLength(COUNT);
    for (const seed of seeds) expect(seed).toMatch(/^\d+$/);
    await page.evaluate(() => (location.hash = "#v1/nano?seed=77"));
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>("[data-testid=field-seed]")!.value === "77",
    );
    expect(errors).toEqual([]);
    await close();
  });
});

it("leaves typing alone", async () => {
  const { page, close } = await open();
  await openSettings(page);
  await by(page, "field-seed").focus();
  await page.keyboard.press("r");
  await page.keyboard.press("?");
  await page.keyboard.press("Space");
  expect(await by(page, "help-dialog").count()).toBe(0);
  expect(await by(page, "status").getAttribute("data-state")).toBe("idle");
  await close();
});

it("asks before a run is dropped in whatever view, far from the experiment's cell", async () => {
  const { page, close } = await openApp("#notebooks");
  await by(page, "gallery").waitFor();
  const one = [...opened].at(-1)!;
  one.store.setState({ leaving: "reset" });
  await by(page, "leave-dialog").waitFor();
  await page.getByRole("button", { name: "Keep the run" }).click();
  await expect.poll(() => one.store.getState().leaving).toBeNull();
  await close();
});
