// @vitest-environment happy-dom
/** Importing: what loads, what is refused and what stays. Files by dialog and by dropping, and looks, are in ../browser. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { words } from "../../src/app/importWords.ts";
import { words as integrityWords } from "../../src/app/integrityWords.ts";
import { recordingWords } from "../../src/app/recordingWords.ts";
import { words as says } from "../../src/interchange/import/words.ts";
import { primeRlWords } from "../../src/interchange/import/primeRl.ts";
import {
  formatBrief,
  formatNumber,
  formatSigned,
  formatSignedBrief,
} from "../../src/numeric/format.ts";
import { words as clipWords } from "../../src/figures/clip/words.ts";
import { words as reasons } from "../../src/reading/credit/words.ts";
import { words as criticWords } from "../../src/figures/critic/words.ts";
import { words as curveWords } from "../../src/figures/curves/words.ts";
import { words as ribbonWords } from "../../src/figures/ribbon/words.ts";
import { words as turnWords } from "../../src/figures/turns/words.ts";
import { words as tokenWords } from "../../src/figures/tokens/words.ts";
import { MAX_KEPT } from "../../src/store/runs.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";
import { showing, showingAll } from "../fixtures/lensAddress.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, type DomPage as Page } from "./page.ts";
import { some } from "../every.ts";

usesApp();

const fixtures = join(import.meta.dirname, "..", "fixtures", "import");
const folder = mkdtempSync(join(tmpdir(), "turnbook-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const choose = (page: Page, ...files: (string | File)[]) =>
  page.locator("#import-input").setInputFiles(files);
const fixture = (name: string) => join(fixtures, name);
const recording = syntheticRecording(shortRun());

async function open(panels = showing("run", "curves", "turns")) {
  const opened = await openApp(`#v1/nano?view=lens${panels}`, { recording });
  await opened.page.locator("[data-recording=shown]").first().waitFor({ state: "attached" });
  return opened;
}

async function openAllPanels(page: Page): Promise<void> {
  const closed = page.locator("details[data-panel]:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
}

/** What the turn panel shows, now. */
const shownTurns = (page: Page) =>
  by(page, "turns-table").locator("tbody td.grid-long").allTextContents();

/** The panels are drawn after the notice of an import: what they show of the run before is waited out. */
const expectTurns = (page: Page) => expect.poll(() => shownTurns(page));

/** A text that a panel has somewhere, with the cursor at the first turn and token. */
type Shown = readonly [panel: string, selector: string, text: string];

interface Source {
  file: string;
  title: string;
  text: string;
  lacks: string;
  /** A key that goes to the place that is looked at. */
  key?: string;
  shows: readonly Shown[];
}

const reward = "tr[data-row=reward]";
const ratio = "tr[data-row=ratio]";
const clips = "[data-testid=ribbon-surprise]";
/** After its name, board and response. */
const NUMBERS = Object.keys(turnWords.numbers);
const ofTurn = (kind: string) =>
  `[data-testid=turns-table] tbody tr:first-child > :nth-child(${NUMBERS.indexOf(kind) + 4})`;
const ofToken = (kind: string) => `[data-number=${kind}] td`;

const SOURCES: readonly Source[] = [
  {
    ...{ file: "12.jsonl", title: "verl", text: "<answer>Down</answer>" },
    lacks: says.absent.values,
    shows: [
      ["ribbon", "[data-testid=ribbon-end]", formatSignedBrief(10.8)],
      ["ribbon", reward, "–"],
      ["ribbon", clips, ribbonWords.clipsUnknown],
      ["turns", ofTurn("reward"), turnWords.notInFile],
      ["turns", ofTurn("ratio"), turnWords.notInFile],
      ["critic", "p.empty", criticWords.valuesNotInFile],
      ["doctor", "[data-testid=doctor-summary]", "3 of 9 checks could be made"],
      ["clip", "p.empty", clipWords.nothing],
      // From the scores of two rollouts, the whole of an episode's reward being known alone.
      ["credits", "tr[data-row=grpo]", formatSignedBrief(Math.SQRT1_2)],
    ],
  },
  {
    ...{ file: "rank_0.jsonl", title: "prime-rl", text: primeRlWords.noText(2) },
    lacks: says.absent.values,
    key: "]",
    shows: [
      ["ribbon", reward, formatSignedBrief(1)],
      ["ribbon", ratio, formatBrief(Math.exp(2 * 0.02))],
      ["ribbon", "tr[data-row=return] th", ribbonWords.rows.returnComputed.name],
      ["ribbon", clips, ribbonWords.clippedTurns(0, 0)],
      ["turns", ofTurn("advantage"), formatSignedBrief(0.25)],
      ["turns", ofTurn("value"), turnWords.notInFile],
      ["tokens", ofToken("oldLogprob"), formatSigned(-0.54)],
      ["tokens", ofToken("entropy"), formatNumber(0.7)],
      ["tokens", ofToken("clip"), tokenWords.clip.fileKept],
      ["clip", "[data-testid=clip-summary]", clipWords.nothingCut],
    ],
  },
  {
    ...{ file: "rollouts.json", title: "RAGEN", text: "<answer>Down</answer>" },
    lacks: says.absent.tokens,
    shows: [
      ["ribbon", reward, formatSignedBrief(-0.1)],
      ["ribbon", reward, formatSignedBrief(10.9)],
      ["ribbon", clips, ribbonWords.clipsUnknown],
      ["turns", ofTurn("reward"), formatSignedBrief(-0.1)],
      ["turns", ofTurn("advantage"), turnWords.notInFile],
      ["clip", "p.empty", clipWords.nothing],
    ],
  },
  {
    ...{ file: "unipo.json", title: "UNIPO", text: "4." },
    lacks: says.absent.entropy,
    shows: [
      ["ribbon", reward, formatSignedBrief(1)],
      ["ribbon", ratio, `${formatBrief(Math.exp(2 * 0.01))}, ${ribbonWords.clipUnknown}`],
      ["ribbon", clips, ribbonWords.clipsUnknown],
      // Its target, not what is computed from the reward.
      ["ribbon", "tr[data-row=return] td", formatSignedBrief(0)],
      // Its header says the range.
      ["tokens", ofToken("clip"), tokenWords.clip.kept],
      ["turns", ofTurn("reward"), formatSignedBrief(1)],
      // The key of the button is the action table's; why it does nothing is said.
      ["ribbon", `[data-action=nextClipped][title="${ribbonWords.clipsUnknown}"] kbd`, "x"],
      ["turns", ofTurn("ratio"), turnWords.clipNotInFile],
      ["tokens", ofToken("oldLogprob"), formatSigned(-0.21)],
      ["tokens", ofToken("logprob"), formatSigned(-0.2)],
      ["tokens", ofToken("value"), formatSigned(0.5)],
      ["tokens", ofToken("entropy"), tokenWords.absent],
      ["clip", "[data-testid=clip-summary]", clipWords.noClipData],
      ["credits", "tr[data-row=token-ppo]", reasons.oneEpisode("token-PPO")],
    ],
  },
];

async function panelShows(page: Page, [panel, selector, text]: Shown): Promise<void> {
  const body = page.locator(`details[data-panel=${panel}]`);
  const place = body.locator(selector).filter({ hasText: text });
  await place
    .first()
    .waitFor({ state: "attached" })
    .catch(async () => {
      const there = await body.locator(selector).allTextContents();
      throw new Error(`${panel}, ${selector}: ${text} is not in ${JSON.stringify(there)}`);
    });
}

describe("files of other programs", () => {
  for (const { file, title, text, lacks, key, shows } of some(
    SOURCES,
    ({ title }) => title === "verl" || title === "prime-rl",
  ))
    it(`of ${title} are shown in every panel with their numbers, and what they lack is said`, async () => {
      const { page, errors, close } = await open(showingAll());
      await choose(page, fixture(file));
      await by(page, "import-shown").waitFor();
      expect(await by(page, "import-shown").textContent()).toContain(words.shown(file, title));
      expect(await by(page, "import-absent").locator("li").allTextContents()).toContain(lacks);
      if (key !== undefined) {
        await by(page, "cursor").focus();
        await page.keyboard.press(key);
      }
      await expectTurns(page).toEqual(expect.arrayContaining([expect.stringContaining(text)]));
      expect((await shownTurns(page))[0]).toContain(text);
      expect(await by(page, "origin").first().textContent()).toBe("imported file");
      const curves = page.locator("details[data-panel=curves]");
      await curves.getByText(file, { exact: true }).first().waitFor();
      // Its charts may wait to be drawn, but those of the run before are covered.
      const shown = [".curve-cell", ".curve-latest"].map((part) => `${part}:not([data-covered])`);
      const old = curves.locator(shown.join()).filter({ hasText: "Turn-PPO" });
      await expect.poll(() => old.count()).toBe(0);
      await openAllPanels(page);
      expect(await page.getByText("Something in this part of the page failed").count()).toBe(0);
      // A file that does not tell actions says nothing of turns without any.
      const told = (await by(page, "import-absent").textContent())!;
      expect(told.includes(says.absent.actions)).toBe(title !== "RAGEN");
      // The other two files give the group panel no table.
      const did = { verl: text, RAGEN: "Down" }[title];
      const turns = page.locator("td.grid-turn");
      if (did !== undefined) await turns.filter({ hasText: did }).first().waitFor();
      if (title !== "RAGEN") expect(await page.getByText("no action").count()).toBe(0);
      await by(page, "cursor").focus();
      await page.keyboard.press("n");
      for (const one of shows) await panelShows(page, one);
      for (const key of ["j", "n", "l", "]", "e", "x"]) {
        await by(page, "cursor").focus();
        await page.keyboard.press(key);
      }
      expect(errors).toEqual([]);
      await close();
    });

  it("may be several recordings, which are all kept, and be called seeds of one another", async () => {
    const { page, errors, close } = await open();
    const text = syntheticRecording(shortRun());
    const bare = text.slice(text.indexOf('{"type":"iteration"'));
    // The same file twice would count once.
    const seeded = (i: number) => bare.replace('"trajectory":0', `"trajectory":${i + 7}`);
    const names = ["one.jsonl", "two.jsonl", "three.jsonl"];
    const paths = names.map((name, i) => written(name, [seeded(i)]));
    await choose(page, ...paths);
    const several = by(page, "import-several");
    await several.getByText(words.several(["one.jsonl", "three.jsonl", "two.jsonl"])).waitFor();
    await by(page, "import-shown").getByText("one.jsonl").first().waitFor();
    const notes = by(page, "run-notes");
    await notes.getByText("the files have no seed").waitFor();
    const { isSeedLabel } = curveWords.runs;
    for (const name of names)
      await page.getByRole("checkbox", { name: isSeedLabel(name) }).press("Space");
    await notes.getByText("are averaged as seeds").waitFor();
    await page.locator(".curve-notes").getByText("are one line").waitFor();
    await page.locator(".curve-grid").getByText("3 seeds").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});

describe("the chain of a recording", () => {
  const lines = syntheticRecording(shortRun()).trim().split("\n");
  const said = (page: Page) => by(page, "integrity").first();

  it("is recomputed: of the page's own run, and of files", async () => {
    const { page, errors, close } = await open();
    const intact = integrityWords.intact(lines.length - 1, true);
    await said(page).getByText(intact).waitFor();
    await choose(page, written("same.jsonl", [lines.join("\n")]));
    await by(page, "import-shown").getByText(intact).waitFor();
    await choose(page, fixture("12.jsonl"));
    await by(page, "import-shown").getByText(integrityWords.none).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("tells what was falsified, doubled or put in another order", async () => {
    const { page, errors, close } = await open();
    const [header, start, warmStart, ...rest] = lines;
    const falsified = lines.map((line, i) => (i === 5 ? line.replace(/\d\.\d+/, "0.99") : line));
    expect(falsified[5]).not.toBe(lines[5]);
    const cases: [string, string[], number][] = [
      ["falsified.jsonl", falsified, 6],
      ["doubled.jsonl", [...lines, ...lines], lines.length + 1],
      ["shuffled.jsonl", [header!, start!, ...rest.slice(0, 9), warmStart!], 3],
    ];
    for (const [name, all, line] of cases) {
      await choose(page, written(name, [all.join("\n")]));
      const shown = by(page, "import-shown");
      await shown.getByText(name).first().waitFor();
      await shown.getByRole("alert").getByText(`Altered from line ${line}:`).waitFor();
    }
    // What is there twice has its rows twice, of which React warns while one develops.
    expect(errors.filter((said) => !said.includes("two children with the same key"))).toEqual([]);
    await close();
  });
});

describe("a log that is dropped on the front page", () => {
  it("takes the place of its example, and opens the lens at an episode of a group apart", async () => {
    const { page, errors, close } = await openApp("", { recording });
    await by(page, "opening").waitFor();
    await choose(page, fixture("12.jsonl"));
    await by(page, "lens").waitFor();
    await by(page, "import-shown").getByText("12.jsonl").first().waitFor();
    expect(await by(page, "import-lens").count()).toBe(0);
    await page.evaluate(() => void (location.hash = ""));
    await by(page, "import-lens").waitFor();
    expect(await by(page, "opening").count()).toBe(0);
    await by(page, "import-shown").getByRole("button", { name: words.close }).click();
    await by(page, "opening").waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});

describe("episodes that are too many", () => {
  it("are counted in the head of what shows some of them", async () => {
    const { page, errors, close } = await open();
    const row = (score: number) =>
      `${JSON.stringify({ input: "q", output: "x".repeat(1_000_000), score, step: 1 })}\n`;
    await choose(
      page,
      written(
        "1.jsonl",
        Array.from({ length: 12 }, (_, i) => row(i)),
      ),
    );
    const head = by(page, "origin").first();
    await expect.poll(() => head.textContent()).toBe("imported file, 7 of 12 episodes");
    expect(errors).toEqual([]);
    await close();
  });
});

describe("settings that a file does not say", () => {
  it("are called the usual ones beside their sliders", async () => {
    const { page, errors, close } = await open(showing("run", "credits"));
    const panel = page.locator("details[data-panel=credits]");
    await panel.getByText("run's value: 0.2").first().waitFor({ state: "attached" });
    await choose(page, fixture("12.jsonl"));
    await by(page, "import-shown").waitFor();
    await panel.getByText("usual value: 0.2").first().waitFor({ state: "attached" });
    expect(await panel.getByText("run's value").count()).toBe(0);
    // UNIPO's header says them.
    await choose(page, fixture("unipo.json"));
    await by(page, "import-shown").getByText("unipo.json").first().waitFor();
    await panel.getByText("run's value: 0.2").first().waitFor({ state: "attached" });
    expect(errors).toEqual([]);
    await close();
  });
});

describe("files that cannot be shown", () => {
  it("say where, and what a recording must contain is beside the button", async () => {
    const { page, errors, close } = await open();
    const fields = by(page, "recording-fields");
    await fields.getByText(recordingWords.title).click();
    const example = (await fields.locator("pre").textContent())!;
    const odd = example.replace('"reward":1,"success"', '"reward":"much","success"');
    expect(odd).not.toBe(example);
    const next = example.replace('"iteration":1', '"iteration":2');
    const path = written("mine.jsonl", ["{ rubbish\n", `${odd}\n`, "\n", `${next}\n`]);
    await choose(page, path);
    const shown = by(page, "import-shown");
    await shown.getByText(says.brokenFirst(false)).waitFor();
    await shown.getByText(`line 1 (${says.noObject})`).waitFor();
    await shown
      .getByText('line 2, episode 1: reward is "much", it must be a number or null')
      .waitFor();
    await expectTurns(page).toEqual([expect.stringContaining("<answer>Up</answer>")]);
    const broken = written("broken.jsonl", ['{"prompt":"q"}\n']);
    await choose(page, broken);
    const found = says.found(says.place("line", 1, "broken.jsonl"), { prompt: "q" });
    await by(page, "import-refused").getByText(found).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("are refused in a sentence, and the page stays as it was", async () => {
    const { page, errors, close } = await open();
    await expectTurns(page).not.toEqual([]);
    const before = await shownTurns(page);
    const broken = written("broken.jsonl", ["<!doctype html>\n"]);
    const cases: [string | File, string][] = [
      [broken, says.refused.unknown(["verl"])[0]],
      [sized("empty.jsonl", 0), says.refused.empty[0]],
      [
        sized("huge.jsonl", 200_000_000, '{"type":"start"'),
        "Its size is 200 MB; the limit is 160 MB.",
      ],
      [written("noise.jsonl", noise(8)), says.refused.unknown(["verl"])[0]],
    ];
    for (const [path, why] of cases) {
      await choose(page, path);
      await by(page, "import-refused").getByText(why).waitFor();
      expect(await by(page, "import-refused").textContent()).toContain(words.unchanged);
      expect(await shownTurns(page)).toEqual(before);
      await page.getByRole("button", { name: words.dismiss }).click();
    }
    expect(await by(page, "origin").first().textContent()).toBe("recorded run");
    expect(errors).toEqual([]);
    await close();
  });

  it("keep an earlier import on screen", async () => {
    const { page, close } = await open();
    await choose(page, fixture("rollouts.json"));
    await by(page, "import-shown").waitFor();
    await choose(page, sized("empty.jsonl", 0));
    await by(page, "import-refused").waitFor();
    expect(await by(page, "import-shown").textContent()).toContain("rollouts.json");
    await close();
  });
});

describe("a live run", () => {
  it("is dropped for a file only when the reader says so", async () => {
    const { page, errors, close } = await open();
    await by(page, "run").click();
    await page.locator("[data-testid=origin][data-origin=live]").first().waitFor();
    await choose(page, fixture("12.jsonl"));
    await by(page, "import-question").waitFor();
    await page.getByRole("button", { name: words.keep }).click();
    await by(page, "import-question").waitFor({ state: "detached" });
    expect(await by(page, "origin").first().textContent()).toBe("live run");
    await choose(page, fixture("12.jsonl"));
    await page.getByRole("button", { name: words.replace }).click();
    await page.locator("[data-testid=origin][data-origin=imported]").first().waitFor();
    const down = expect.stringContaining("<answer>Down</answer>") as string;
    await expectTurns(page).toEqual([down, down]);
    expect(errors).toEqual([]);
    await close();
  });
});

describe("a file for which there is no room among the kept runs", () => {
  it("says so before a run begins, and once it has, until there is room", async () => {
    const { page, errors, close } = await open();
    const keep = by(page, "keep-run");
    for (let kept = 0; kept < MAX_KEPT; kept++) {
      await choose(page, fixture("12.jsonl"));
      // The run of before could be kept too.
      await by(page, "import-shown").waitFor();
      await keep.click();
      await keep.waitFor({ state: "detached" });
    }
    expect(await by(page, "import-no-room").count()).toBe(0);
    await choose(page, fixture("unipo.json"));
    await by(page, "import-no-room").getByText(words.full(MAX_KEPT)).waitFor();
    await by(page, "run").click();
    await by(page, "import-not-kept").getByText(words.notKept("unipo.json")).waitFor();
    expect(await by(page, "import-not-kept").textContent()).toContain(words.full(MAX_KEPT));
    await page
      .getByRole("button", {
        name: curveWords.runs.dropLabel("12.jsonl"),
        exact: true,
      })
      .first()
      .click();
    await page.getByRole("button", { name: words.keepFile }).click();
    await by(page, "import-not-kept").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
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

/** A file that claims that many bytes; they are not read. */
function sized(name: string, bytes: number, head = ""): File {
  return Object.defineProperty(new File([head], name), "size", { value: bytes });
}

function* noise(megabytes: number): Generator<string> {
  for (let i = 0; i < megabytes; i++) yield "x".repeat(1_000_000);
}
