/** The "This machine" page: its looks and manners with a made-up machine, and the real worker on this one. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { classPresetNames } from "../../src/spec/presets.ts";
import { axeFaults } from "./axe.ts";
import { tasksDuring } from "./mainThread.ts";
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
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const machineIs = (page: Page, state: string, timeout = 30_000) =>
  page.locator(`[data-testid=machine][data-state=${state}]`).waitFor({ timeout });

describe("a made-up machine", () => {
  let site: ServedPage;
  beforeAll(async () => {
    site = await servePage({ worker: "fake", recording: null });
  });
  afterAll(() => site?.close());

  async function open(hash = "#machine", options = {}, query = "") {
    const opened = await openPage(browser, `${site.url}${query}${hash}`, options);
    if (hash === "#machine") await machineIs(opened.page, "examined");
    return opened;
  }

  it("says which engine is taken, why not a better one, and what disagreed", async () => {
    const { page, errors, close } = await open();
    expect(await page.title()).toBe("This machine · Turnbook");
    const summary = await by(page, "machine-summary").textContent();
    expect(summary).toContain("runs use WebAssembly (WebAssembly SIMD, one thread)");
    expect(summary).toContain("Not used: webgpu: the webgpu engine");
    const refused = by(page, "engine-webgpu-webgpu");
    expect(await refused.textContent()).toContain("✗ wrong numbers: not used");
    await refused.getByText("What was compared").click();
    const row = refused.locator("tr", { hasText: "gradients, every tensor" });
    expect(await row.textContent()).toMatch(/q_proj\.weight.*✗ wrong/);
    expect(await by(page, "engine-tfjs-wasm").textContent()).toContain("has no SIMD.");
    expect(await by(page, "machine-doing").textContent()).toBe(
      "Right numbers: WebAssembly, TensorFlow.js on WebGPU. Wrong numbers: WebGPU.",
    );
    expect(errors).toEqual([]);
    await close();
  });

  it("measures, and says what to expect with the formula in numbers", async () => {
    const { page, close } = await open();
    await by(page, "measure").click();
    await machineIs(page, "measuring");
    expect(await by(page, "measure").isDisabled()).toBe(true);
    expect(await by(page, "machine-doing").textContent()).toBe("Measuring nano on wasm …");
    await machineIs(page, "measured");
    const nano = page.locator("[data-testid=expectations] tr[data-preset=nano]");
    expect(await nano.textContent()).toContain("at most 1.7\u00a0s");
    await page.getByText("How this is computed").click();
    expect(await by(page, "machine-expect").textContent()).toContain(
      "nano: 640 × 6 ÷ 12,000/s + 640 × 47 × 2.25 ÷ 50,000/s",
    );
    await close();
  });

  it("can be copied as text", async () => {
    const { page, close } = await open("#machine", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await by(page, "copy-machine").click();
    await by(page, "machine-copied").getByText("Copied").waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/^Turnbook: this machine\nbrowser: Chrome 142/);
    expect(text).toContain("BAD gradients, every tensor: 1 of 5.0e−4 (model.layers.0");
    await close();
  });

  it("does not measure beside a run, and says why", async () => {
    const { page, close } = await open("#v1/nano?optimisation.iterations=500");
    await by(page, "run").click();
    await page.locator("[data-testid=status][data-state=running]").waitFor();
    await page.keyboard.press("m");
    await machineIs(page, "examined");
    expect(await by(page, "measure").isDisabled()).toBe(true);
    expect(await by(page, "machine-busy").textContent()).toContain("Pause or reset the run");
    // The run is not this page's: its keys do nothing here.
    await page.keyboard.press("Space");
    await by(page, "back").click();
    await page.locator("[data-testid=status][data-state=running]").waitFor();
    await page.keyboard.press("Space");
    await page.locator("[data-testid=status][data-state=paused]").waitFor();
    await page.keyboard.press("m");
    expect(await by(page, "measure").isDisabled()).toBe(false);
    await close();
  });

  it("says what failed and tries again", async () => {
    const { page, close } = await open("#machine", {}, "?benchmark=13");
    await by(page, "measure").click();
    const problem = by(page, "machine-problem");
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/device was lost.*Reload the page/);
    await problem.getByRole("button").click();
    await problem.waitFor({ state: "detached" });
    await machineIs(page, "examined");
    await close();
  });

  it("is reached and left by keyboard, and leaves the experiment's link alone", async () => {
    const { page, errors, close } = await open("#v1/nano?seed=5");
    await by(page, "experiment").waitFor();
    await by(page, "field-seed").fill("41");
    await page.waitForURL(/seed=41$/);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("m");
    await machineIs(page, "examined");
    expect(new URL(page.url()).hash).toBe("#machine");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.waitForTimeout(400);
    expect(new URL(page.url()).hash).toBe("#machine");
    const seen = new Set<string | null>();
    for (let i = 0; i < 14; i++) {
      await page.keyboard.press("Tab");
      seen.add(await page.evaluate(() => document.activeElement!.getAttribute("data-testid")));
    }
    for (const id of ["back", "copy-machine", "check-again", "measure"])
      expect([...seen]).toContain(id);
    await page.keyboard.press("m");
    await page.waitForURL(/#v1\/nano\?seed=41$/);
    expect(await by(page, "field-seed").inputValue()).toBe("41");
    expect(await by(page, "link-banner").count()).toBe(0);
    await page.goBack();
    await machineIs(page, "examined");
    await page.goBack();
    expect(await by(page, "field-seed").inputValue()).toBe("41");
    expect(errors).toEqual([]);
    await close();
  });

  it.each(WINDOWS)("$name, $theme: no problem for anyone, nothing cut off", async (look) => {
    const { name, viewport, theme } = look;
    const { page, close } = await open("#machine", { viewport, colorScheme: theme });
    await by(page, "measure").click();
    await machineIs(page, "measured");
    for (const summary of await page.locator(".machine summary").all()) await summary.click();
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await takePicture(page, `machine-${name}-${theme}.png`, { fullPage: true });
    await close();
  });
});

describe("this machine, with the training worker", () => {
  let site: ServedPage;
  beforeAll(async () => {
    site = await servePage({ worker: "real", recording: null });
  });
  afterAll(() => site?.close());

  it("checks every engine, remembers it, measures, and leaves the page free meanwhile", async () => {
    const { page, errors, close } = await openPage(browser, `${site.url}?benchmark=1#machine`);
    const examining = await tasksDuring(browser, page, () => machineIs(page, "examined", 200_000));
    expect(await by(page, "adapter").textContent()).toMatch(/swiftshader|software|\w+/i);
    for (const id of ["webgpu-webgpu", "wasm-wasm", "tfjs-wasm", "tfjs-webgpu"]) {
      const engine = by(page, `engine-${id}`);
      expect(await engine.getAttribute("data-state"), id).toBe("ready");
      expect(await engine.textContent()).toContain("✓ right numbers");
    }
    const measuring = await tasksDuring(browser, page, async () => {
      await by(page, "measure").click();
      await machineIs(page, "measured", 120_000);
    });
    const rows = await by(page, "timings").locator("tbody tr").allTextContents();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows[0]).toMatch(/[\d,]+\/s/);
    expect(await by(page, "expectations").locator("tbody tr").count()).toBe(
      classPresetNames.length,
    );
    const tasks = [...examining, ...measuring];
    expect(tasks.length).toBeGreaterThan(10);
    // The aim is none above 50 ms. Processor time is the page's own, but a busy machine's caches are not: some slack.
    expect(tasks.filter(({ processor }) => processor > 100)).toEqual([]);
    await takePicture(page, "machine-here.png", { fullPage: true });

    // The second visit finds the checks in the browser's storage.
    await page.reload();
    await machineIs(page, "examined", 60_000);
    expect(await by(page, "engine-webgpu-webgpu").textContent()).toMatch(
      /checked in \d+\sms on \w+ \d+, \d{4}/,
    );
    expect(errors).toEqual([]);
    await close();
  });
});

describe("a wasm engine with one wrong kernel, with the training worker", () => {
  let site: ServedPage;
  beforeAll(async () => {
    // The gradient of SwiGLU is never taken: nothing crashes, everything after it is wrong.
    const file = "src/engine/wasm/kernels.ts";
    const change = { file, from: 'call(p, "swigluBackward"', to: 'call(p, "swiglu"' };
    site = await servePage({ worker: "real", recording: null, change });
  });
  afterAll(() => site?.close());

  const SMALL =
    "iterations=1&environment.maxTurns=1&optimisation.tasksPerIteration=1&optimisation.groupSize=2" +
    "&optimisation.minibatch=2&evaluation.levels=0";

  it("is replaced on automatic, and the page says by what and why", async () => {
    const { page, errors, close } = await openPage(browser, `${site.url}#v1/nano?${SMALL}`);
    await by(page, "run").click();
    await page.locator("[data-testid=status][data-state=finished]").waitFor({ timeout: 120_000 });
    expect(await by(page, "engine").textContent()).toContain("tfjs on wasm");
    expect(await by(page, "fallback").textContent()).toMatch(
      /webgpu: no GPU found, only a software adapter .*; wasm: the wasm engine on wasm .* failed the self-check against tfjs on cpu: gradients \(.*\) off by/,
    );
    expect(errors).toEqual([]);
    await close();
  });

  it("is an error with a way out where it was asked for", async () => {
    const { page, close } = await openPage(browser, `${site.url}#v1/nano?backend=wasm&${SMALL}`);
    await by(page, "run").click();
    await by(page, "problem").waitFor({ timeout: 60_000 });
    expect(await by(page, "problem").textContent()).toMatch(
      /failed the self-check.*use the cpu backend\..*Choose another backend, or automatic/,
    );
    await close();
  });
});
