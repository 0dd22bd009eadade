// @vitest-environment happy-dom
/** Forms beside the text of cells: each field is written into the body, and what the body says is in the fields. */
import { expect, it } from "vitest";
import { openingWords } from "../../src/panels/opening/words.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

type Page = Awaited<ReturnType<typeof openApp>>["page"];

/** Kinds of cells that are added from the menu. */
const IN_MENU = new Set([
  ...["compare", "explore", "class", "lesson", "sweep", "playground"],
  ...["opening", "cuts", "quiz"],
]);

/** A new notebook with one more cell, which is selected. */
async function withCell(type: string) {
  const opened = await openApp("#notebooks");
  const { page } = opened;
  await by(page, "new-notebook").click();
  await by(page, "mode-edit").click();
  if (IN_MENU.has(type)) await by(page, "add-more").last().click();
  await by(page, `add-${type}`).last().click();
  await by(page, "cell-form").waitFor();
  // A playground begins with nothing.
  if (type !== "playground") await expect.poll(() => textOf(page)).not.toBe("");
  return opened;
}

/** The source of the selected cell, without the marks of errors. */
const textOf = (page: Page) =>
  page.evaluate(() => {
    const source = document.querySelector("[data-selected=true] [data-testid=source]");
    const lines = source?.shadowRoot?.querySelectorAll(".cm-line") ?? [];
    return [...lines].map((line) => line.textContent).join("\n");
  });

const field = (page: Page, name: string) => by(page, `cell-field-${name}`);

it("writes a panel, its settings and its cursor, and drops the settings of another panel", async () => {
  const { page, errors, close } = await withCell("panel");
  await by(page, "cell-settings").click();
  await field(page, "quantity").selectOption("ratio");
  await expect.poll(() => textOf(page)).toContain("quantity: ratio");
  await field(page, "method").selectOption("turn-ppo");
  await field(page, "turn").fill("3");
  await expect.poll(() => textOf(page)).toContain("at: turn-ppo,,1,3");
  await field(page, "turn").fill("0");
  await page.getByText("Is 0; must be 1 to 9999.").waitFor();
  expect(await field(page, "turn").getAttribute("aria-invalid")).toBe("true");
  expect(await textOf(page)).toContain("at: turn-ppo,,1,3");
  await field(page, "caption").fill("Who gets it?");
  await expect.poll(() => textOf(page)).toContain("caption: Who gets it?");
  await field(page, "panel").selectOption("critic");
  await expect.poll(() => textOf(page)).toContain("panel: critic");
  expect(await textOf(page)).not.toContain("ratio");
  await by(page, "cell-place-clear").click();
  await expect.poll(() => textOf(page)).not.toContain("at:");
  expect(errors).toEqual([]);
  await close();
});

it("writes a question, and says at the field what is wrong", async () => {
  const { page, errors, close } = await withCell("quiz");
  await field(page, "options").fill("left\nright\nboth");
  await field(page, "answer").selectOption("3");
  await expect.poll(() => textOf(page)).toMatch(/answer: 3/);
  await field(page, "options").fill("left");
  await by(page, "cell-form").getByText("Options needs at least two.").waitFor();
  await field(page, "kind").selectOption("number");
  await expect.poll(() => field(page, "options").count()).toBe(0);
  await field(page, "answer").fill("-");
  await expect.poll(() => field(page, "answer").getAttribute("aria-invalid")).toBe("true");
  await field(page, "answer").fill("-0.5");
  await expect.poll(() => field(page, "answer").getAttribute("aria-invalid")).toBe(null);
  await field(page, "kind").selectOption("turn");
  await field(page, "at").fill("grpo,1");
  await by(page, "cell-form").getByText("Episode must be method, iteration").waitFor();
  await field(page, "at").fill("grpo,1,1");
  await expect.poll(() => textOf(page)).toMatch(/at: grpo,1,1/);
  await by(page, "cell-form").getByText("Readers choose a turn of the episode.").waitFor();
  await field(page, "kind").selectOption("order");
  await by(page, "cell-form").getByText("in the right order").waitFor();
  expect(await field(page, "answer").count()).toBe(0);
  await field(page, "kind").selectOption("number");
  await field(page, "unit").fill("points");
  await expect.poll(() => textOf(page)).toMatch(/answer: -0.5[^]*unit: points/);
  // One field's typing is one step back.
  await by(page, "edit-cell").last().focus();
  await page.keyboard.press("Control+z");
  await expect.poll(() => field(page, "unit").inputValue()).toBe("");
  expect(errors).toEqual([]);
  await close();
});

it("offers the notebook's experiments and the metrics as boxes; all of them is what a cell need not say", async () => {
  const { page, errors, close } = await withCell("compare");
  const only = by(page, "cell-experiments-first");
  expect(await only.isDisabled()).toBe(true);
  await by(page, "cell-metrics-success").click();
  await expect.poll(() => textOf(page)).toMatch(/success/);
  await by(page, "cell-metrics-success").click();
  await expect.poll(() => textOf(page)).not.toMatch(/metrics/);
  await by(page, "add-experiment").last().click();
  await by(page, "edit-cell").nth(3).click();
  await by(page, "cell-experiments-experiment").click();
  await expect.poll(() => textOf(page)).toContain("experiments: [first]");
  await by(page, "cell-experiments-experiment").click();
  await expect.poll(() => textOf(page)).not.toContain("experiments");
  expect(errors).toEqual([]);
  await close();
});

it("offers a number of the run that a cell lists by its title", async () => {
  const text = "# Moves\n\n```curves id=moves\nmetrics: [reward, train:sokoban/num_actions]\n```\n";
  const { page, errors, close } = await openApp(`#text/${notebookToWord(text)}`);
  await by(page, "edit-copy").click();
  await by(page, "edit-cell").last().click();
  const moves = by(page, "cell-metrics-train:sokoban/num_actions");
  expect(await moves.isChecked()).toBe(true);
  expect(await by(page, "cell-form").textContent()).toContain("Actions per episode");
  await moves.click();
  await expect.poll(() => textOf(page)).toContain("metrics: [reward]");
  await moves.click();
  await expect.poll(() => textOf(page)).toContain("metrics: [reward, train:sokoban/num_actions]");
  expect(errors).toEqual([]);
  await close();
});

it("offers in an experiment's form what code cells define", async () => {
  const { page, errors, close } = await openApp("#notebooks");
  await by(page, "new-notebook").click();
  await by(page, "mode-edit").click();
  await by(page, "edit").waitFor();
  expect(await by(page, "definition-fields").count()).toBe(0);
  for (const kind of ["reward", "estimator"]) {
    await by(page, "add-code").last().click();
    await by(page, "cell-defines").selectOption(kind);
  }
  await by(page, "settings").click();
  await field(page, "reward").selectOption("code");
  await by(page, "method-turn-ppo@code_2").click();
  await by(page, "edit-cell").nth(1).click();
  await expect.poll(() => textOf(page)).toMatch(/turn-ppo@code_2/);
  expect(await textOf(page)).toMatch(/reward: code/);
  expect(await by(page, "cell-problems").count()).toBe(0);
  await field(page, "reward").selectOption("");
  await expect.poll(() => textOf(page)).not.toMatch(/reward: code/);
  expect(errors).toEqual([]);
  await close();
});

it("writes a figure with handles, and drops the handles of another figure", async () => {
  const { page, errors, close } = await withCell("explore");
  await field(page, "set-size").fill("12");
  await expect.poll(() => textOf(page)).toMatch(/set:\s+size: 12/);
  await field(page, "set-size").fill("99");
  await by(page, "cell-form")
    .getByText(/^Is 99; must be \d+ to \d+\.$/)
    .waitFor();
  await by(page, "cell-hide-draw").click();
  await expect.poll(() => textOf(page)).toMatch(/hide:\s+(- |\[ ?)draw/);
  await by(page, "cell-hide-draw").click();
  await expect.poll(() => textOf(page)).not.toContain("hide");
  await field(page, "figure").selectOption("temperature");
  await expect.poll(() => textOf(page)).toContain("figure: temperature");
  expect(await textOf(page)).not.toContain("size");
  await field(page, "data-tokens").fill("left, right");
  await field(page, "data-logits").fill("2, -1.5,");
  await expect.poll(() => textOf(page)).toMatch(/logits:[^]*2[^]*-1\.5/);
  expect(await field(page, "data-logits").inputValue()).toBe("2, -1.5,");
  await field(page, "source").fill("Made up");
  await expect.poll(() => textOf(page)).toContain("source: Made up");
  expect(errors).toEqual([]);
  await close();
});

it("writes a sweep: values of its settings, another setting of its experiment, seeds", async () => {
  const { page, errors, close } = await withCell("sweep");
  await field(page, "over-optimisation.actorLr").fill("1e-4, 2e-4, ");
  await expect.poll(() => textOf(page)).toMatch(/actorLr: \[0\.0001, 0\.0002\]/);
  expect(await field(page, "over-optimisation.actorLr").inputValue()).toBe("1e-4, 2e-4, ");
  await field(page, "over-add").selectOption("optimisation.groupSize");
  await expect.poll(() => textOf(page)).toMatch(/optimisation\.groupSize: \[\d+\]/);
  await field(page, "over-optimisation.groupSize").fill("");
  await by(page, "cell-form").getByText("must give optimisation.groupSize a list").waitFor();
  await by(page, "leave-out-optimisation.groupSize").click();
  await expect.poll(() => textOf(page)).not.toContain("groupSize");
  await field(page, "seeds").fill("1, 1");
  await by(page, "cell-form").getByText("must list each seed once").waitFor();
  await field(page, "seeds").fill("");
  await expect.poll(() => textOf(page)).not.toContain("seeds");
  await by(page, "leave-out-optimisation.actorLr").click();
  await expect.poll(() => textOf(page)).not.toContain("over");
  expect(await by(page, "cell-problems").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("writes where a playground begins", async () => {
  const { page, errors, close } = await withCell("playground");
  await field(page, "method").selectOption("turn-ppo");
  await field(page, "iteration").fill("3");
  await expect.poll(() => textOf(page)).toMatch(/at: turn-ppo,3/);
  expect(errors).toEqual([]);
  await close();
});

it("writes an opening figure: its file, which is drawn, and its note", async () => {
  const { page, errors, close } = await withCell("opening");
  await page.locator("[data-testid=opening] [data-testid^=opening-]").first().waitFor();
  await field(page, "note").fill("One seed: no ranking.");
  await expect.poll(() => textOf(page)).toMatch(/note: .One seed: no ranking/);
  await page.getByText("One seed: no ranking.").first().waitFor();
  await field(page, "figure").fill("");
  await by(page, "cell-form").getByText("File of the figure is missing.").waitFor();
  expect(await field(page, "figure").getAttribute("aria-invalid")).toBe("true");
  expect(await textOf(page)).not.toContain("figure:");
  await field(page, "figure").fill("figures/none.json");
  await expect.poll(() => textOf(page)).toContain("figure: figures/none.json");
  await by(page, "opening").getByText(openingWords.missing).waitFor();
  await field(page, "figure").fill("figures/opening.json");
  await page.locator("[data-testid=opening] [data-testid^=opening-]").first().waitFor();
  expect(await textOf(page)).toMatch(/note: /);
  expect(errors).toEqual([]);
  await close();
});

it("writes the file that three ways to cut are drawn from", async () => {
  const { page, errors, close } = await withCell("cuts");
  await by(page, "cuts-piece").first().waitFor();
  await field(page, "figure").fill("figures/none.json");
  await expect.poll(() => textOf(page)).toBe("figure: figures/none.json");
  await expect.poll(() => by(page, "cuts-piece").count()).toBe(0);
  await page.getByText(openingWords.missing).waitFor();
  await field(page, "figure").fill("");
  await by(page, "cell-form").getByText("File of the figure is missing.").waitFor();
  await field(page, "figure").fill("figures/opening.json");
  await by(page, "cuts-piece").first().waitFor();
  expect(errors).toEqual([]);
  await close();
});

it("writes a class experiment and a lesson's own cell, and says at the field what is wrong", async () => {
  const first = await withCell("class");
  await field(first.page, "options").fill("GRPO\nTurn-PPO\nneither");
  await field(first.page, "metric").selectOption("reward");
  await field(first.page, "seats").fill("500");
  await expect.poll(() => textOf(first.page)).toMatch(/neither[^]*seats: 500/);
  expect(await textOf(first.page)).toContain("metric: reward");
  await expect.poll(() => field(first.page, "seats").getAttribute("aria-invalid")).toBe("true");
  expect(first.errors).toEqual([]);
  await first.close();
  const { page, errors, close } = await withCell("lesson");
  await by(page, "cell-form").getByText("each “##” heading begins a step").waitFor();
  expect(await by(page, "cell-hide").getAttribute("title")).toContain("no handout prints it");
  await field(page, "number").fill("3");
  await field(page, "minutes").fill("15");
  await expect.poll(() => textOf(page)).toMatch(/number: 3\nminutes: 15/);
  expect(errors).toEqual([]);
  await close();
});
