// @vitest-environment happy-dom
/** What files leave open: where the score is paid, what trained the run, and what the columns of a table are. */
import { afterAll, describe, expect, it } from "vitest";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { words } from "../../src/app/importWords.ts";
import { words as turnWords } from "../../src/figures/turns/words.ts";
import { words as says } from "../../src/interchange/import/words.ts";
import { formatSignedBrief } from "../../src/numeric/format.ts";
import { showing } from "../fixtures/lensAddress.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, type DomPage as Page } from "./page.ts";

usesApp();

const folder = mkdtempSync(join(tmpdir(), "turnbook-choices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const recording = syntheticRecording(shortRun());
const verl = join(import.meta.dirname, "../fixtures/import/12.jsonl");

const open = () =>
  openApp(`#v1/nano?view=lens${showing("run", "turns", "credits")}`, { recording });

const choose = (page: Page, ...files: string[]) =>
  page.locator("#import-input").setInputFiles(files);

function written(name: string, rows: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
}

/** Their column comes after a turn's name, board and response. */
const column = Object.keys(turnWords.numbers).indexOf("reward") + 4;
const rewards = (page: Page) =>
  by(page, "turns-table").locator(`tbody tr > :nth-child(${column})`).allTextContents();

describe("what the files of an import leave open", () => {
  it("may be where the score is paid: at the last turn, as on the command line", async () => {
    const { page, errors, close } = await open();
    await choose(page, verl);
    const paid = by(page, "import-paid-last");
    await paid.waitFor();
    await by(page, "turns-table").waitFor();
    expect(await rewards(page)).toEqual(Array(2).fill(turnWords.notInFile));
    await paid.click();
    await expect.poll(() => rewards(page)).toEqual([formatSignedBrief(0), formatSignedBrief(10.8)]);
    expect(await by(page, "import-shown").textContent()).toContain(words.paidLast);
    await by(page, "import-paid-last").click();
    await expect.poll(() => rewards(page)).toEqual(Array(2).fill(turnWords.notInFile));
    expect(errors).toEqual([]);
    await close();
  });

  it("may be its method and settings, which are asked for and never invented", async () => {
    const { page, errors, close } = await open();
    await choose(page, verl);
    const form = by(page, "import-trained");
    await form.locator("summary").click();
    await by(page, "import-method").selectOption("token-ppo");
    const use = by(page, "import-trained-use");
    await by(page, "import-set-gamma").fill("1");
    await use.click();
    await form.getByText(words.trained.noNumber("lambda", "")).waitFor();
    for (const name of ["lambda", "epsLow", "epsHigh"])
      await by(page, `import-set-${name}`).fill(name === "lambda" ? "7" : "0.3");
    await use.click();
    await form.getByText(/lambda is 7/).waitFor();
    await by(page, "import-set-lambda").fill("0.9");
    await use.click();
    await expect.poll(() => by(page, "turns-algorithm").first().inputValue()).toBe("token-ppo");
    const shown = by(page, "import-shown");
    await shown.getByText(words.notes, { exact: true }).click();
    const set = { gamma: 1, lambda: 0.9, epsLow: 0.3, epsHigh: 0.3 };
    await shown.getByText(says.trainedWith("token-ppo", set)).waitFor();
    await by(page, "import-shown").getByRole("button", { name: words.trained.forget }).click();
    await expect.poll(() => by(page, "turns-algorithm").first().inputValue()).toBe("verl");
    expect(errors).toEqual([]);
    await close();
  });
});

describe("a table whose columns are not known", () => {
  const rows = [0, 1].map((k) => ({
    q: "2 + 2?",
    a: `${3 + k}`,
    points: k,
    level: "sum",
    Step: 5,
  }));

  it("is read once its columns are named, which is remembered for others with the same", async () => {
    const { page, errors, close } = await open();
    await choose(page, written("table.jsonl", rows));
    const form = by(page, "import-columns");
    await form.waitFor();
    // A usual name is proposed; nothing else is guessed.
    expect(await by(page, "import-column-step").inputValue()).toBe("Step");
    expect(await by(page, "import-column-prompt").inputValue()).toBe("");
    const read = by(page, "import-columns-read");
    await read.click();
    await form.getByText(words.columns.noText).waitFor();
    await by(page, "import-column-prompt").selectOption("q");
    await by(page, "import-column-completion").selectOption("points");
    await read.click();
    const refused = by(page, "import-refused");
    const allowed = "a text or a list of messages";
    await refused.getByText(says.oddColumn("points", "completion", "0", allowed)).waitFor();
    await by(page, "import-column-completion").selectOption("a");
    await by(page, "import-column-reward").selectOption("points");
    await by(page, "import-column-group").selectOption("level");
    await by(page, "import-columns-read").click();
    await by(page, "import-shown").waitFor();
    expect(await by(page, "turns-iteration").first().inputValue()).toBe("5");
    await by(page, "turns-table").waitFor();
    await choose(page, written("other.jsonl", [...rows].reverse()));
    await by(page, "import-columns").waitFor();
    expect(await by(page, "import-column-reward").inputValue()).toBe("points");
    await by(page, "import-columns-read").click();
    await by(page, "import-shown").getByText("other.jsonl").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
