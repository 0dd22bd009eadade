/** Code cells in real Chromium: what they show, when they are out of date, and who lets them run. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { axeFaults } from "./axe.ts";
import {
  by,
  launch,
  openPage,
  type ServedPage,
  servePage,
  takePicture,
  openSettings,
} from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const NOTEBOOK = `# What the critic says

## A run

\`\`\`experiment id=first
preset: nano
recording: runs/nano/recording.json
\`\`\`

\`\`\`code id=rows
const rows = [];
for (const method of first.algorithms) {
  const { iteration, value } = first.heldout[method]["val-env/sokoban/success"];
  for (let i = 0; i < iteration.length; i++) rows.push({ method, iteration: iteration[i], success: value[i] });
}
rows
\`\`\`

\`\`\`code id=plot
Plot.plot({ marks: [Plot.lineY(rows, { x: "iteration", y: "success", stroke: "method" })] })
\`\`\`

\`\`\`code id=turns
const { h, value } = first.turns;
h.reduce((sum, turn, i) => (turn === 1 ? sum + value[i] : sum), 0)
\`\`\`
`;

const linkOf = (text: string) => `${site.url}#text/${notebookToWord(text)}`;
const cell = (page: Page, id: string) => page.locator(`[data-cell=${id}]`);
/** Lets the notebook's code run, after it was shown as a whole. */
async function allow(page: Page): Promise<void> {
  await by(page, "code-ask").first().getByRole("button").click();
  await by(page, "code-allow").click();
}
/** Presses Stop as soon as the page shows that the cell runs: a fast machine soon reaches its limit of steps. */
const stopAtOnce = (page: Page, id: string) =>
  page.evaluate(
    (running) =>
      new Promise<void>((resolve) => {
        const stop = () => {
          const button = document.querySelector<HTMLElement>(`${running} .code-head button`);
          if (!button) return;
          button.click();
          observer.disconnect();
          resolve();
        };
        const observer = new MutationObserver(stop);
        observer.observe(document, { subtree: true, childList: true, attributes: true });
        stop();
      }),
    `[data-cell=${id}] [data-testid=code-cell][data-state=running]`,
  );
const stateOf = (page: Page, id: string, state: string) =>
  cell(page, id).locator(`[data-testid=code-cell][data-state=${state}]`).waitFor();

describe("code cells", () => {
  it("of a link show their text and wait to be let run; then they compute and draw, by night too", async () => {
    const { page, errors, close } = await openPage(browser, linkOf(NOTEBOOK));
    await cell(page, "rows").getByText("const rows = []").waitFor();
    await expect.poll(() => by(page, "code-output").count()).toBe(0);
    await allow(page);
    for (const id of ["rows", "plot", "turns"]) await stateOf(page, id, "fresh");
    await expect.poll(() => cell(page, "rows").locator("tbody tr").count()).toBeGreaterThan(9);
    // Six digits, without zeros that say nothing.
    const numbers = await cell(page, "rows").locator("td").allTextContents();
    expect(numbers.filter((text) => /\.\d+/.test(text)).length).toBeGreaterThan(9);
    expect(numbers.filter((text) => /\.\d*0$/.test(text))).toEqual([]);
    await cell(page, "plot").locator("svg path").nth(2).waitFor({ state: "attached" });
    expect(Number(await cell(page, "turns").locator(".code-value").textContent())).toBeGreaterThan(
      0,
    );
    const fills = await cell(page, "plot")
      .locator("svg g[fill=none] path[stroke]")
      .evaluateAll((all) => all.map((path) => getComputedStyle(path).stroke));
    expect(new Set(fills).size).toBe(3);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFaults(page, { within: ".notebook" })).toEqual([]);
      await takePicture(page, `code-${colorScheme}.png`);
    }
    expect(errors).toEqual([]);
    await close();
  });

  it("run again when a reader moves an input that they name", async () => {
    const text =
      '# Inputs\n\n```input id=rate\nmin: 0\nmax: 10\nstep: 1\nvalue: 2\n```\n\n```input id=how\nkind: choice\noptions: [plus, times]\n```\n\n```code id=sum\nhow === "times" ? rate * 3 : rate + 3\n```\n';
    const { page, errors, close } = await openPage(browser, linkOf(text));
    await allow(page);
    const sum = cell(page, "sum").locator(".code-value");
    await sum.getByText("5", { exact: true }).waitFor();
    await by(page, "input-rate").focus();
    await page.keyboard.press("ArrowRight");
    await sum.getByText("6", { exact: true }).waitFor();
    await by(page, "input-how").selectOption({ label: "times" });
    await sum.getByText("9", { exact: true }).waitFor();
    expect(await axeFaults(page, { within: ".notebook" })).toEqual([]);
    await takePicture(page, "inputs.png");
    expect(errors).toEqual([]);
    await close();
  });

  it("are written, run by keyboard, fall out of date behind another, and are kept as text alone", async () => {
    const { page, errors, close } = await openPage(browser, `${site.url}#notebooks`);
    await by(page, "new-notebook").click();
    await by(page, "mode-edit").click();
    const add = async (text: string) => {
      const bar = page.getByTestId("edit").locator(".add-bar").last();
      await bar.getByTestId("add-code").click();
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
      await page.keyboard.press("Control+Enter");
    };
    await add("const answer = 41;\nanswer + 1");
    await cell(page, "code").locator(".code-value").getByText("42").waitFor();
    await add("code * 2");
    await cell(page, "code_2").locator(".code-value").getByText("84").waitFor();
    await by(page, "edit-cell")
      .filter({ has: cell(page, "code") })
      .first()
      .click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("100");
    await stateOf(page, "code", "late");
    await stateOf(page, "code_2", "late");
    await by(page, "run-late").click();
    await cell(page, "code_2").locator(".code-value").getByText("200").waitFor();
    await expect.poll(() => by(page, "run-late").isDisabled()).toBe(true);
    await page.locator("[data-testid=keeping][data-state=saved]").waitFor();
    await page.reload();
    await cell(page, "code_2").locator(".code-value").getByText("200").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("of the page's own notebook run by themselves; its experiments share one engine in turn", async () => {
    const { page, errors, close } = await openPage(browser, `${site.url}#notebooks`);
    const card = by(page, "served-card").filter({ hasText: "Ask the run yourself" });
    await card.getByRole("link").click();
    await stateOf(page, "picture", "fresh");
    await cell(page, "picture").locator("svg circle").nth(5).waitFor();
    await expect
      .poll(() => cell(page, "hurry").textContent())
      .toContain("Defines the reward hurry");
    // Longer than the clicks take on a machine with other work.
    await openSettings(cell(page, "first"));
    await cell(page, "first").getByTestId("field-optimisation.iterations").fill("2000");
    await page.keyboard.press("Escape");
    const inTurn = (id: string) => cell(page, id).getByTestId("run-in-turn").click();
    await inTurn("first");
    await page.locator("[data-run-state=running]").waitFor();
    await inTurn("hurried");
    const queued = cell(page, "hurried").getByTestId("queue-bar");
    await queued.getByText("Next in the queue").waitFor();
    // The bar is that of the experiment in view, by its name, and says what it waits for.
    await queued.scrollIntoViewIfNeeded();
    await expect.poll(() => by(page, "bar-name").textContent()).toBe("hurried");
    await expect.poll(() => by(page, "bar-state").textContent()).toBe("Next to run, after first");
    await by(page, "bar-name").click();
    await expect.poll(() => page.url()).toContain("#lesson/code/hurried");
    await queued.getByRole("button", { name: "Leave the queue" }).click();
    await queued.getByTestId("run-in-turn").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("say what is wrong, with its line; an endless loop ends by Stop, and the page lives", async () => {
    const code = (id: string, text: string) => `\`\`\`code id=${id}\n${text}\n\`\`\`\n\n`;
    const text =
      "# Faults\n\n" +
      code("a", "1;\nnowhere + 1") +
      code("b", "b2 + 1") +
      code("b2", "b + 1") +
      code("c", "fetch('https://example.org')") +
      code("d", "document.cookie") +
      code("e", "for (;;) {}") +
      code("f", "6 * 7");
    const { page, errors, close } = await openPage(browser, linkOf(text));
    const problem = (id: string) => cell(page, id).getByRole("alert");
    const stopped = stopAtOnce(page, "e");
    await allow(page);
    await stopped;
    await problem("e").getByText("stopped").waitFor();
    await problem("a").waitFor();
    await expect
      .poll(() => problem("a").textContent())
      .toMatch(/a, line 2: .*'nowhere' is not defined/);
    await problem("d").waitFor();
    await expect.poll(() => problem("b").textContent()).toMatch(/circle/);
    await expect.poll(() => problem("c").textContent()).toMatch(/fetch is not available here/);
    await expect
      .poll(() => problem("d").textContent())
      .toMatch(/document is not (available here|defined)/);
    await cell(page, "f").getByTestId("code-run").click();
    await cell(page, "f").locator(".code-value").getByText("42").waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
