/** A folder of a tiny model dropped on its page in a real Chromium: the same tokens as in Node, refusals, and its looks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadOpened } from "../../src/model/loadOpened.ts";
import { speak } from "../../src/model/speak.ts";
import { blobOpener, openTextFolder } from "../../src/model/textFolder.ts";
import { openEngine } from "../engine/support.ts";
import { blobsOf, smallFolder, type FolderBytes } from "../model/smallFolder.ts";
import { axeFaults } from "./axe.ts";
import {
  by,
  launch,
  openPage,
  servePage,
  takePicture,
  WINDOWS,
  type ServedPage,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
const work = mkdtempSync(join(tmpdir(), "turnbook-model-"));
const sound = written("small-qwen", smallFolder(1, 2));
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "real" });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

function written(name: string, files: FolderBytes): string {
  const folder = join(work, name);
  mkdirSync(folder);
  for (const [file, bytes] of files) writeFileSync(join(folder, file), bytes);
  return folder;
}

/** As a reader's file manager does. */
async function drop(page: Page, folder: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await cdp.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
}

const PROMPT = "Which way?";

/** Of the answer, greedily. */
async function tokensInNode(count: number): Promise<number[]> {
  const files = smallFolder(1, 2);
  const folder = await openTextFolder(blobOpener(blobsOf(files)), [...files.keys()]);
  const engine = await openEngine("plan wasm");
  const model = await loadOpened(engine, folder.opened);
  const text = folder.template!([{ role: "user", content: PROMPT }], {
    addGenerationPrompt: true,
    enableThinking: false,
  });
  const { stopIds, tokenizer } = folder;
  const asked = { ids: tokenizer.encode(text), maxTokens: count, stopIds };
  const ids: number[] = [];
  for await (const some of speak(model, { ...asked, temperature: 0, topP: 1, seed: 1 }))
    for (const { id } of some) ids.push(id);
  engine.dispose();
  return ids;
}

it.each(WINDOWS)("$name, $theme: a dropped folder writes what it writes in Node", async (look) => {
  const { name, viewport, theme } = look;
  const options = { viewport, colorScheme: theme, own: true };
  const { page, errors, close } = await openPage(browser, `${site.url}#model`, options);
  await by(page, "model-choose").waitFor();
  await drop(page, sound);
  await by(page, "model-load").waitFor();
  await expect.poll(() => by(page, "model-hash").textContent()).toMatch(/^[0-9a-f]{64}$/);
  await by(page, "model-load").click();
  await by(page, "model-prompt").fill(PROMPT);
  await by(page, "model-temperature").fill("0");
  await by(page, "model-maxTokens").fill("8");
  await by(page, "model-sample").click();
  await expect.poll(() => by(page, "model-ended").textContent()).toMatch(/8 tokens after/);
  await by(page, "model-tokens").locator("summary").click();
  const ids = await by(page, "model-tokens").locator("tbody td:nth-child(2)").allTextContents();
  expect(ids.map(Number)).toEqual(await tokensInNode(8));
  await by(page, "model-score-episode").click();
  await expect.poll(() => by(page, "model-turns").locator("tbody tr").count()).toBeGreaterThan(1);
  expect(await axeFaults(page)).toEqual([]);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBe(viewport.width);
  await takePicture(page, `model-${name}-${theme}.png`, { fullPage: true });
  expect(errors).toEqual([]);
  await close();
});

it("a link on a folder asks for it, and trains an iteration of it here", async () => {
  const { page, errors, close } = await openPage(browser, `${site.url}#model`, { own: true });
  await by(page, "model-input").setInputFiles(sound);
  const link = (await by(page, "model-train").getAttribute("href"))!;
  const small = [
    "iterations=1",
    "algorithms=grpo",
    "optimisation.tasksPerIteration=1",
    "optimisation.groupSize=2",
    "optimisation.minibatch=2",
    "optimisation.epochs=1",
    "evaluation.levels=0",
    "environment.maxTurns=2",
    "sampling.maxTokensPerTurn=8",
  ];
  await page.goto(`${site.url}${link}&${small.join("&")}`);
  await page.reload();
  await by(page, "model-needed").waitFor();
  await expect.poll(() => by(page, "model-needed").textContent()).toContain("small-qwen");
  await by(page, "run").first().click();
  await page.getByText("choose the folder whose hash is").first().waitFor();
  await by(page, "model-input").setInputFiles(sound);
  await expect.poll(() => by(page, "model-needed").getAttribute("data-here")).toBe("true");
  await by(page, "run").first().click();
  await expect.poll(() => page.locator("[data-run-state=finished]").count()).toBe(1);
  await takePicture(page, "model-trained.png");
  expect(errors).toEqual([]);
  await close();
});

it("keeps a folder in the browser, opens it after a reload, and deletes it", async () => {
  const { page, errors, close } = await openPage(browser, `${site.url}#model`, { own: true });
  await by(page, "model-input").setInputFiles(sound);
  await by(page, "model-keep").click();
  await by(page, "model-kept").waitFor();
  const hash = await by(page, "model-hash").textContent();
  await page.reload();
  await page.getByRole("button", { name: "Open small-qwen" }).click();
  await by(page, "model-load").click();
  await by(page, "model-prompt").waitFor();
  await expect.poll(() => by(page, "model-hash").textContent()).toBe(hash);
  await by(page, "model-measure").click();
  await expect
    .poll(() => by(page, "model-speed").textContent())
    .toMatch(/^It writes [\d,.]+ tokens a second and reads .*An iteration of GRPO .* a hundred: /);
  await by(page, "model-weights").selectOption("int8");
  await by(page, "model-load").click();
  await by(page, "model-prompt").fill(PROMPT);
  await by(page, "model-compare").click();
  await expect
    .poll(() => by(page, "model-ended").textContent())
    .toMatch(/^int8 against stored, over the prompt's first \d+ tokens: KL [\d.e−-]+ nats a token/);
  expect(await axeFaults(page)).toEqual([]);
  await takePicture(page, "model-kept.png", { fullPage: true });
  await page.getByRole("button", { name: "Delete small-qwen" }).click();
  await by(page, "model-kept").waitFor({ state: "detached" });
  expect(errors).toEqual([]);
  await close();
});

/** Serves a folder at https://models.example/owner/small/, in ranges; `rules.gone`: the connection breaks at this file. */
async function serveFolder(page: Page, files: FolderBytes) {
  const rules: { gone: string | null; asked: string[] } = { gone: null, asked: [] };
  await page.context().route("https://models.example/**", async (route) => {
    const name = new URL(route.request().url()).pathname.split("/").at(-1)!;
    const headers: Record<string, string> = { "access-control-allow-origin": "*" };
    const bytes = files.get(name);
    if (!bytes) return route.fulfill({ status: 404, headers });
    if (route.request().method() === "HEAD")
      return route.fulfill({ headers: { ...headers, "content-length": String(bytes.length) } });
    if (rules.gone === name) return route.abort();
    rules.asked.push(name);
    return route.fulfill({ headers, body: Buffer.from(bytes) });
  });
  return rules;
}

it("downloads a folder from an address after a click, continues a broken download, and keeps it", async () => {
  const { page, errors, close } = await openPage(browser, `${site.url}#model`, { own: true });
  const rules = await serveFolder(page, smallFolder(1, 2));
  await by(page, "model-address").fill("http://models.example/owner/small");
  await by(page, "model-address").press("Enter");
  await page.getByText("it must begin with https://").waitFor();
  await by(page, "model-address").fill("https://models.example/owner/small");
  await by(page, "model-address").press("Enter");
  await by(page, "model-found").waitFor();
  await expect
    .poll(() => by(page, "model-found").textContent())
    .toMatch(/^small on models.example: \d files/);
  // Nothing but the list of shards has come before the reader agrees.
  expect(rules.asked).toEqual(["model.safetensors.index.json"]);
  rules.gone = "model-2-of-2.safetensors";
  await by(page, "model-download").click();
  await page.getByText("models.example could not be reached").waitFor();
  await by(page, "model-unfinished").waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await takePicture(page, "model-address.png", { fullPage: true });
  [rules.gone, rules.asked] = [null, []];
  await by(page, "model-download").click();
  await by(page, "model-kept").waitFor();
  expect(rules.asked).toEqual(["model-2-of-2.safetensors"]);
  expect(await by(page, "model-unfinished").count()).toBe(0);
  await page.reload();
  await page.getByRole("button", { name: "Open small" }).click();
  await by(page, "model-load").click();
  await by(page, "model-prompt").waitFor();
  // The aborted request, which the browser reports.
  expect(errors.filter((error) => !error.includes("ERR_FAILED"))).toEqual([]);
  await close();
});

it("a model folder chosen as a run leads to its page", async () => {
  const { page, errors, close } = await openPage(browser, site.url);
  await page.locator("#import-folder").setInputFiles(sound);
  await by(page, "import-refused")
    .getByRole("link", { name: "Open it under Your own model" })
    .click();
  await by(page, "model-choose").waitFor();
  expect(errors).toEqual([]);
  await close();
});

it("refuses a folder without one of its shards, and opens a sound one after it", async () => {
  const files = smallFolder(1, 2);
  files.delete("model-1-of-2.safetensors");
  const { page, errors, close } = await openPage(browser, `${site.url}#model`);
  await by(page, "model-input").setInputFiles(written("cut", files));
  await by(page, "model-problem").waitFor();
  await expect
    .poll(() => by(page, "model-problem").textContent())
    .toContain("Model-1-of-2.safetensors cannot be read: it is missing");
  await expect.poll(() => by(page, "model-load").count()).toBe(0);
  await by(page, "model-input").setInputFiles(sound);
  await by(page, "model-load").waitFor();
  expect(await by(page, "model-problem").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});
