/** The compiled wasm engine gives the same bits in Chromium as in Node: one run, twice, one fingerprint. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { launch, openPage, servePage } from "../browser/support.ts";

const RUN = ["train", "nano", "--iterations", "1", "--engine", "wasm"];

async function inNode(): Promise<string> {
  const args = ["src/cli/turnbook.mjs", ...RUN];
  const { stdout } = await promisify(execFile)("node", args, { maxBuffer: 2 ** 28 });
  const last = JSON.parse(stdout.trim().split("\n").at(-1)!) as { fingerprint: string };
  return last.fingerprint;
}

async function inChromium(): Promise<string> {
  const [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
  try {
    const { page } = await openPage(browser, `${site.url}#v1/nano?iterations=1&backend=wasm`);
    await page.getByTestId("run").click();
    await page.locator("[data-testid=status][data-state=finished]").waitFor({ timeout: 120_000 });
    expect(await page.getByTestId("engine").textContent()).toContain("wasm on wasm");
    return (await page.getByTestId("fingerprint").locator("code").textContent())!;
  } finally {
    await browser.close();
    await site.close();
  }
}

test("one fingerprint in Node and in Chromium", async () => {
  const node = await inNode();
  expect(node).toMatch(/^[0-9a-f]{64}$/);
  expect(await inChromium()).toBe(node);
});
