/** The lens's curves in a real Chromium: runs over each other, one zoom for all, files. */
import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatNumber } from "../../src/numeric/format.ts";
import { ticksWithin } from "../../src/numeric/axis.ts";
import { tInterval } from "../../src/numeric/statistics.ts";
import { words as fairnessWords } from "../../src/figures/curves/fairnessWords.ts";
import { curveLog, curveRecording } from "../fixtures/curveRun.ts";
import { axeFaults } from "./axe.ts";
import { showing } from "../fixtures/lensAddress.ts";
import { LOOKS } from "./lensPanel.ts";
import {
  by,
  launch,
  openPage,
  routeRecording,
  type ServedPage,
  servePage,
  takePicture,
  unstick,
  WINDOWS,
  openPanel,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake", recording: curveRecording() });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const stateIs = (page: Page, state: string) => page.locator(`[data-run-state=${state}]`).waitFor();

interface OpenOptions extends BrowserContextOptions {
  /** Another recorded run; null for none. */
  recording?: string | null;
  /** Of the address, after `view=lens`. */
  rest?: string;
}

/** Charts are drawn only while they are on screen: all of them are. */
const TALL = { width: 1280, height: 2600 };

async function open({ recording, rest = "", ...context }: OpenOptions = {}) {
  const opened = await openPage(browser, "about:blank", {
    ...{ viewport: TALL, deviceScaleFactor: 0.5 },
    ...context,
  });
  const { page } = opened;
  if (recording !== undefined) await routeRecording(page, recording);
  await page.goto(`${site.url}#v1/nano?view=lens${rest}${showing("curves", "run")}`);
  const state = recording === null ? "missing" : "shown";
  await page.locator(`[data-recording=${state}]`).waitFor();
  await by(page, "curves-panel").waitFor();
  if (recording !== null) await by(page, "curves-settings").locator("summary").click();
  return opened;
}

/** Cells of a row of the mean reward's table. */
async function rewardsAt(page: Page, iteration: number): Promise<string[]> {
  const details = by(page, "chart-reward").locator("details");
  if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
  const row = by(page, "chart-reward-table").locator(`tr[data-x='${iteration}']`);
  await row.waitFor();
  return row.locator("td").allTextContents();
}

/** A live run of the same experiment with another seed, to its end. */
async function runSeed(page: Page, seed: number, iterations: number): Promise<void> {
  await openPanel(page, "run");
  if (!(await by(page, "field-seed").isVisible())) await by(page, "settings").click();
  await by(page, "field-seed").fill(String(seed));
  await by(page, "field-optimisation.iterations").fill(String(iterations));
  await by(page, "run").click();
  await stateIs(page, "finished");
  await openPanel(page, "curves");
}

describe("the fairness card", () => {
  it("says beside the curves what the methods share, and warns of what they do not", async () => {
    for (const { name, viewport, theme } of WINDOWS) {
      const { page, errors, close } = await open({ viewport, colorScheme: theme });
      const card = by(page, "fairness");
      const summary = card.locator(":scope > summary");
      await summary.scrollIntoViewIfNeeded();
      await summary.press("Enter");
      const tasks = card.locator("tr[data-row=tasks] td");
      await tasks.first().waitFor();
      expect((await tasks.allTextContents()).at(-1)).toBe(fairnessWords.status.differs);
      await expect.poll(() => card.locator("li[data-warning]").count()).toBe(2);
      expect(await axeFaults(page, { within: "[data-testid=fairness]" })).toEqual([]);
      await takePicture(card, `fairness-${name}.png`);
      expect(errors).toEqual([]);
      await close();
    }
  });
});

/** Along the plot from one share of its width to another. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = (await by(page, "chart-reward").getByTestId("plot-area").boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
}

const domainText = (page: Page) => by(page, "curves-domain").textContent();

describe("the curves", () => {
  it("show the recorded numbers, smoothed or not, on any axis", async () => {
    const { page, errors, close } = await open();
    const { y } = curveLog().series("turn-ppo", "critic/score/mean");
    expect((await rewardsAt(page, 20))[2]).toBe(formatNumber(y[19]));
    await by(page, "curves-axis").selectOption("tokens");
    expect((await rewardsAt(page, 20))[2]).toBe(`${formatNumber(y[19])} at 12.8k`);
    await by(page, "curves-smoothing").fill("0.5");
    await by(page, "chart-reward").getByTestId("raw").first().waitFor();
    expect((await rewardsAt(page, 1))[2]).toBe(`${formatNumber(y[0])} at 640`);
    expect((await rewardsAt(page, 20))[2]).not.toContain(formatNumber(y[19]));
    expect(errors).toEqual([]);
    await close();
  });

  it("put a live run over the recorded one, keep it over a reset, and name what differs", async () => {
    const { page, errors, close } = await open();
    await runSeed(page, 7, 6);
    await by(page, "keep-run").click();
    await by(page, "reset").click();
    await stateIs(page, "idle");
    await runSeed(page, 8, 6);
    const rows = by(page, "run-table").locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    await expect
      .poll(() => by(page, "run-table").locator("th[data-path]").allTextContents())
      .toContain("optimisation.iterations");
    // Two seeds of one experiment, and the ghost of another one.
    const lines = by(page, "chart-reward").locator("li[data-curve]");
    await lines.nth(5).waitFor();
    await expect.poll(() => lines.first().textContent()).toContain("2 seeds");
    await expect.poll(() => by(page, "chart-reward").getByTestId("band").count()).toBe(3);
    await by(page, "curves-seeds").selectOption("each");
    await lines.nth(8).waitFor();
    await rows.nth(1).getByRole("checkbox").uncheck();
    await lines.nth(8).waitFor({ state: "detached" });
    await expect.poll(() => lines.count()).toBe(6);
    expect(errors).toEqual([]);
    await close();
  });

  it("give the mean over seeds with Student's t, and differences to a baseline", async () => {
    // The recorded run's experiment but for the seed; the live run's numbers know no seed.
    const { page, errors, close } = await open({ rest: "&seed=2" });
    await by(page, "keep-run").click();
    const logs = [curveLog({ seed: 1 }), curveLog({ seed: 3 })];
    await page.route("**/runs/nano/recording.json", (route) => route.continue());
    const text = curveRecording({ seed: 3 });
    await page.setInputFiles("input[type=file]", {
      ...{ name: "run.jsonl", mimeType: "application/jsonl" },
      buffer: Buffer.from(text),
    });
    await page.locator("[data-testid=origin][data-origin=imported]").first().waitFor();
    const values = logs.map((log) => log.series("grpo", "critic/score/mean").y[9]!);
    const { low, high } = tInterval(values);
    const mean = (values[0]! + values[1]!) / 2;
    const [cell] = await rewardsAt(page, 10);
    expect(cell).toBe(
      `${formatNumber(mean)} [${formatNumber(low)}, ${formatNumber(high)}] (n = 2)`,
    );
    await by(page, "curves-baseline").selectOption({ index: 1 });
    await by(page, "chart-reward").getByText("baseline", { exact: true }).waitFor();
    const latest = by(page, "latest-table").locator("tbody tr").nth(2);
    await latest.scrollIntoViewIfNeeded();
    await latest.locator(".curve-difference").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("select by dragging, zoom into that, and a click moves the cursor of all panels", async () => {
    const { page, errors, close } = await open();
    await by(page, "chart-reward").getByTestId("line").first().waitFor();
    await drag(page, 0.24, 0.51);
    // Selected in one, seen in all; the place that is read goes before the mean of the stretch.
    await by(page, "chart-success").getByTestId("brush").waitFor();
    await expect.poll(() => domainText(page)).toBe("");
    await page.mouse.move(5, 5);
    const rewards = curveLog().series("turn-ppo", "critic/score/mean").y.slice(4, 10) as number[];
    const mean = rewards.reduce((sum, y) => sum + y, 0) / rewards.length;
    const entry = by(page, "chart-reward").locator("li[data-curve$=turn-ppo] .number");
    await expect.poll(() => entry.textContent()).toBe(formatNumber(mean));
    await by(page, "curves-zoomIn").click();
    await page.waitForFunction(
      () => document.querySelector("[data-testid=curves-domain]")?.textContent !== "",
    );
    await expect.poll(() => by(page, "chart-success").getByTestId("brush").count()).toBe(0);
    await expect.poll(() => domainText(page)).toBe("showing 5 to 10");
    const ticks = by(page, "chart-success").locator(".recharts-xAxis-tick-labels text");
    await page.waitForTimeout(500);
    await expect
      .poll(() => ticks.allTextContents())
      .toEqual(ticksWithin([5, 10], true).map(String));
    await by(page, "chart-reward").getByTestId("plot-area").dblclick();
    await page.waitForTimeout(300);
    await expect.poll(() => domainText(page)).toBe("");
    const box = (await by(page, "chart-success").getByTestId("plot-area").boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.95, box.y + 5);
    await expect.poll(() => by(page, "turns-iteration").first().inputValue()).toBe("19");
    await expect
      .poll(() => by(page, "chart-reward").getByTestId("cursor-mark").getAttribute("data-x"))
      .toBe("19");
    // What one chart reads, all read.
    const at = by(page, "chart-heldout").locator(".curve-at");
    // The charts are redrawn one after another.
    await expect.poll(() => at.textContent()).toBe("at iteration 19");
    expect(errors).toEqual([]);
    await close();
  });

  it("are read and zoomed by keyboard alone", async () => {
    const { page, errors, close } = await open();
    const plot = by(page, "chart-reward").locator("[data-scope=curves]");
    await plot.focus();
    const at = by(page, "chart-success").locator(".curve-at");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => at.textContent()).toBe("at iteration 20");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => at.textContent()).toBe("at iteration 18");
    await expect
      .poll(() => by(page, "chart-reward").getByTestId("legend").getAttribute("aria-live"))
      .toBe("polite");
    await page.keyboard.press("Enter");
    await expect.poll(() => by(page, "turns-iteration").first().inputValue()).toBe("18");
    await page.keyboard.press("+");
    await expect.poll(() => domainText(page)).toBe("showing 9 to 19");
    await page.keyboard.press("<");
    await expect.poll(() => domainText(page)).toBe("showing 6.5 to 16.5");
    await page.keyboard.press("Escape");
    await expect.poll(() => domainText(page)).toBe("");
    // Alone, Escape leaves the zoom first.
    const header = page.locator(".page-header");
    await page.keyboard.press("z");
    await header.waitFor({ state: "hidden" });
    await page.keyboard.press("+");
    await expect.poll(() => domainText(page)).not.toBe("");
    await page.keyboard.press("Escape");
    await expect.poll(() => domainText(page)).toBe("");
    await expect.poll(() => header.isVisible()).toBe(false);
    await page.keyboard.press("Escape");
    await header.waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("chart any number, and say when there is none of that name", async () => {
    const { page, close } = await open();
    await by(page, "curves-add").fill("actor/entropy");
    await page.keyboard.press("Enter");
    await by(page, "chart-train|actor/entropy").waitFor();
    // Words first, the name in logs beside them.
    const head = by(page, "chart-train|actor/entropy").locator("figcaption");
    await expect.poll(() => head.textContent()).toContain("Policy entropy, natsactor/entropy");
    await by(page, "curves-add").fill("no/such");
    await page.keyboard.press("Enter");
    await page.getByText("No run has a metric named no/such.").waitFor();
    await page.getByRole("button", { name: "Save or copy Policy entropy, nats" }).click();
    await page.getByRole("menuitem", { name: "Remove chart" }).click();
    await by(page, "chart-train|actor/entropy").waitFor({ state: "detached" });
    await close();
  });
});

describe("files", () => {
  async function saved(page: Page, name: string): Promise<Buffer> {
    const button = page.getByRole("button", { name, exact: true });
    const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return readFileSync(await file.path());
  }

  it("hold all points: numbers unsmoothed, pictures not thinned out", async () => {
    const far = 1e6;
    const recording = curveRecording({
      iterations: 600,
      change: (metrics, algorithm, i) =>
        i === 300 && algorithm === "turn-ppo" ? { ...metrics, "critic/score/mean": far } : metrics,
    });
    const { page, errors, close } = await open({ recording });
    const chart = by(page, "chart-reward");
    const ticks = chart.locator(".recharts-yAxis-tick-labels text");
    const highest = async () => Number(await ticks.last().textContent());
    await expect.poll(highest).toBe(far);
    // A scale without it, and all the same every point in the files.
    await by(page, "curves-trim").check();
    await expect.poll(highest).toBeLessThan(100);
    await expect
      .poll(() => chart.getByTestId("chart-note").textContent())
      .toMatch(/^\d outliers are outside/);
    await by(page, "curves-smoothing").fill("0.9");
    const csv = (await saved(page, "CSV")).toString().trim().split("\r\n");
    const own = csv.filter((line) => line.includes(",turn-ppo,train,critic/score/mean,"));
    expect(own).toHaveLength(600);
    const { y } = curveLog({ iterations: 600 }).series("turn-ppo", "critic/score/mean");
    expect(Number(own[499]!.split(",").at(-1))).toBe(y[499]);
    expect(Number(own[299]!.split(",").at(-1))).toBe(far);
    expect((await saved(page, "JSONL")).toString().trim().split("\n")).toHaveLength(csv.length - 1);
    const picture = async (kind: string) => {
      await page.getByRole("button", { name: "Save or copy Mean reward", exact: true }).click();
      const item = page.getByRole("menuitem", { name: `Save as ${kind}` });
      const [file] = await Promise.all([page.waitForEvent("download"), item.click()]);
      return readFileSync(await file.path());
    };
    // The chart's own numbers, by iteration.
    expect((await picture("CSV")).toString().split("\r\n")[300]).toContain(`,${far}`);
    const objects = (await picture("JSONL")).toString().trim().split("\n");
    expect(objects).toHaveLength(600);
    expect(Object.values(JSON.parse(objects[299]!) as object)).toContain(far);
    const svg = (await picture("SVG")).toString();
    const longest = Math.max(
      ...[...svg.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d!.split("L").length),
    );
    expect(longest).toBe(600);
    expect(svg).not.toMatch(/var\(--|NaN/);
    // In words, by its name in logs, and each line with its own.
    for (const text of ["Mean reward", "critic/score/mean", "Turn-PPO"])
      expect(svg).toContain(text);
    expect((await picture("PNG")).subarray(1, 4).toString()).toBe("PNG");
    expect(errors).toEqual([]);
    await close();
  });
});

describe("runs that lack something", () => {
  it("one point", async () => {
    const { page, errors, close } = await open({ recording: curveRecording({ iterations: 1 }) });
    await by(page, "chart-reward").locator("circle").first().waitFor();
    await expect.poll(() => rewardsAt(page, 1)).toHaveLength(3);
    expect(errors).toEqual([]);
    await close();
  });

  it("numbers that are not finite, a crash, and nothing about turns or time", async () => {
    const recording = curveRecording({
      crashAt: 8,
      change: ({ "num_turns/mean": _, ...metrics }, algorithm, iteration) =>
        iteration % 3 === 0 && algorithm !== "grpo"
          ? { ...metrics, "critic/score/mean": null }
          : metrics,
    });
    const { page, errors, close } = await open({ recording });
    expect((await rewardsAt(page, 9))[2]).toBe("not a number");
    await expect.poll(() => by(page, "chart-reward").getByTestId("crash-mark").count()).toBe(1);
    await expect
      .poll(() => by(page, "chart-reward-summary").textContent())
      .toContain("crashed at iteration 8");
    await by(page, "curves-axis").selectOption("turns");
    await by(page, "chart-reward").getByTestId("chart-note").waitFor();
    await expect
      .poll(() => by(page, "chart-reward").getByTestId("chart-note").textContent())
      .toContain("no data on this axis");
    await by(page, "curves-axis").selectOption("time");
    await by(page, "chart-reward").getByTestId("chart-note").waitFor({ state: "detached" });
    const text = await by(page, "curves-panel").textContent();
    expect(text).not.toMatch(/NaN|undefined|Infinity|\[object/);
    expect(errors).toEqual([]);
    await close();
  });

  it("heights at or below 0 on a logarithmic scale", async () => {
    const change = (metrics: object) => ({ ...metrics, "critic/score/mean": -1 });
    const { page, errors, close } = await open({ recording: curveRecording({ change }) });
    await by(page, "curves-log").check();
    await by(page, "chart-reward").getByTestId("chart-note").waitFor();
    await expect
      .poll(() => by(page, "chart-reward").getByTestId("chart-note").textContent())
      .toBe("60 values are 0 or below and cannot be shown on a log scale.");
    expect(errors).toEqual([]);
    await close();
  });
});

describe.each(["dark", "phone"] as const)("two runs beside each other in %s", (look) => {
  it("are in order for axe, and have their picture taken", async () => {
    const recording = curveRecording({ crashAt: 15 });
    const { page, errors, close } = await open({ ...LOOKS[look], recording });
    await openPanel(page, "curves");
    await by(page, "keep-run").click();
    await runSeed(page, 5, 12);
    await by(page, "curves-smoothing").fill("0.6");
    await by(page, "curves-baseline").selectOption({ index: 1 });
    // The cursor bar would stick over the picture.
    await unstick(page);
    for (const part of [by(page, "chart-heldout"), by(page, "run-table")]) {
      await part.scrollIntoViewIfNeeded();
      await page.waitForTimeout(400);
    }
    expect(await axeFaults(page, { within: "[data-testid=curves-panel]" })).toEqual([]);
    await takePicture(by(page, "curves-panel"), `curves-${look}.png`);
    expect(errors).toEqual([]);
    await close();
  });
});
