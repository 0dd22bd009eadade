/** The command of the browsers: every check in each of them, one after another, as a table. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { servePage } from "../browser/support.ts";
import type { Check, Shared } from "./check.ts";
import { checks, DEFINED } from "./checks.ts";
import { BROWSERS } from "./open.ts";
import type { AnyBrowser } from "./tab.ts";

const launcher = join(import.meta.dirname, "..", "..", "src", "cli", "turnbook.mjs");

/** The run of checks.ts as the command line has it. */
const SPEC = { preset: "nano", optimisation: { iterations: 2 }, engine: { backend: "wasm" } };

/** @returns the exit code. */
export async function main(names: string[]): Promise<number> {
  const unknown = names.find((name) => !Object.hasOwn(BROWSERS, name));
  if (unknown !== undefined) {
    console.error(`no browser ${unknown}; browsers: ${Object.keys(BROWSERS).join(", ")}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "turnbook-browsers-"));
  process.env["TURNBOOK_TEST_PAGES"] ??= folder;
  try {
    return await tryAll(names.length === 0 ? Object.keys(BROWSERS) : names, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryAll(names: readonly string[], folder: string): Promise<number> {
  const site = await servePage({ worker: "real" });
  try {
    const [fingerprint, defined] = [await inNode(folder, SPEC), await inNode(folder, DEFINED)];
    const shared = { url: site.url, fingerprint, defined, link: null, gpuLink: null };
    console.log(`Node ${process.version}: ${fingerprint}; with code ${defined}\n`);
    console.log("| browser | check | result | seconds |\n| --- | --- | --- | --- |");
    let failed = 0;
    for (const name of names) failed += await tryBrowser(name, shared);
    console.log(failed === 0 ? "\nAll work." : `\n${failed} failed.`);
    return failed === 0 ? 0 : 1;
  } finally {
    await site.close();
  }
}

async function inNode(folder: string, spec: object): Promise<string> {
  const file = join(folder, "run.json");
  writeFileSync(file, JSON.stringify(spec));
  const args = [launcher, "train", file];
  const { stdout } = await promisify(execFile)("node", args, { maxBuffer: 2 ** 28 });
  return (JSON.parse(stdout.trim().split("\n").at(-1)!) as { fingerprint: string }).fingerprint;
}

/** @returns how many checks failed; one where there is no such browser. */
async function tryBrowser(name: string, shared: Shared): Promise<number> {
  let browser: AnyBrowser;
  try {
    browser = await BROWSERS[name]!();
  } catch (error) {
    console.log(`| ${name} | starts | FAILED: ${(error as Error).message} | |`);
    return 1;
  }
  try {
    let failed = 0;
    const own = checks.filter(({ browsers = [name] }) => browsers.includes(name));
    for (const check of own) failed += await tryCheck(browser, check, shared);
    return failed;
  } finally {
    await browser.close();
  }
}

async function tryCheck(browser: AnyBrowser, check: Check, shared: Shared): Promise<number> {
  const started = performance.now();
  const tell = (result: string) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`| ${browser.name} ${browser.version} | ${check.what} | ${result} | ${seconds} |`);
  };
  const tab = await browser.open();
  try {
    tell(await check.run(tab, shared));
    return 0;
  } catch (error) {
    tell(`FAILED: ${(error as Error).message.split("\n")[0]!}`);
    return 1;
  } finally {
    await tab.close();
  }
}
