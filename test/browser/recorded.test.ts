/** The recorded run that the page ships, in a fresh profile and never run: what it loads, and what its models answer. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  by,
  launch,
  openPage,
  type ServedPage,
  servePage,
  takePicture,
  openPanel,
  shownRecording,
} from "./support.ts";

const pages = join(import.meta.dirname, "..", "..", "public");

let browser: Browser;
let site: ServedPage;

beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "real" });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const integrity = (page: Page) => by(page, "integrity").textContent();
const TALL = { viewport: { width: 1280, height: 2600 }, deviceScaleFactor: 0.5 };
/**
 * Milliseconds that an answer may take on a busy machine; the page promises 3 s on a quiet one. What was measured is told.
 */
const TIME_LIMIT = 10_000;

/** Requests below runs/, by file name. */
function recordedFiles(page: Page): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    const name = /\/runs\/nano\/([^/?]+)$/.exec(request.url())?.[1];
    if (name) names.push(name);
  });
  return names;
}

async function openAt(hash: string) {
  const opened = await openPage(browser, "about:blank", TALL);
  const files = recordedFiles(opened.page);
  await opened.page.goto(`${site.url}${hash}`);
  await shownRecording(opened.page).waitFor();
  return { ...opened, files };
}

/** Another place in the address, once that names the panel that was opened. */
async function go(page: Page, from: string, to: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/layout=/);
  await page.evaluate(([a, b]) => (location.hash = location.hash.replace(a!, b!)), [from, to]);
}

/** Milliseconds until what an action asks for is there. */
async function timed(what: string, act: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  await act();
  const took = performance.now() - begin;
  console.info(`recorded run: ${what} after ${(took / 1000).toFixed(1)} s`);
  expect(took).toBeLessThan(TIME_LIMIT);
}

/** Of the recording shown true values are known; those of the episode at another place are not, and are found. */
async function findAnother(page: Page, place: string, what: string): Promise<void> {
  await expect
    .poll(() => by(page, "truth-button").first().textContent())
    .toContain("True values known");
  await openPanel(page, "fork");
  await expect.poll(() => by(page, "truth-found").textContent()).toContain("256 continuations");
  await page.evaluate((at) => (location.hash += `&at=${at}`), place);
  await expect.poll(() => by(page, "truth-found").count()).toBe(0);
  await timed(what, async () => {
    await by(page, "fork-panel").getByRole("button", { name: "Estimate true values" }).click();
    await by(page, "truth-found").waitFor({ timeout: TIME_LIMIT });
  });
}

describe("the recorded run", () => {
  it("loads its curves and one iteration, and says that its files are intact", async () => {
    const { page, errors, files, close } = await openAt("");
    await by(page, "turns-panel").scrollIntoViewIfNeeded();
    await by(page, "turns-table").waitFor();
    expect(files).toEqual(["recording.json", "curves.bin", "iteration-100.bin"]);
    await expect
      .poll(() => integrity(page))
      .toContain("File intact: the 3 of 28 files read so far");
    await expect.poll(() => integrity(page)).toContain("Fingerprint of the full run:");
    await expect.poll(() => integrity(page)).not.toContain("Chain");
    expect(errors).toEqual([]);
    await close();
  });

  it("says which file is damaged, and shows the rest", async () => {
    const { page, close } = await openPage(browser, "about:blank");
    await page.route("**/runs/nano/iteration-100.bin", (route) => route.fulfill({ body: "x" }));
    await page.goto(site.url);
    await expect
      .poll(() => integrity(page))
      .toContain("iteration-100.bin is damaged: it has 1 bytes");
    await expect
      .poll(() => page.locator("[data-testid=origin][data-origin=recorded]").count())
      .toBeGreaterThan(0);
    await page.route("**/runs/nano/curves.bin", (route) => route.fulfill({ body: "x" }));
    await page.reload();
    await page.locator("[data-testid=recording][data-state=refused]").waitFor();
    await expect.poll(() => by(page, "recording").textContent()).toContain("curves.bin is damaged");
    await close();
  });
});

describe("a file of the reader's", () => {
  it("is saved whole, opens again, is intact, and its models answer", async () => {
    const { page, errors, close } = await openAt("#v1/nano-fair?view=lens&at=turn-ppo,100,12,1");
    await openPanel(page, "run");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      by(page, "save-run").click(),
    ]);
    expect(download.suggestedFilename()).toBe("nano-fair-seed-1.turnbook.zip");
    const path = (await download.path())!;
    await page.locator("#import-input").setInputFiles({
      ...{ name: "mine.turnbook.zip", mimeType: "application/zip", buffer: readFileSync(path) },
    });
    const shown = by(page, "import-shown");
    await expect.poll(() => shown.textContent()).toContain("Showing mine.turnbook.zip");
    await expect.poll(() => shown.textContent()).toContain("File intact: all 28 files");
    await openPanel(page, "fork");
    await by(page, "fork-panel").getByRole("button", { name: "Estimate true values" }).click();
    await by(page, "truth-found").waitFor({ timeout: TIME_LIMIT });
    expect(errors).toEqual([]);
    await close();
  });

  it("is a folder, of which a damaged part is named", async () => {
    const { page, errors, close } = await openAt("");
    const folder = mkdtempSync(join(tmpdir(), "turnbook-recording-"));
    const mine = join(folder, "mine");
    cpSync(join(pages, "runs", "nano"), mine, { recursive: true });
    writeFileSync(join(mine, "turns-1.bin"), "x");
    await page.locator("#import-folder").setInputFiles(mine);
    const shown = by(page, "import-shown");
    await expect.poll(() => shown.textContent()).toContain("Showing mine");
    await expect
      .poll(() => shown.textContent())
      .toContain("turns-1.bin is damaged: it has 1 bytes");
    await by(page, "turns-panel").scrollIntoViewIfNeeded();
    await by(page, "turns-table").waitFor();
    rmSync(folder, { recursive: true });
    expect(errors).toEqual([]);
    await close();
  });
});

describe("recorded seeds", () => {
  it("are bands behind the one run, in the notebook and in the lens", async () => {
    const { page, errors, close } = await openPage(browser, site.url, TALL);
    const note = by(page, "seeds-note");
    await expect.poll(() => note.textContent()).toContain("95 % interval of 5 recorded seeds");
    await expect.poll(() => note.textContent()).toContain("node test/bench/recipes/band.mjs");
    const chart = by(page, "chart-heldout");
    await chart.scrollIntoViewIfNeeded();
    await expect.poll(() => chart.getByTestId("band").count()).toBe(3);
    const summary = (await by(page, "chart-heldout-summary").textContent())!;
    expect(summary.replace(/\s/g, " ")).toContain("Turn-PPO (mean of 5 recorded seeds): from");
    expect(summary.replace(/\s/g, " ")).toMatch(
      /49\.6 % at iteration 100, highest .* Interval at its end: .* \(n = 5\)/,
    );
    await takePicture(chart, "seed-bands.png");
    await page.goto(`${site.url}#v1/nano-fair?view=lens`);
    await openPanel(page, "curves");
    await expect
      .poll(() => by(page, "chart-heldout").locator("[data-testid=band]").count())
      .toBe(3);
    expect(errors).toEqual([]);
    await close();
  });
});

describe("never run, its models", () => {
  it("know the true advantages of the first episodes, and find those of others", async () => {
    const { page, errors, files, close } = await openAt(
      "#v1/nano-fair?view=lens&at=turn-ppo,100,1,1",
    );
    await expect
      .poll(() => by(page, "truth-button").first().textContent())
      .toContain("True values known");
    expect(files).not.toContain("weights-100.safetensors");
    await openPanel(page, "fork");
    await expect.poll(() => by(page, "truth-found").textContent()).toContain("256 continuations");
    await expect.poll(() => by(page, "truth-found").textContent()).toContain("after 99 iterations");
    // Those of iteration 90 have not been found beforehand.
    await go(page, "turn-ppo,100,1,1", "turn-ppo,90,1,1");
    await expect.poll(() => by(page, "truth-found").count()).toBe(0);
    await expect
      .poll(() => by(page, "ask-checkpoint").textContent())
      .toContain("Answers come from the recorded run's checkpoint of iteration 100");
    await timed("the truth of an episode", async () => {
      await by(page, "fork-panel").getByRole("button", { name: "Estimate true values" }).click();
      await by(page, "truth-found").waitFor({ timeout: TIME_LIMIT });
    });
    await expect.poll(() => by(page, "truth-found").textContent()).toContain("64 continuations");
    expect(files).toContain("weights-100.safetensors");
    await expect.poll(() => by(page, "run").isEnabled()).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  it("play a fork", async () => {
    const { page, errors, close } = await openAt("#v1/nano-fair?view=lens&at=turn-ppo,100,1,1");
    await openPanel(page, "fork");
    await by(page, "fork-response").fill("Up || Down");
    await timed("a fork", async () => {
      await by(page, "fork-run").click();
      await by(page, "fork-table").waitFor({ timeout: TIME_LIMIT });
    });
    await expect
      .poll(() => by(page, "fork-result").textContent())
      .toContain("after 100 iterations");
    expect(errors).toEqual([]);
    await close();
  });

  it("draw the value landscape, by the checkpoint next to the cursor", async () => {
    const { page, errors, files, close } = await openAt(
      "#v1/nano-fair?view=lens&at=turn-ppo,100,1,1",
    );
    await openPanel(page, "critic");
    await timed("the value landscape", async () => {
      await by(page, "critic-ask").click();
      await by(page, "critic-landscape").waitFor({ timeout: TIME_LIMIT });
    });
    const summary = () => by(page, "critic-landscape-summary").textContent();
    await expect.poll(() => summary()).toContain("after 100 iterations");
    await go(page, "turn-ppo,100,1,1", "turn-ppo,51,1,1");
    await expect
      .poll(() => by(page, "ask-checkpoint").textContent())
      .toContain(
        "Answers come from the recorded run's checkpoint of iteration 50. It played iteration 51.",
      );
    await by(page, "critic-ask").click();
    await expect.poll(summary).toContain("after 50 iterations");
    await go(page, "turn-ppo,51,1,1", "turn-ppo,1,1,1");
    await expect.poll(() => by(page, "ask-checkpoint").textContent()).toContain("initial policy");
    await by(page, "critic-ask").click();
    await expect.poll(summary).toContain("after 0 iterations");
    expect(files.filter((name) => name.startsWith("weights"))).toEqual([
      "weights-100.safetensors",
      "weights-50.safetensors",
    ]);
    expect(errors).toEqual([]);
    await close();
  });

  it("know the true values of the larger model's episodes, and find those of others", async () => {
    const { page, errors, close } = await openPage(browser, "about:blank", TALL);
    await page.goto(`${site.url}#v1/sokoban-class-fair`);
    await by(page, "another-run")
      .getByRole("link", { name: /recorded run of this model/ })
      .click();
    await findAnother(page, "turn-ppo,90,1,1", "the truth of a larger model's episode");
    await openPanel(page, "critic");
    await timed("the value landscape of a larger model", async () => {
      await by(page, "critic-ask").click();
      await by(page, "critic-landscape").waitFor({ timeout: TIME_LIMIT });
    });
    expect(errors).toEqual([]);
    await close();
  });

  it("know the true values of the shop's trips, and find those of others", async () => {
    const { page, errors, close } = await openAt("#v1/nano-fair?view=lens");
    await page.locator("#import-folder").setInputFiles(join(pages, "runs", "shop"));
    await expect.poll(() => by(page, "import-shown").textContent()).toContain("Showing shop");
    await findAnother(page, "turn-ppo,40,1,1", "the truth of a trip");
    expect(errors).toEqual([]);
    await close();
  });

  it("play in the playground, and leave the stage to a live run", async () => {
    const { page, errors, close } = await openAt(
      "#v1/nano-fair?view=lens&at=turn-ppo,100,1,1&optimisation.iterations=2",
    );
    await openPanel(page, "playground");
    await by(page, "play-cursor").click();
    await expect.poll(() => by(page, "play-state").count()).toBe(1);
    await expect
      .poll(() => by(page, "playground-panel").textContent())
      .toContain("after 100 iterations");
    await by(page, "run").click();
    await page.locator("[data-testid=origin][data-origin=live]").first().waitFor();
    await expect.poll(() => by(page, "ask-checkpoint").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });
});
