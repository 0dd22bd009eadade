/** A folder that a trainer still writes: served by `watch`, or dropped, its run grows on the page. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serveWatched } from "../../src/cli/watchServer.ts";
import { showing } from "../fixtures/lensAddress.ts";
import { builtPage, by, launch, openPage, servePage } from "./support.ts";

const base = mkdtempSync(join(tmpdir(), "turnbook-watched-"));
const fixture = join(import.meta.dirname, "..", "fixtures", "import", "12.jsonl");
/** Two groups of two rollouts each. */
const lines = readFileSync(fixture, "utf8").trim().split("\n");
const nextStep = (some: readonly string[]) =>
  `${some.join("\n").replaceAll('"step": 12', '"step": 13')}\n`;
const AT = `#v1/nano?view=lens${showing("run", "curves", "turns")}`;
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  rmSync(base, { recursive: true, force: true });
});

function newFolder(name: string): string {
  const folder = join(base, name);
  mkdirSync(folder);
  return folder;
}

const episodes = (page: Page, count: number) =>
  page.getByText(`Episode 1 of ${count}`).first().waitFor();

it("is followed by the page that watch serves: lines, a half one, another file", async () => {
  const folder = newFolder("rollouts");
  const { address, close: end } = await serveWatched(await builtPage("fake"), folder);
  const { page, errors, close } = await openPage(browser, `${address}?watch=rollouts${AT}`);
  await page.getByText("Reading rollouts").waitFor();
  const file = join(folder, "12.jsonl");
  writeFileSync(file, `${lines[0]}\n${lines[1]!.slice(0, 40)}`);
  await by(page, "import-shown").getByText("Showing rollouts, written by verl.").waitFor();
  await episodes(page, 1);
  appendFileSync(file, `${lines[1]!.slice(40)}\n${lines[2]}\n`);
  await episodes(page, 3);
  expect(await by(page, "import-shown").innerText()).not.toContain("12.jsonl");
  writeFileSync(join(folder, "13.jsonl"), nextStep(lines));
  await episodes(page, 4);
  await page.getByRole("button", { name: "Close the file" }).click();
  appendFileSync(file, `${lines[3]}\n`);
  await page.waitForTimeout(3000);
  expect(await by(page, "import-shown").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
  end();
});

it("is followed once it has been dropped", async () => {
  const folder = newFolder("dropped");
  const file = join(folder, "12.jsonl");
  writeFileSync(file, `${lines[0]}\n`);
  const site = await servePage({ worker: "fake", recording: null });
  const { page, errors, close } = await openPage(browser, `${site.url}${AT}`);
  await by(page, "open-folder").waitFor({ state: "attached" });
  const devtools = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await devtools.send("Input.dispatchDragEvent", {
      ...{ type, x: 300, y: 300 },
      data: { items: [], files: [folder], dragOperationsMask: 1 },
    });
  await episodes(page, 1);
  appendFileSync(file, `${lines[1]}\n`);
  await episodes(page, 2);
  writeFileSync(join(folder, "13.jsonl"), nextStep(lines.slice(1)));
  await episodes(page, 3);
  expect(errors).toEqual([]);
  await devtools.detach();
  await close();
  await site.close();
});
