// @vitest-environment happy-dom
/**
 * What every panel of the lens names: heads of tables and of rows, results, titles of charts, folds. A label that was there
 * must stay, so that no panel loses a table. `TURNBOOK_LABELS=1` rewrites the list if one was removed on purpose.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { manifests } from "../../src/panels/manifests.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { showingAll } from "../fixtures/lensAddress.ts";
import { lensPanel } from "./lensPanel.ts";

/** A line for each label: its panel, a colon, the label with # for numbers, which depend on the run. */
const FILE = join(import.meta.dirname, "../fixtures/panelLabels.txt");
/** The gradient's rows are as its recorded figure has them. */
const NAMES =
  "thead th, tbody th:not(:has(.check)), caption, dt, figcaption h4, summary, .cells-method h4, legend";
/** What is beside a name, and the part of a formula that only screen readers get. */
const BESIDE = ".note, .katex-mathml, .to-method";
/** The panel of a run's settings: no numbers of a run. */
const SETTINGS = "run";

const { open } = lensPanel("ribbon", creditRecording());

function nameOf(element: Element): string {
  const bare = element.cloneNode(true) as Element;
  for (const one of bare.querySelectorAll(BESIDE)) one.remove();
  const text = bare.textContent.replaceAll(/[−+]?\d[\d.,]*/g, "#");
  // A soft hyphen says where a narrow column may cut a word.
  return text.replaceAll("\u00ad", "").replaceAll(/\s+/g, " ").trim();
}

/** Each as the file has it. */
function labels(): string[] {
  const panels = [...document.querySelectorAll<HTMLElement>("details[data-panel]")];
  const all = panels.flatMap((panel) => {
    const id = panel.dataset["panel"]!;
    const names = id === SETTINGS ? [] : [...panel.querySelectorAll(NAMES)].map(nameOf);
    return names.filter((name) => name !== "").map((name) => `${id}: ${name}`);
  });
  return [...new Set(all)].sort();
}

/** Unfolds what is folded: tables are made only for those who look. */
function unfold(): void {
  for (const one of document.querySelectorAll<HTMLDetailsElement>("details:not([open])")) {
    one.open = true;
    one.dispatchEvent(new Event("toggle"));
  }
}

it("names in every panel all that it has named before", async () => {
  const { page, errors, close } = await open(`&at=turn-ppo,1,2,1${showingAll()}`);
  const now = async () => {
    await page.evaluate(unfold);
    return page.evaluate(labels);
  };
  if (process.env["TURNBOOK_LABELS"]) {
    for (let i = 0; i < 40; i++) await now().then(() => page.waitForTimeout(100));
    writeFileSync(FILE, `${(await now()).join("\n")}\n`);
  }
  const before = readFileSync(FILE, "utf8").trim().split("\n");
  const panels = new Set(before.map((line) => line.split(":")[0]));
  expect(manifests.filter(({ id }) => id !== SETTINGS && !panels.has(id))).toEqual([]);
  const missing = async () => {
    const there = new Set(await now());
    return before.filter((line) => !there.has(line));
  };
  await expect.poll(missing).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
