/** Runs that outlive their page: reloaded, closed, crashed, in two tabs. Real worker, real training, real storage. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import { by, launch, type ServedPage, servePage, takePicture } from "./support.ts";

let site: ServedPage;
let browser: Browser;
/** Of the unbroken run. */
let fingerprint: string;

const LINK =
  "#v1/nano?seed=7&iterations=12&backend=wasm&algorithms=grpo&environment.maxTurns=2&optimisation.tasksPerIteration=2" +
  "&optimisation.groupSize=4&optimisation.minibatch=8&optimisation.epochs=1&evaluation.levels=0";

const stateIs = (page: Page, state: string) =>
  page.locator(`[data-testid=status][data-state=${state}]`).waitFor();
const fingerprintOf = (page: Page) => by(page, "fingerprint").locator("code").textContent();

/** The newest run that the browser keeps; null where it keeps none. */
const keptIn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ iteration: number; state: string } | null>((resolve) => {
        const asked = indexedDB.open("turnbook-runs");
        asked.onsuccess = () => {
          const all = asked.result.transaction("runs").objectStore("runs").getAll();
          all.onsuccess = () => resolve(all.result.at(-1) ?? null);
        };
      }),
  );

/** Iterations at the checkpoint in the database; null where there is none. */
const inDatabase = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number | null>((resolve) => {
        const asked = indexedDB.open("turnbook-runs");
        asked.onsuccess = () => {
          const all = asked.result.transaction("checkpoints").objectStore("checkpoints").getAll();
          all.onsuccess = () => resolve(all.result.at(-1)?.iteration ?? null);
        };
      }),
  );

/** Files that the browser has of runs. */
const filesIn = (page: Page) =>
  page.evaluate(async () => {
    let count = 0;
    const root = await navigator.storage.getDirectory();
    const runs = await root.getDirectoryHandle("turnbook-runs", { create: true });
    for await (const run of runs.values())
      for await (const _ of (run as FileSystemDirectoryHandle).keys()) count++;
    return count;
  });

/** As some private windows do: files are forbidden, to the page and its workers. */
async function forbidFiles(page: Page): Promise<void> {
  const forbid =
    "StorageManager.prototype.getDirectory = async () => { throw new DOMException('No.', 'SecurityError'); };\n";
  await page.addInitScript(forbid);
  await page.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: forbid + (await response.text()) });
  });
}

/** Begins a run, and waits until some iterations of it are kept. */
async function begin(page: Page, iterations = 2): Promise<void> {
  await page.goto(site.url + LINK);
  // Slow enough that it is still under way.
  await by(page, "pace").selectOption("1000");
  await by(page, "run").click();
  await expect
    .poll(async () => (await keptIn(page))?.iteration ?? 0)
    .toBeGreaterThanOrEqual(iterations);
}

async function inContext(body: (context: BrowserContext, page: Page) => Promise<void>) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await body(context, page);
  expect(errors).toEqual([]);
  await context.close();
}

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

it("a reload asks nothing, goes on by itself, and ends with the unbroken fingerprint", () =>
  inContext(async (context, page) => {
    await page.goto(site.url + LINK);
    await by(page, "run").click();
    await stateIs(page, "finished");
    fingerprint = (await fingerprintOf(page))!;
    // Nothing prevents a new run.
    await by(page, "reset").click();
    await stateIs(page, "idle");
    await expect.poll(() => keptIn(page)).toBeNull();

    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    });
    await begin(page);
    expect(await filesIn(page)).toBeGreaterThan(0);
    expect(await inDatabase(page)).toBeNull();
    await page.reload();
    await stateIs(page, "finished");
    await expect.poll(() => fingerprintOf(page)).toBe(fingerprint);
    // The finished run is there again, too.
    await page.reload();
    await stateIs(page, "finished");
    await expect.poll(() => fingerprintOf(page)).toBe(fingerprint);
    expect(dialogs).toEqual([]);
    // Another tab of the same page has nothing to go on with.
    const other = await context.newPage();
    await other.goto(site.url + LINK);
    await by(other, "run").waitFor();
    await stateIs(other, "idle");
    expect(await by(other, "resumable").count()).toBe(0);
  }));

it("a closed tab's run is offered, never begun by a link; Resume goes on, Discard drops it", () =>
  inContext(async (context, page) => {
    await begin(page);
    await by(page, "run").click();
    await stateIs(page, "paused");
    const tab = await context.newPage();
    await tab.goto(site.url + LINK);
    await by(tab, "run").waitFor();
    // While the first tab has it, it is not offered.
    await tab.locator("[data-testid=recording]").first().waitFor();
    expect(await by(tab, "resumable").count()).toBe(0);
    await tab.close();
    await page.close({ runBeforeUnload: true });

    const next = await context.newPage();
    await next.goto(site.url + LINK);
    const offer = by(next, "resumable");
    await offer.getByText(/A run of GRPO stopped at iteration \d+ of 12/).waitFor();
    await stateIs(next, "idle");
    expect(await axeFaults(next, { within: "[data-testid=resumable]" })).toEqual([]);
    await takePicture(offer, "kept-run.png");
    await by(next, "resume-run").click();
    await stateIs(next, "paused");
    await by(next, "run").click();
    await stateIs(next, "finished");
    await expect.poll(() => fingerprintOf(next)).toBe(fingerprint);

    // A finished run is not offered; an unfinished one can be dropped for good.
    await by(next, "reset").click();
    await stateIs(next, "idle");
    await begin(next, 1);
    await next.close();
    const last = await context.newPage();
    await last.goto(site.url + LINK);
    await by(last, "discard-run").click();
    await by(last, "resumable").waitFor({ state: "detached" });
    await expect.poll(() => keptIn(last)).toBeNull();
  }));

it("a crashed tab's run is offered in the next one", () =>
  inContext(async (context, page) => {
    await begin(page);
    const crashed = page.waitForEvent("crash");
    void page.goto("chrome://crash").catch(() => null);
    await crashed;
    const next = await context.newPage();
    await next.goto(site.url + LINK);
    await by(next, "resume-run").click();
    await stateIs(next, "finished");
    await expect.poll(() => fingerprintOf(next)).toBe(fingerprint);
  }));

it("a private window without files keeps the run in its database, and a reload goes on", () =>
  inContext(async (_, page) => {
    await forbidFiles(page);
    await begin(page);
    expect(await inDatabase(page)).toBeGreaterThanOrEqual(2);
    await page.reload();
    await stateIs(page, "finished");
    await expect.poll(() => fingerprintOf(page)).toBe(fingerprint);
    expect(await by(page, "not-kept").count()).toBe(0);
  }));

it("a full storage is said, the run goes on, and can still be saved as a file", () =>
  inContext(async (_, page) => {
    await page.addInitScript(() => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
        if (this.name !== "lines") return put.call(this, value, key);
        throw new DOMException("No room.", "QuotaExceededError");
      };
    });
    await page.goto(site.url + LINK);
    await by(page, "run").click();
    await by(page, "not-kept")
      .getByText(/the browser's storage is full/)
      .waitFor();
    await stateIs(page, "finished");
    await expect.poll(() => fingerprintOf(page)).toBe(fingerprint);
    await expect.poll(() => keptIn(page)).toBeNull();
    const download = page.waitForEvent("download");
    await by(page, "save-run").click();
    expect((await download).suggestedFilename()).toBe("nano-seed-7.turnbook.zip");
  }));
