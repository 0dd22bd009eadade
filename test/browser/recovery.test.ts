/** Runs whose training worker dies, and runs that are saved as a file and opened again: real worker, real training. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { strFromU8, unzipSync } from "fflate";
import type { Browser, Page, Worker } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { by, launch, openPage, type ServedPage, servePage } from "./support.ts";

let site: ServedPage;
let browser: Browser;
let folder: string;
/** Of the unbroken run. */
let fingerprint: string;

/** Long enough not to end between two looks of a busy machine. */
const LINK =
  "#v1/nano?seed=7&iterations=60&backend=wasm&algorithms=grpo&environment.maxTurns=2&optimisation.tasksPerIteration=2" +
  "&optimisation.groupSize=4&optimisation.minibatch=8&optimisation.epochs=1&evaluation.levels=0";

async function reach(page: Page, state: string): Promise<void> {
  const status = page.locator(`[data-run-state=${state}], [data-run-state=failed]`);
  await status.waitFor();
  // No poll of expect's: this also runs before the tests.
  const shown = page.locator(`[data-testid=status][data-state=${state}]`);
  await shown.first().waitFor({ state: "attached" });
}

const fingerprintOf = (page: Page) => by(page, "fingerprint").locator("code").textContent();

/** The training worker; its engine may have threads of its own. */
function workerOf(page: Page): Worker {
  return page.workers().findLast((worker) => /\/worker-[^/]*\.js$/.test(worker.url()))!;
}

/** Iterations done so far, once the run is under way again. */
async function iterationDone(page: Page, n: number): Promise<void> {
  const done = async () => Number((await by(page, "progress").textContent())?.split(" ")[0]);
  await reach(page, "running");
  await expect.poll(done).toBeGreaterThanOrEqual(n);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnbook-recovery-"));
  [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
  const { page, close } = await openPage(browser, site.url + LINK);
  await by(page, "run").click();
  await reach(page, "finished");
  fingerprint = (await fingerprintOf(page))!;
  await close();
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("a worker that closes itself is replaced, and the run ends with the unbroken fingerprint", async () => {
  const { page, close } = await openPage(browser, site.url + LINK);
  await by(page, "run").click();
  await iterationDone(page, 3);
  await workerOf(page).evaluate(() => self.close());
  await by(page, "recovered").waitFor();
  await expect
    .poll(() => by(page, "recovered").textContent())
    .toMatch(/The browser closed the training worker\. The run continues after iteration \d+\./);
  await iterationDone(page, 8);
  await workerOf(page).evaluate(() => void Promise.reject(new Error("a rejection nobody handles")));
  await expect.poll(() => by(page, "recovered").textContent()).toContain("nobody handles");
  await reach(page, "finished");
  await expect.poll(() => fingerprintOf(page)).toBe(fingerprint);
  await close();
});

it("a saved run opens again and continues, in the page and as a folder", async () => {
  const first = await openPage(browser, site.url + LINK);
  await by(first.page, "run").click();
  await iterationDone(first.page, 3);
  const download = first.page.waitForEvent("download");
  await by(first.page, "save-run").click();
  const file = join(folder, (await download).suggestedFilename());
  await (await download).saveAs(file);
  expect(file).toMatch(/nano-seed-7\.turnbook\.zip$/);
  await first.close();

  const second = await openPage(browser, site.url);
  await second.page.locator("#import-input").setInputFiles(file);
  await by(second.page, "import-shown").waitFor();
  await by(second.page, "continue-run").click();
  await reach(second.page, "finished");
  await expect.poll(() => fingerprintOf(second.page)).toBe(fingerprint);
  expect(second.errors).toEqual([]);
  await second.close();

  const out = join(folder, "run");
  unpack(file, out);
  const spec = join(folder, "spec.json");
  const marker = JSON.parse(readFileSync(join(out, "turnbook-run.json"), "utf8")) as object;
  writeFileSync(spec, JSON.stringify((marker as { spec: object }).spec));
  const args = ["src/cli/turnbook.mjs", "train", spec, "--out", out];
  const { stdout, stderr } = await promisify(execFile)("node", args, { maxBuffer: 2 ** 28 });
  expect(stderr).toMatch(/resumed after iteration \d+/);
  expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toMatchObject({ fingerprint });
});

/** By another program's means. */
function unpack(file: string, to: string): void {
  const files = unzipSync(readFileSync(file));
  expect(Object.keys(files).sort()).toEqual([
    ...["checkpoint.zip", "events.jsonl", "turnbook-run.json"],
  ]);
  expect(strFromU8(files["events.jsonl"]!).split("\n")[0]).toContain('"type":"start"');
  mkdirSync(to);
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(to, name), bytes);
}
