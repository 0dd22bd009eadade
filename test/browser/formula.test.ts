/** The formula panel in a real Chromium: its numbers, its steps by one key, and runs that lack something. */
import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { tokenRecording } from "../fixtures/tokenRun.ts";
import { launch, openPage, screenshots, servePage, type ServedPage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await launch();
  site = await servePage({ worker: "fake", recording: tokenRecording() });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const by = (page: Page, id: string) => page.getByTestId(id);

interface OpenOptions extends BrowserContextOptions {
  /** Replaces the run. */
  recording?: string;
  at?: string;
}

/** Episode 4 of Turn-PPO's iteration 2, its second turn. */
async function open({ recording, at = "&at=turn-ppo,2,4,2", ...context }: OpenOptions = {}) {
  const opened = await openPage(browser, "about:blank", context);
  const { page } = opened;
  if (recording !== undefined)
    await page.route("**/runs/nano.jsonl", (route) => route.fulfill({ body: recording }));
  await page.goto(`${site.url}#v1/nano?view=lens${at}`);
  await page.locator("[data-testid=recording][data-state=shown]").waitFor();
  // Alone on the page, so that it stays in view: what is out of view is not drawn.
  await page
    .locator(".lens-section[open] > summary")
    .evaluateAll((all) => all.forEach((summary) => (summary as HTMLElement).click()));
  await page.locator("details[data-panel=formula] > summary").click();
  await by(page, "formula-panel").waitFor();
  await page.locator("details[data-panel=formula]").evaluate((panel) => panel.scrollIntoView());
  return opened;
}

const shown = (page: Page) =>
  page.locator("[data-testid=formula-panel] .katex-html").first().waitFor();

/** The exact number of a term, from the table below the formulas. */
const number = async (page: Page, binding: string) =>
  Number(
    await page
      .locator(`[data-testid=formula-terms] tr[data-binding="${binding}"] [data-value]`)
      .getAttribute("data-value"),
  );

const steps = (page: Page) =>
  page
    .locator(".formula-step")
    .evaluateAll((all) => all.map((step) => step.getAttribute("data-step")));

describe("the formula panel", () => {
  it("fills in the numbers of the turn, which add up, and marks where they came from", async () => {
    const { page, errors, close } = await open({ at: "&at=turn-ppo,2,4,1" });
    await shown(page);
    const at = (binding: string) => number(page, binding);
    expect(await at("turn.delta")).toBeCloseTo(
      (await at("turn.reward")) + 0.99 * (await at("turn.nextValue")) - (await at("turn.value")),
      9,
    );
    const text = await page.locator("[data-step=tdError] .katex-html").first().textContent();
    expect(text).toContain((await at("turn.delta")).toFixed(3).replace("-", "−"));
    const term = page.locator("[data-testid=formula-terms] tr[data-binding='turn.nextValue']");
    await term.locator("button").focus();
    expect(await term.locator("button").getAttribute("aria-pressed")).toBe("true");
    const origin = page.locator("td.origin");
    expect(await origin.getAttribute("data-cell")).toBe("turn.value@3.1");
    await page.locator("[data-step=tdError] [data-term='turn.reward']").first().hover();
    await page.locator("td.origin[data-cell='turn.reward@3.0']").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("goes through its nine steps by one key, and moves with the cursor", async () => {
    const { page, errors, close } = await open();
    await shown(page);
    expect(await steps(page)).toHaveLength(9);
    await by(page, "formula-panel").focus();
    const seen: (string | null)[] = [];
    for (let i = 0; i < 9; i++) {
      await page.keyboard.press("i");
      await by(page, "formula-step")
        .getByText(`Step ${i + 1} of 9`)
        .waitFor();
      seen.push(...(await steps(page)));
    }
    expect(seen).toEqual([
      ...["rollout", "reward", "value", "tdError", "advantage"],
      ...["ratio", "clip", "loss", "update"],
    ]);
    await page.keyboard.press("i");
    await page.keyboard.press("u");
    await page.keyboard.press("u");
    await by(page, "formula-step").getByText("Step 7 of 9: Clip").waitFor();
    const winner = by(page, "formula-winner");
    expect(await winner.getAttribute("data-winner")).toMatch(/^(equal|free|held|floor)$/);
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
    for (const [key, turn] of [
      ["k", 1],
      ["j", 2],
    ] as const) {
      await by(page, "formula-panel").focus();
      await page.keyboard.press(key);
      await by(page, "formula-at").getByText(`Turn ${turn}`).waitFor();
      const delta = (await number(page, "turn.delta")).toFixed(3).replace("-", "−");
      // Drawn within a few tasks, without any scrolling.
      await page.locator("[data-step=tdError] .katex-html", { hasText: delta }).waitFor();
    }
    expect(errors).toEqual([]);
    await close();
  });

  it("says what training used where the log does not tell its normalisation", async () => {
    const { page, errors, close } = await open();
    await shown(page);
    await by(page, "formula-trained")
      .getByText(/Training used .* \(over all episodes of the iteration\)/)
      .waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("shows any row, or says why it cannot", async () => {
    const { page, errors, close } = await open();
    await by(page, "formula-algorithm").selectOption("grpo");
    await page.locator("[data-binding='group.mean']").waitFor();
    const score = await number(page, "trajectory.score");
    const cells = page.locator("td[data-cell^='trajectory.score@']");
    const scores = (await cells.allTextContents()).map((text) => text.replace("−", "-"));
    expect(scores.map(Number).some((x) => Math.abs(x - score) < 0.01)).toBe(true);
    await by(page, "formula-algorithm").selectOption("reinforce");
    await page.getByText(/This row takes no ratio/).waitFor();
    await by(page, "formula-algorithm").selectOption("remax");
    await by(page, "formula-reason")
      .getByText(/greedy rollout/)
      .waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  const cases: { name: string; change: (one: EpisodeRecord) => EpisodeRecord; says: RegExp }[] = [
    {
      name: "without critics",
      change: (one) => ({
        ...one,
        turns: one.turns.map(({ critics: _, ...turn }) => ({ ...turn, value: null })),
      }),
      says: /needs a value of each turn/,
    },
    {
      name: "without tokens",
      change: (one) => ({ ...one, turns: one.turns.map((turn) => ({ ...turn, tokens: [] })) }),
      says: /needs tokens, and this run’s log has none/,
    },
    {
      name: "with a turn of no tokens",
      change: (one) => ({
        ...one,
        turns: one.turns.map((turn, h) => (h === 1 ? { ...turn, tokens: [] } : turn)),
      }),
      says: /This turn has no recorded tokens/,
    },
    {
      name: "without log-probabilities",
      change: (one) => ({
        ...one,
        turns: one.turns.map((turn) => ({
          ...turn,
          tokens: turn.tokens.map(
            ({ logprob: _, ...token }) => token as typeof token & { logprob: number },
          ),
        })),
      }),
      says: /log-probabilities of tokens are not recorded/,
    },
    { name: "without turns", change: (one) => ({ ...one, turns: [] }), says: /has no turns/ },
  ];
  it.each(cases)("stands a run $name", async ({ change, says }) => {
    const { page, errors, close } = await open({ recording: tokenRecording({ change }) });
    await by(page, "formula-panel").getByText(says).first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("stands huge numbers, and a run that recorded none", async () => {
    const change = (one: EpisodeRecord) => ({
      ...one,
      turns: one.turns.slice(0, 1).map((turn) => ({ ...turn, reward: 1e90 })),
    });
    const huge = await open({ recording: tokenRecording({ change }) });
    await shown(huge.page);
    expect(await number(huge.page, "turn.reward")).toBe(1e90);
    expect(huge.errors).toEqual([]);
    await huge.close();
    const lines = tokenRecording().trimEnd().split("\n");
    const none = await open({ recording: lines.slice(0, 3).join("\n"), at: "" });
    await by(none.page, "formula-panel")
      .getByText(/recorded no episodes/)
      .waitFor();
    expect(none.errors).toEqual([]);
    await none.close();
  });

  const looks: { name: string; options: BrowserContextOptions }[] = [
    { name: "light", options: { viewport: { width: 1280, height: 900 } } },
    { name: "dark", options: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" } },
    { name: "phone", options: { viewport: { width: 390, height: 844 } } },
    {
      name: "projector",
      options: { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5 },
    },
  ];
  it.each(looks)("$name: no problem for anyone, nothing cut off", async ({ name, options }) => {
    const { page, errors, close } = await open(options);
    await shown(page);
    if (name === "projector") await by(page, "formula-step-clip").click();
    await page.locator("[data-binding='turn.advantage'] button").focus();
    const { violations } = await new AxeBuilder({ page })
      .include("[data-testid=formula-panel]")
      // KaTeX's own, and very many elements.
      .exclude(".katex")
      .analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
      options.viewport!.width,
    );
    // Else it stands in the middle of the picture.
    await page.addStyleTag({ content: ".cursor-bar { position: static !important }" });
    await by(page, "formula-panel").screenshot({ path: join(screenshots, `formula-${name}.png`) });
    expect(errors).toEqual([]);
    await close();
  });
});
