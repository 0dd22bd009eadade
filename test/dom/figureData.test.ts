// @vitest-environment happy-dom
/** What a panel or a cell shows is saved as CSV and JSONL by one menu, in full, also what is folded away. */
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { NumbersView } from "../../src/draw/NumbersView.tsx";
import { columnsFrom, type NumbersBlock } from "../../src/figures/figure.ts";
import { numbersIn } from "../../src/ui/tablesIn.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { factsOf } from "../fixtures/episodeFacts.ts";
import { creditEpisodes, creditRecording, creditSpec } from "../fixtures/creditRun.ts";
import { openApp } from "./app.tsx";
import { lensPanel, openPanel } from "./lensPanel.ts";
import { by, type DomPage } from "./page.ts";

const SOURCE = { spec: creditSpec(), algorithm: "turn-ppo", iteration: 1 };

const { open } = lensPanel("credits", creditRecording());

async function rowsOf(page: DomPage, figure: string): Promise<Record<string, unknown>[]> {
  await by(page, `pane-data-${figure}`).click();
  const saved = await page.download(() => by(page, "data-jsonl").click());
  expect(saved.name).toBe(`${figure}.jsonl`);
  const lines = (await saved.text()).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("a panel of the lens: credits in full, tokens that are folded away, turns", async () => {
  const { page, errors, close } = await open("&at=turn-ppo,1,2,1");
  const credits = await rowsOf(page, "credits");
  const numbers = credits.flatMap((row) => Object.values(row)).filter((x) => typeof x === "number");
  // Cells show three digits.
  expect(numbers.some((x) => Math.abs(x * 1e6 - Math.round(x * 1e6)) > 1e-9)).toBe(true);
  await by(page, "pane-data-credits").click();
  const csv = await page.download(() => by(page, "data-csv").click());
  expect((await csv.text()).split("\r\n").length).toBe(credits.length + 2);
  await openPanel(page, "tokens");
  const tokens = await rowsOf(page, "tokens");
  expect(tokens.some((row) => "log-probability" in row || Object.keys(row).length > 7)).toBe(true);
  expect(await by(page, "tokens-table").count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("tables that draw a part of their rows: all of them, in full", async () => {
  const { page, errors, close } = await open("&at=turn-ppo,1,1,1");
  await openPanel(page, "episodes");
  const episodes = await rowsOf(page, "episodes");
  const facts = factsOf(creditEpisodes("turn-ppo"), SOURCE, null);
  expect(episodes.map((row) => row["Largest TD error"])).toEqual(
    facts.map(({ error }) => error?.value ?? null),
  );
  // What one reads has three digits at most.
  const isLong = (x: unknown) => typeof x === "number" && Number(x.toFixed(3)) !== x;
  await openPanel(page, "byTurn");
  const rows = await rowsOf(page, "byTurn");
  expect(rows.map((row) => row["mean advantage"]).some(isLong)).toBe(true);
  expect(errors).toEqual([]);
  await close();
});

it("rows of a figure beyond those that its table draws", async () => {
  const rows = Array.from({ length: 600 }, (_, i) => [i, i / 7]);
  const block: NumbersBlock = {
    ...{ kind: "numbers", id: "turns", title: "Turns", rows: () => rows },
    columns: columnsFrom(["turn", "V"], ["count", "signed"]),
  };
  const host = document.createElement("section");
  const root = createRoot(host);
  flushSync(() => root.render(createElement(NumbersView, { block })));
  await expect.poll(() => numbersIn(host).rows).toHaveLength(600);
  expect(numbersIn(host).rows.map((row) => row[1])).toEqual(rows.map(([, V]) => V));
  root.unmount();
});

it("a panel cell of a notebook", async () => {
  const text = "# P\n\n```experiment id=e\npreset: nano\n```\n\n```panel of=e\npanel: turns\n```\n";
  const { page, close } = await openApp(`#text/${notebookToWord(text)}`, {
    recording: creditRecording(),
  });
  await by(page, "turns-panel").waitFor();
  await by(page, "data-turns").waitFor();
  await close();
});
