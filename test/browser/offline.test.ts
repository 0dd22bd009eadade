/** Without a network after one visit, and a new version of the page: real worker, real service worker, under a folder of its server. */
import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serveFaulty, type FaultyServer } from "./faultyServer.ts";
import { builtPage, by, launch, shownRecording } from "./support.ts";
import { EVERY } from "../every.ts";

const LINK =
  "#v1/nano?seed=7&iterations=1&backend=wasm&algorithms=grpo&environment.maxTurns=2&optimisation.tasksPerIteration=2" +
  "&optimisation.groupSize=4&optimisation.minibatch=8&optimisation.epochs=1&evaluation.levels=0";

let site: FaultyServer;
let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnbook-offline-"));
  cpSync(await builtPage("real"), join(folder, "class"), { recursive: true });
  [site, browser] = await Promise.all([serveFaulty(folder), launch()]);
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const stateIs = (page: Page, state: string) =>
  page.locator(`[data-testid=status][data-state=${state}]`).waitFor();

/** Whether the page's files are kept, all of them. */
const isKept = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state);

it("works with the server gone after one visit, training included; a new version waits until nothing trains", async () => {
  const context = await browser.newContext({ serviceWorkers: "allow" });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(`${site.url}class/index.html`);
  await shownRecording(page).waitFor();
  await expect.poll(() => isKept(page)).toBe("activated");

  await site.goDown();
  await page.goto("about:blank");
  await page.goto(`${site.url}class/`);
  await shownRecording(page).waitFor();
  await page.goto("about:blank");
  await page.goto(`${site.url}class/${LINK}`);
  await by(page, "run").click();
  await stateIs(page, "finished");
  await expect.poll(() => by(page, "fingerprint").count()).toBe(1);

  await site.comeUp();
  appendFileSync(join(folder, "class", "sw.js"), "\n// a new version\n");
  await by(page, "reset").click();
  await stateIs(page, "idle");
  await page.goto(`${site.url}class/${LINK.replace("iterations=1", "iterations=400")}`);
  await page.reload();
  await by(page, "run").click();
  await stateIs(page, "running");
  await page.evaluate(async () => {
    Object.assign(window, { isOld: true });
    await (await navigator.serviceWorker.getRegistration())!.update();
  });
  const waits = () =>
    page.evaluate(
      async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? null,
    );
  await expect.poll(waits).toBe("installed");
  expect(await by(page, "new-version").count()).toBe(0);
  await by(page, "run").click();
  await stateIs(page, "paused");
  await by(page, "new-version").getByRole("button", { name: "Load it now" }).click();
  await page.waitForFunction(() => !("isOld" in window));
  await by(page, "run").waitFor();
  await expect.poll(waits).toBeNull();
  expect(errors).toEqual([]);
  await context.close();
});

if (EVERY)
  it("a lesson is presented without a network: a run that was saved before, and the teacher's window", async () => {
    const context = await browser.newContext({ serviceWorkers: "allow" });
    const page = await context.newPage();
    const errors: string[] = [];
    context.on("weberror", (one) => errors.push(one.error().message));
    await page.goto(`${site.url}class/index.html${LINK}`);
    await by(page, "run").click();
    await stateIs(page, "finished");
    const download = page.waitForEvent("download");
    await by(page, "save-run").first().click();
    const name = (await download).suggestedFilename();
    const prepared = join(folder, name);
    await (await download).saveAs(prepared);
    await expect.poll(() => isKept(page)).toBe("activated");

    await site.goDown();
    await page.goto("about:blank");
    await page.goto(`${site.url}class/#lesson/grpo`);
    await by(page, "lesson").waitFor();
    await page.locator("#import-input").setInputFiles(prepared);
    await expect.poll(() => by(page, "import-shown").textContent()).toContain(`Showing ${name}`);
    await expect.poll(() => by(page, "import-shown").textContent()).toContain("Chain intact");
    await page.goto("about:blank");
    await page.goto(`${site.url}class/#lesson/grpo`);
    await by(page, "present-button").click();
    await by(page, "present").waitFor();
    const popup = page.waitForEvent("popup");
    await by(page, "present-teacher").click();
    const teacher = await popup;
    await teacher.getByText("The projector follows this window.").waitFor();
    await by(teacher, "teacher-next").click();
    await expect.poll(() => by(teacher, "teacher-notes").textContent()).toContain("Answer: 3");
    await expect.poll(() => by(page, "lesson").first().getAttribute("data-step")).toBe("2");
    expect(errors).toEqual([]);
    await site.comeUp();
    await context.close();
  });
