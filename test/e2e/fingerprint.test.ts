/** The compiled wasm engine gives the same bits in Chromium as in Node: one run, one fingerprint, however many threads. */
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Route } from "playwright-core";
import { expect, test } from "vitest";
import { launch, servePage } from "../browser/support.ts";
import { EVERY } from "../every.ts";

/** Nano with fewer tasks and levels: every kernel is run, in a third of the time. */
const RUN = {
  preset: "nano",
  optimisation: { iterations: 1, tasksPerIteration: 4 },
  evaluation: { levels: 32 },
  engine: { name: "wasm" },
};
const LINK =
  "#v1/nano?iterations=1&backend=wasm&optimisation.tasksPerIteration=4&evaluation.levels=32";

async function inNode(workers: string): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), "turnbook-fingerprint-")), "run.json");
  writeFileSync(file, JSON.stringify(RUN));
  const args = ["src/cli/turnbook.mjs", "train", file, "--workers", workers];
  const { stdout } = await promisify(execFile)("node", args, { maxBuffer: 2 ** 28 });
  const last = JSON.parse(stdout.trim().split("\n").at(-1)!) as { fingerprint: string };
  return last.fingerprint;
}

/** `cores` is what the browser tells the page of the machine; null leaves the truth. */
async function inChromium(browser: Browser, site: string, cores: number | null): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  if (cores !== null) await page.route("**/assets/*.js", (route) => tellCores(route, cores));
  await page.goto(`${site}${LINK}`);
  await page.getByTestId("run").click();
  await page.locator("[data-run-state=finished]").waitFor({ timeout: 180_000 });
  const engine = await page.getByTestId("engine").textContent();
  expect(engine).toContain("wasm on wasm (WebAssembly SIMD");
  if (cores !== null) expect(engine).toContain(`${cores - 1} workers)`);
  const fingerprint = await page.getByTestId("fingerprint").locator("code").textContent();
  // Parts that load behind the run may still be under way.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
  return fingerprint!;
}

/** Serves a script, the training worker's among them, that reports that many cores. */
async function tellCores(route: Route, cores: number): Promise<void> {
  const response = await route.fetch();
  const told = `Object.defineProperty(Object.getPrototypeOf(navigator), "hardwareConcurrency", { value: ${cores} });`;
  await route.fulfill({ response, body: `${told}\n${await response.text()}` });
}

test("one fingerprint in Node and in Chromium, with one worker and with two", async () => {
  const node = await inNode("2");
  expect(node).toMatch(/^[0-9a-f]{64}$/);
  if (EVERY) expect(await inNode("1")).toBe(node);
  const [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
  try {
    if (EVERY) expect(await inChromium(browser, site.url, null)).toBe(node);
    expect(await inChromium(browser, site.url, 3)).toBe(node);
  } finally {
    await browser.close();
    await site.close();
  }
});
