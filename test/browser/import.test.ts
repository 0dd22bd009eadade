/** Importing in a real Chromium: by dropping, by dialog, and its looks. What it says and does is in ../dom. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { unzipSync } from "fflate";
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
import { EVERY, some } from "../every.ts";

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

const WIDE = { width: 1280, height: 720 };
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
    await by(page, "lens").waitFor();
    await page.locator(".lens-panels").getByText("<answer>Down</answer>").first().waitFor();
    await page.getByRole("button", { name: words.close }).click();
    await page.locator("[data-testid=origin][data-origin=recorded]").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("open in the lens with the cursor at the turn with the largest credit, and its tokens", async () => {
    const { page, errors, close } = await openPage(browser, site.url, { viewport: WIDE });
    await by(page, "opening").waitFor();
    await choose(page, written("mine.jsonl", ownRollouts()));
    // No click, of the five that a reader may need.
    const conversation = by(page, "tokens-conversation");
    await conversation.locator(".token-chip").getByText("word13", { exact: true }).waitFor();
    await by(page, "cursor").getByText("Turn 3").first().waitFor();
    // Nothing of the page's own run, which plays Sokoban.
    expect(await by(page, "origin").allTextContents()).not.toContain("recorded run");
    expect(await by(page, "opening").count()).toBe(0);
    // The pane of settings has those of the next run that is started here.
    const panes = await page.locator("[data-pane]:not([data-pane=run])").allTextContents();
    expect(panes.length).toBeGreaterThan(3);
    expect(panes.join("\n")).not.toMatch(/sokoban/i);
    expect(errors).toEqual([]);
    await close();
  });

  it.each([
    ["slime", "\u22121.50"],
    ["prime-rl", "\u22120.75"],
  ])(
    "of %s open at the turn with the largest credit, a click from its tokens",
    async (writer, credit) => {
      const { page, errors, close } = await openPage(browser, site.url, { viewport: WIDE });
      await by(page, "opening").waitFor();
      await page.locator("#import-folder").setInputFiles(join(trainers(), writer));
      // Of the newest step one group is not all equal, and the failure is furthest from its mean.
      const truth = JSON.parse(readFileSync(join(trainers(), "truth.json"), "utf8")) as Truth;
      const at = truth[2].findIndex(({ score }) => score === 0);
      const cursor = by(page, "cursor");
      await cursor.getByText(`Episode ${at + 1} of ${truth[2].length}`).waitFor();
      await cursor.getByText(`Turn 1 of ${truth[2][at]!.turns.length}`).waitFor();
      const first = page.locator("[data-panel=credits] tr", { hasText: "as trained" });
      await expect.poll(() => first.first().textContent()).toContain(credit);
      await page.getByRole("button", { name: "What was said?" }).click();
      const chips = by(page, "tokens-conversation").locator("[data-turn='0'] .token-chip");
      await expect
        .poll(() => chips.allTextContents())
        .toEqual(truth[2][at]!.turns[0]!.ids.map((id) => `#${id}`));
      expect(errors).toEqual([]);
      await close();
    },
  );

  it("lead to a more telling turn that was read later, if the reader wants it", async () => {
    const { page, errors, close } = await openPage(browser, "about:blank", { viewport: WIDE });
    await page.addInitScript(holdLast);
    await page.goto(site.url);
    await by(page, "opening").waitFor();
    writeLarge(join(folder, "held"));
    await page.locator("#import-folder").setInputFiles(join(folder, "held"));
    await page.locator(".lens-panels").getByText("I push the box").first().waitFor();
    await page.evaluate(() => (window as unknown as HeldPage).release());
    const iterations = by(page, "turns-iteration").first();
    const go = page.getByRole("button", { name: `turn, in iteration ${LARGE.steps}` });
    // All of it is read before.
    await go.waitFor();
    expect(await iterations.inputValue()).not.toBe(String(LARGE.steps));
    await go.click();
    await page.locator(".lens-panels").getByText(`of step ${LARGE.steps}`).first().waitFor();
    await expect.poll(() => iterations.inputValue()).toBe(String(LARGE.steps));
    await expect.poll(() => go.count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("are found in a folder with weights and settings beside them, each writer's as a run", async () => {
    const { page, errors, close } = await openPage(browser, site.url, { viewport: WIDE });
    await by(page, "opening").waitFor();
    const out = join(folder, "out");
    mkdirSync(join(out, "global_step_1/actor"), { recursive: true });
    writeFileSync(join(out, "global_step_1/actor/model_world_size_1_rank_0.pt"), "weights");
    writeFileSync(join(out, "model.safetensors"), "weights");
    writeFileSync(join(out, "config.json"), '{"model_type":"qwen3","vocab_size":151936}');
    writeFileSync(join(out, "mine.jsonl"), [...ownRollouts()].join(""));
    writeFileSync(join(out, "12.jsonl.gz"), gzipSync(readFileSync(fixture("12.jsonl"))));
    await page.locator("#import-folder").setInputFiles(out);
    const shown = by(page, "import-shown");
    await shown.getByText("Turnbook rollouts and verl").waitFor();
    await shown.getByText("model_world_size_1_rank_0.pt").waitFor();
    await shown.getByText("config.json").waitFor();
    const options = by(page, "cursor").locator("option");
    await expect
      .poll(() => options.allTextContents())
      .toEqual(expect.arrayContaining(["mine", "verl"]));
    expect(errors).toEqual([]);
    await close();
  });

  it("stay where they are if they are large, and a step is read from its own bytes", async () => {
    const { page, errors, close } = await openPage(browser, "about:blank", { viewport: WIDE });
    await page.addInitScript(noteReads);
    await page.goto(site.url);
    await by(page, "opening").waitFor();
    writeLarge(join(folder, "large"));
    await page.locator("#import-folder").setInputFiles(join(folder, "large"));
    const panels = page.locator(".lens-panels");
    await panels.getByText("I push the box").first().waitFor();
    await by(page, "import-progress").waitFor({ state: "detached" });
    const iterations = by(page, "turns-iteration").first();
    await expect.poll(() => iterations.locator("option").count()).toBe(LARGE.steps);
    for (const step of [3, 5]) {
      await iterations.selectOption(String(step));
      await panels.getByText(`of step ${step}`).first().waitFor();
    }
    const reads = await page.evaluate(() => (window as unknown as { reads: number[] }).reads);
    expect(reads.length).toBeGreaterThan(1);
    // Each is one step's file, without its last line's end.
    for (const read of reads) {
      expect(read).toBeGreaterThan(LARGE.bytes - 1);
      expect(read).toBeLessThan(LARGE.bytes + 4000);
    }
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

const notesOnFiles = () => {
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
};
if (EVERY) describe("notes on files", notesOnFiles);

describe("how it looks", () => {
  const looks: [string, BrowserContextOptions][] = [
    ["dark", { viewport: { width: 1100, height: 900 }, colorScheme: "dark" }],
    ["phone", { viewport: { width: 390, height: 900 }, colorScheme: "light" }],
  ];
  for (const [name, options] of some(looks, ([name]) => name === "phone"))
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

/** Steps of a folder that is too large to be held, and the bytes of each. */
const LARGE = { steps: 9, bytes: 4_500_000 };

/** One verl file a step; the rollouts of the last differ most. */
function writeLarge(out: string): void {
  mkdirSync(out);
  const text = "I push the box to the left. ".repeat(100);
  for (let step = 1; step <= LARGE.steps; step++) {
    const lines: string[] = [];
    for (let [i, length] = [0, 0]; length < LARGE.bytes; length += lines.at(-1)!.length + 1, i++) {
      const input = `system\nYou play.\nuser\nTask ${i >> 2} of step ${step}\nassistant\n`;
      const score = step === LARGE.steps ? 10 * (i % 2) : i % 2;
      lines.push(JSON.stringify({ input, output: `${i} ${text}`, score, step }));
    }
    writeFileSync(join(out, `${step}.jsonl`), `${lines.join("\n")}\n`);
  }
}

/** In the page, before its first script: what its workers say of the bytes that they read of files. */
function noteReads(): void {
  const seen = ((window as unknown as { reads: number[] }).reads = []) as number[];
  window.Worker = class extends Worker {
    constructor(...all: ConstructorParameters<typeof Worker>) {
      super(...all);
      this.addEventListener("message", ({ data }) => {
        if (data?.type === "step") seen.push(data.read as number);
      });
    }
  };
}

interface HeldPage {
  /** Ten seconds later, with the rest of what the reader said. */
  release: () => void;
}

/** In the page, before its first script: what a worker says from the last step on waits. */
function holdLast(): void {
  const page = window as unknown as HeldPage;
  const now = performance.now.bind(performance);
  let isHeld = true;
  const releases: (() => void)[] = [];
  page.release = () => {
    isHeld = false;
    performance.now = () => now() + 10_000;
    for (const release of releases) release();
  };
  window.Worker = class extends Worker {
    override addEventListener(type: string, listener: unknown): void {
      const heard = listener as (event: Event) => void;
      const held: Event[] = [];
      releases.push(() => held.splice(0).forEach(heard));
      super.addEventListener(type, (event) => {
        const { data } = event as MessageEvent<{ type?: string; facts?: { share?: number } }>;
        const isLast = data?.type === "done" && data.facts?.share === undefined;
        if (isHeld && (held.length > 0 || isLast)) held.push(event);
        else heard(event);
      });
    }
  };
}

type Truth = Record<2, { score: number; turns: { ids: number[] }[] }[]>;

/** The folder of trainers' files, unpacked once. */
function trainers(): string {
  const root = join(folder, "trainers");
  if (existsSync(root)) return root;
  const zip = readFileSync(join(import.meta.dirname, "../fixtures/trainers/runs.zip"));
  for (const [name, bytes] of Object.entries(unzipSync(zip))) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, bytes);
  }
  return root;
}

/** Two rollouts of a task, three turns each, of which the second's last has the largest credit. */
function* ownRollouts(): Generator<string> {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  const text = (x: Int32Array | Float32Array) => Buffer.from(x.buffer).toString("base64");
  const ids = Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
  yield line({ format: "turnbook-rollouts/1", framework: "mine", version: "1" });
  yield line({ vocab: Object.fromEntries([...ids].map((id) => [id, `word${id}`])) });
  for (const reward of [0, 1]) {
    const credit = [...ids].map((id) => (id < 11 ? 0.1 : 2) * (reward - 0.5));
    yield line({
      ...{ step: 7, group: "a", id: `a/${reward}`, reward },
      turns: [5, 6, 3].map((n, h) => ({ observation: `seen ${h}`, text: `said ${h}`, n })),
      ids: text(ids),
      advantage: text(Float32Array.from(credit.map((x) => x * (reward + 1)))),
    });
  }
}

function written(name: string, parts: Iterable<string>): string {
  const path = join(folder, name);
  const handle = openSync(path, "w");
  for (const part of parts) writeSync(handle, part);
  closeSync(handle);
  return path;
}
