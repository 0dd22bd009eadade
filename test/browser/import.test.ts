/** Importing in a real Chromium: by dropping, by dialog, and its looks. What it says and does is in ../dom. */
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { words } from "../../src/app/importWords.ts";
import { recordingWords } from "../../src/app/recordingWords.ts";
import { words as says } from "../../src/interchange/import/words.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";
import { axeFaults } from "./axe.ts";
import { showing } from "../fixtures/lensAddress.ts";
import {
  by,
  launch,
  openPage,
  type ServedPage,
  servePage,
  takePicture,
  shownRecording,
  openPanel,
} from "./support.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures", "import");
const folder = mkdtempSync(join(tmpdir(), "turnbook-import-"));
let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  site = await servePage({ worker: "fake", recording: syntheticRecording(shortRun()) });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const choose = (page: Page, ...names: string[]) =>
  page.locator("#import-input").setInputFiles(names);
const fixture = (name: string) => join(fixtures, name);

async function open(view: "lens" | "notebook" = "lens", options: BrowserContextOptions = {}) {
  const at =
    view === "lens" ? `#v1/nano?view=lens${showing("run", "curves", "turns")}` : "#v1/nano";
  const viewport = { width: 1280, height: 720 };
  const opened = await openPage(browser, `${site.url}${at}`, { viewport, ...options });
  await shownRecording(opened.page).waitFor();
  return opened;
}

/** What the turn panel shows. */
async function shownTurns(page: Page) {
  // Only what is in view is drawn again.
  await by(page, "turns-panel").scrollIntoViewIfNeeded();
  await by(page, "turns-table").waitFor();
  return by(page, "turns-table").locator("tbody td.grid-long").allTextContents();
}

describe("files of other programs", () => {
  it("can be dropped, in the notebook too", async () => {
    const { page, errors, close } = await open("notebook");
    const text = readFileSync(fixture("12.jsonl"), "utf8");
    const drag = (type: string) =>
      page.evaluate(
        ([kind, content]) => {
          const data = new DataTransfer();
          data.items.add(new File([content!], "12.jsonl"));
          const init = { dataTransfer: data, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent(kind!, init));
        },
        [type, text],
      );
    await drag("dragover");
    await page.getByText(words.drop).waitFor();
    await drag("drop");
    await by(page, "import-shown").waitFor();
    await expect.poll(() => page.getByText(words.drop).count()).toBe(0);
    await expect
      .poll(() => shownTurns(page))
      .toEqual(Array(2).fill("<answer>Down</answer> actions: not in the file"));
    await page.getByRole("button", { name: words.close }).click();
    await page.locator("[data-testid=origin][data-origin=recorded]").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("are found by keyboard", async () => {
    const { page, close } = await open();
    const chooser = page.waitForEvent("filechooser");
    // Watching for the dialog begins with the next round trip.
    await page.title();
    await page.keyboard.press("o");
    await (await chooser).setFiles([fixture("12.jsonl")]);
    await by(page, "import-shown").waitFor();
    const again = page.waitForEvent("filechooser");
    await by(page, "open-file").focus();
    await page.keyboard.press("Enter");
    await (await again).setFiles([fixture("unipo.json")]);
    await by(page, "import-shown").getByText("unipo.json").waitFor();
    // No link leads to the file, so none says a place in it.
    await expect.poll(() => page.evaluate(() => location.hash)).not.toContain("at=");
    const exports = join(folder, "token_exports");
    for (const step of ["step_3", "step_10"]) {
      mkdirSync(join(exports, step), { recursive: true });
      copyFileSync(fixture("rank_0.jsonl"), join(exports, step, "rank_0.jsonl"));
    }
    writeFileSync(join(exports, "config.toml"), "x = 1");
    const whole = page.waitForEvent("filechooser");
    await by(page, "open-folder").focus();
    await page.keyboard.press("Enter");
    await (await whole).setFiles(exports);
    const name = "token_exports/step_3/rank_0.jsonl and 1 more";
    await by(page, "import-shown").getByText(name).waitFor();
    await close();
  });
});

describe("notes on files", () => {
  const lines = syntheticRecording(shortRun()).trim().split("\n");

  it("are in order for axe: of several files, of one that was altered, of lines that cannot be read", async () => {
    const { page, errors, close } = await open();
    const text = lines.join("\n");
    const bare = text.slice(text.indexOf('{"type":"iteration"'));
    // The same file twice would count once.
    const seeded = (i: number) => bare.replace('"trajectory":0', `"trajectory":${i + 7}`);
    const names = ["one.jsonl", "two.jsonl", "three.jsonl"];
    await choose(page, ...names.map((name, i) => written(name, [seeded(i)])));
    const several = by(page, "import-several");
    await several.waitFor();
    await by(page, "import-shown").getByText("one.jsonl").first().waitFor();
    const boxes = ".import-open, .notice, .curve-runs";
    expect(await axeFaults(page, { within: boxes })).toEqual([]);
    await takePicture(page.locator(".curve-runs"), "import-runs.png");
    await takePicture(several, "import-several.png");

    await choose(page, written("doubled.jsonl", [[...lines, ...lines].join("\n")]));
    const shown = by(page, "import-shown");
    await shown.getByRole("alert").getByText("Altered from line").waitFor();
    expect(await axeFaults(page, { within: "[data-testid=import-shown]" })).toEqual([]);
    await takePicture(shown, "import-altered.png");

    const fields = by(page, "recording-fields");
    await fields.getByText(recordingWords.title).click();
    const example = (await fields.locator("pre").textContent())!;
    await choose(page, written("mine.jsonl", ["{ rubbish\n", `${example}\n`]));
    await shown.getByText(`line 1 (${says.noObject})`).waitFor();
    expect(await axeFaults(page, { within: ".import-open" })).toEqual([]);
    await takePicture(page.locator(".import-open"), "import-fields.png");
    expect(errors).toEqual([]);
    await close();
  });
});

describe("how it looks", () => {
  const looks: [string, BrowserContextOptions][] = [
    ["dark", { viewport: { width: 1100, height: 900 }, colorScheme: "dark" }],
    ["phone", { viewport: { width: 390, height: 900 }, colorScheme: "light" }],
  ];
  for (const [name, options] of looks)
    it(`on ${name}`, async () => {
      const { page, close } = await open("lens", options);
      await choose(page, fixture("12.jsonl"));
      await by(page, "import-shown").waitFor();
      await choose(page, written("broken.jsonl", ["oops"]));
      await by(page, "import-refused").waitFor();
      await openPanel(page, "run");
      await by(page, "open-file").evaluate((button) => button.scrollIntoView());
      await takePicture(page, `import-${name}.png`);
      expect(await axeFaults(page, { within: ".import-open, .notice" })).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(options.viewport!.width);
      await close();
    });
});

function written(name: string, parts: Iterable<string>): string {
  const path = join(folder, name);
  const handle = openSync(path, "w");
  for (const part of parts) writeSync(handle, part);
  closeSync(handle);
  return path;
}
