/** The formula panel in a real Chromium: its numbers, its steps by one key, and runs that lack something. */
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { tokenRecording } from "../fixtures/tokenRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { longestTask, timed } from "./mainThread.ts";
import { by, takePicture } from "./support.ts";

const panel = lensPanel("formula", tokenRecording());

interface OpenOptions extends BrowserContextOptions {
  /** Replaces the run. */
  recording?: string;
  at?: string;
}

/** Episode 4 of Turn-PPO's iteration 2, its second turn; in view, since what is out of it is not drawn. */
async function open({ at = "&at=turn-ppo,2,4,2", ...options }: OpenOptions = {}) {
  const opened = await panel.open(at, options);
  await toPanel(opened.page);
  return opened;
}

const toPanel = (page: Page) =>
  page.locator("details[data-panel=formula]").evaluate((details) => details.scrollIntoView());

const shown = (page: Page) =>
  page.locator("[data-testid=formula-panel] .katex-html").first().waitFor();

/** The exact number of a term, from the table below the formulas. */
const number = async (page: Page, binding: string) =>
  Number(
    await page
      .locator(`[data-testid=formula-terms] tr[data-binding="${binding}"] [data-value]`)
      .getAttribute("data-value"),
  );

const path = (page: Page, name: string) =>
  by(page, "origin-lines").locator(`path.${name}`).getAttribute("d");

interface Ends {
  from: { x: number; y: number };
  to: { x: number; y: number };
}

/** Of the lines drawn, on the page's own scale. */
async function lineEnds(page: Page): Promise<Ends[]> {
  const box = await by(page, "origin-lines").boundingBox();
  const lines = (await path(page, "line"))!.split("M").slice(1);
  return lines.map((line) => {
    const numbers = line.match(/-?[\d.]+/g)!.map(Number);
    const at = (i: number) => ({ x: box!.x + numbers[i]!, y: box!.y + numbers[i + 1]! });
    return { from: at(0), to: at(numbers.length - 2) };
  });
}

/** Matches a point at the middle of the element's upper or lower side. */
async function around(element: Locator) {
  const { x, y, width, height } = (await element.boundingBox())!;
  const near = (at: number): boolean => Math.abs(at - y) < 2 || Math.abs(at - y - height) < 2;
  return {
    x: expect.closeTo(x + width / 2, -1) as number,
    y: expect.toSatisfy(near) as number,
  };
}

/** Milliseconds of processor time of the main thread's longest task. */
/** In the page: terms and symbols whose middle belongs to something else, so that one could not point at them. */
function notAtPointer(): (string | null)[] {
  const all = document.querySelectorAll(
    ".formula-panel button.symbol, .formula-panel .katex-html [data-term]",
  );
  const others = [...all].filter((one) => {
    one.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return found?.closest("button, [data-term]") !== one;
  });
  return others.map((one) => one.textContent);
}

const steps = (page: Page) =>
  page
    .locator(".formula-step")
    .evaluateAll((all) => all.map((step) => step.getAttribute("data-step")));

describe("the formula panel", () => {
  it("has no term behind another, so that each can be pointed at", async () => {
    const { page, errors, close } = await open({ at: "&at=turn-ppo,2,4,1" });
    await shown(page);
    await expect.poll(() => page.evaluate(notAtPointer)).toEqual([]);
    // What moves is a pointer that was somewhere before.
    await page.mouse.move(1, 1);
    await page.locator("[data-step=tdError] [data-term='turn.reward']").first().hover();
    await page.locator("td.origin[data-cell='turn.reward@3.0']").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("has formulas whole and each value beside its meaning on a phone", async () => {
    const { page, errors, close } = await open({ viewport: { width: 360, height: 740 } });
    await shown(page);
    await by(page, "formula-terms").locator(".number").first().waitFor();
    const cut = await by(page, "formula-panel").evaluate((panel) =>
      [...panel.querySelectorAll(".formula-box .katex, .term-numbers .number")].filter((one) => {
        const box = one.closest(".formula-box, .table-scroll")!.getBoundingClientRect();
        return one.getBoundingClientRect().right > box.right + 1;
      }),
    );
    expect(cut.length).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("draws lines from a term to its origins, which lead there", async () => {
    // Room for the term and the table that its line ends at, however the page was scrolled to click.
    const viewport = { width: 1280, height: 1800 };
    const { page, errors, close } = await open({ at: "&at=turn-ppo,2,4,1", viewport });
    await by(page, "formula-step-tdError").click();
    const term = page.locator("[data-step=tdError] [data-term='turn.nextValue']").first();
    await term.click();
    // Held: the pointer may go.
    await page.mouse.move(0, 0);
    const cell = page.locator("td.origin[data-cell='turn.value@3.1']");
    await expect.poll(() => lineEnds(page)).toHaveLength(1);
    const [first] = await lineEnds(page);
    expect(first!.from).toEqual(expect.objectContaining(await around(term)));
    expect(first!.to).toEqual(expect.objectContaining(await around(cell)));
    await expect.poll(() => path(page, "arrows")).toBe("");
    await by(page, "formula-marked").getByText("value of the next turn").waitFor();
    // Too low for the tables: the line ends at the edge, and says so.
    await page.setViewportSize({ width: 1280, height: 420 });
    await term.evaluate((element) => element.scrollIntoView({ block: "end" }));
    await expect.poll(() => path(page, "arrows")).not.toBe("");
    // Scrolled to, it is reached again.
    await cell.scrollIntoViewIfNeeded();
    await expect.poll(() => path(page, "arrows")).toBe("");
    await page.keyboard.press("Escape");
    await by(page, "origin-lines").waitFor({ state: "detached" });
    const origin = page.locator("td[data-cell='turn.value@3.1']");
    await origin.hover();
    await by(page, "formula-marked").getByText("Used for: value of the next turn").waitFor();
    await by(page, "origin-lines").waitFor();
    await origin.click();
    await by(page, "formula-at").getByText("Turn 2").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("goes along a formula's terms with the arrow keys", async () => {
    const { page, errors, close } = await open({ at: "&at=turn-ppo,2,4,1" });
    await shown(page);
    await by(page, "formula-step-tdError").click();
    await by(page, "formula-step-tdError").press("Tab");
    await page.keyboard.press("Tab");
    const said = by(page, "formula-marked");
    const seen: (string | null)[] = [];
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) {
      seen.push(await said.textContent());
      await page.keyboard.press(key);
    }
    expect(seen.map((text) => text!.split(":")[0])).toEqual([
      ...["TD error of the turn", "reward of the turn", "gamma"],
    ]);
    await by(page, "origin-lines").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect.poll(() => said.textContent()).toContain("reward of the turn");
    // The place did not move: the keys belonged to the formula.
    expect(new URL(page.url()).hash).toContain("at=turn-ppo,2,4,1");
    expect(errors).toEqual([]);
    await close();
  });

  it("goes through its nine steps by one key, and moves with the cursor", async () => {
    const { page, errors, close } = await open();
    await shown(page);
    await expect.poll(() => steps(page)).toHaveLength(9);
    await by(page, "formula-panel").focus();
    let seen: (string | null)[] = [];
    const throughAll = async () => {
      seen = [];
      for (let i = 0; i < 9; i++) {
        await page.keyboard.press("i");
        await by(page, "formula-step")
          .getByText(`Step ${i + 1} of 9`)
          .waitFor();
        seen.push(...(await steps(page)));
      }
    };
    await timed("longest task of a move in Formula", { limit: 50, unit: "ms" }, async () => {
      for (let i = 0; i < 9; i++) await page.keyboard.press("u");
      return longestTask(page, throughAll);
    });
    expect(seen).toEqual([
      ...["rollout", "reward", "value", "tdError", "advantage"],
      ...["ratio", "clip", "loss", "update"],
    ]);
    await page.keyboard.press("i");
    await page.keyboard.press("u");
    await page.keyboard.press("u");
    await by(page, "formula-step").getByText("Step 7 of 9: Clip").waitFor();
    const winner = by(page, "formula-winner");
    await expect
      .poll(() => winner.getAttribute("data-winner"))
      .toMatch(/^(equal|free|held|floor)$/);
    const isEqual = (await winner.getAttribute("data-winner")) === "equal";
    const boxes = await page.locator("[data-step=clip] .boxpad").count();
    expect(boxes > 0).toBe(!isEqual);
    await page.keyboard.press("k");
    await by(page, "formula-at").getByText("Turn 1").waitFor();
    await page.keyboard.press("n");
    await by(page, "formula-at")
      .getByText(/token “/)
      .waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("shows no step of another turn than its heading names, in view or not", async () => {
    const { page, errors, close } = await open({ viewport: { width: 1280, height: 300 } });
    await shown(page);
    const go = async (key: string, turn: number) => {
      const before = await number(page, "turn.delta");
      await by(page, "formula-panel").focus();
      await page.keyboard.press(key);
      await by(page, "formula-at").getByText(`Turn ${turn}`).waitFor();
      await expect.poll(() => number(page, "turn.delta")).not.toBe(before);
      const delta = (await number(page, "turn.delta")).toFixed(3).replace("-", "−");
      // Drawn within a few tasks, without any scrolling.
      await page.locator("[data-step=tdError] .katex-html", { hasText: delta }).waitFor();
    };
    await timed("longest task of a move in Formula", { limit: 50, unit: "ms" }, async () => {
      await go("k", 1);
      return longestTask(page, () => go("j", 2));
    });
    expect(errors).toEqual([]);
    await close();
  });
});

/** Goes to a step as a lecturer does, and finds all of it on the screen. */
async function toClip(page: Page): Promise<void> {
  await by(page, "formula-panel").focus();
  for (let i = 0; i < 7; i++) await page.keyboard.press("i");
  await by(page, "formula-winner").waitFor();
  const step = (await page.locator("[data-step=clip]").boundingBox())!;
  const bar = (await by(page, "cursor").boundingBox())!;
  expect(step.y).toBeGreaterThan(bar.y + bar.height);
  expect(step.y + step.height).toBeLessThan(page.viewportSize()!.height);
}

panel.looks(["dark", "phone", "projector"], "&at=turn-ppo,2,4,2", async (page) => {
  await toPanel(page);
  await shown(page);
  const { width } = page.viewportSize()!;
  await toClip(page);
  await page.locator("[data-step=clip] [data-term='turn.ratio']").last().click();
  await by(page, "origin-lines").waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  // As it looks; the pictures below are of the whole panel.
  await takePicture(page, `formula-lines-${await look(page)}.png`);
});

const look = (page: Page) =>
  page.evaluate(() => `${document.documentElement.dataset["theme"]}-${innerWidth}`);
