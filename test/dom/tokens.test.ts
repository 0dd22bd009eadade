// @vitest-environment happy-dom
/** The token panel: its numbers, its keys, long conversations, and what a log may lack. */
import { describe, expect, it } from "vitest";
import { countsOf, promptOf } from "../../src/figures/tokens/prompt.ts";
import { MORE_LETTERS, stretchesOf } from "../../src/numeric/longText.ts";
import { words } from "../../src/figures/tokens/words.ts";
import { creditEpisodes, creditRecording, creditSpec } from "../fixtures/creditRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by, type DomPage } from "./page.ts";

const { open } = lensPanel("tokens", creditRecording());

const chips = (page: DomPage) => by(page, "tokens-conversation").locator(".token-chip");
const current = (page: DomPage) => by(page, "tokens-conversation").locator("[aria-current=true]");
const number = (page: DomPage, id: string) =>
  by(page, "tokens-numbers").locator(`tr[data-number=${id}] td`).textContent();

describe("the token panel", () => {
  it("shows the numbers of the token at the cursor", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,2,1,2");
    await current(page).waitFor();
    expect(await current(page).textContent()).toBe("||");
    expect(await number(page, "oldLogprob")).toBe("−0.750");
    expect(await number(page, "ratio")).toBe("0.741");
    expect(await number(page, "value")).toBe("+1.750");
    expect(await number(page, "clip")).toMatch(/whole turn/);
    expect(await chips(page).nth(2).textContent()).toBe("↵");
    await page.getByText("Token table").click();
    const rows = by(page, "tokens-table").locator("tbody tr");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(await chips(page).count());
    expect(await rows.nth(1).locator("th, td").allTextContents()).toEqual(
      expect.arrayContaining(["1", "2", "·||", "−0.750", "0.741", "0.500", "+1.750"]),
    );
    const prompt = by(page, "tokens-prompt").first();
    await prompt.locator("summary").press("Enter");
    const { parts } = promptOf(creditSpec(), creditEpisodes("turn-ppo")[1]!, 0);
    const { environment, model } = countsOf(parts!);
    await prompt.getByText(words.promptCounts(environment, model)).waitFor();
    expect(await prompt.locator(".prompt-token").allTextContents()).toEqual(parts![0]!.tokens);
    expect(errors).toEqual([]);
    await close();
  });

  it("goes by keyboard, token by token and to both ends", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,2,1");
    expect(await by(page, "tokens-numbers").textContent()).toContain("Click a token");
    await chips(page).first().focus();
    await page.keyboard.press("ArrowRight");
    await current(page).filter({ hasText: "||" }).waitFor();
    await page.keyboard.press("n");
    await current(page).filter({ hasText: "↵" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("↵");
    await page.keyboard.press("End");
    const last = (await chips(page).count()) - 1;
    await by(page, "tokens-conversation")
      .locator(`[data-strip='${last}'][aria-current=true]`)
      .waitFor();
    await page.keyboard.press("Home");
    await current(page).filter({ hasText: "Left" }).waitFor();
    const stops = by(page, "tokens-conversation").locator(".token-chip[tabindex='0']");
    expect(await stops.count()).toBe(1);
    await chips(page).nth(5).click();
    await page.waitForURL(/at=turn-ppo(,|%2C)1(,|%2C)2(,|%2C)2(,|%2C)2/);
    expect(errors).toEqual([]);
    await close();
  });

  it("colours by the number that is chosen, with a sign beside the colour", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,2,1");
    await by(page, "tokens-measure").selectOption("ratio");
    // What is off screen is not redrawn, and panels above that are still opening push this one down.
    const label = async () => {
      await chips(page).nth(1).scrollIntoViewIfNeeded();
      return chips(page).nth(1).getAttribute("aria-label");
    };
    await expect.poll(label).toBe("·||, ratio 0.741");
    await expect.poll(() => chips(page).first().getAttribute("class")).toContain("token-positive");
    await expect.poll(() => chips(page).nth(1).getAttribute("class")).toContain("token-negative");
    await expect.poll(() => by(page, "tokens-legend").textContent()).toContain("likelier now");
    await by(page, "tokens-measure").selectOption("value");
    await expect.poll(label).toContain("V");
    await by(page, "tokens-legend").getByText("critic of token-PPO").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("draws a long conversation in parts, and goes on from part to part", async () => {
    const many = (tokens: object[]) =>
      Array.from({ length: 500 }, (_, i) => tokens[i % tokens.length]!);
    const line = "a long page\n";
    const recording = creditRecording((episode) => ({
      ...episode,
      turns: episode.turns.slice(0, 5).map((turn) => ({
        ...{ ...turn, observation: line.repeat(1000) },
        tokens: many(turn.tokens) as typeof turn.tokens,
      })),
    }));
    const turns = creditEpisodes("turn-ppo")[1]!.turns.length;
    expect(turns).toBe(5);
    const { page, errors, close } = await open("&at=turn-ppo,1,2,2,500", { recording });
    await current(page).waitFor();
    expect(await chips(page).count()).toBe(1000);
    expect(await by(page, "tokens-part").textContent()).toContain("part 1 of 3");
    // An observation too: what is not drawn is said, and comes in parts.
    const seen = by(page, "tokens-conversation").locator(".chat-turn").first();
    const letters = async () =>
      (await seen.locator(".tokens-environment").allTextContents()).join("").length;
    const first = stretchesOf(line.repeat(1000), 1);
    expect(await letters()).toBe(first.parts[0]!.length);
    await seen.getByRole("button", { name: words.moreLetters(MORE_LETTERS, first.left) }).click();
    const second = stretchesOf(line.repeat(1000), 2);
    await expect.poll(letters).toBe(line.length * 1000 - second.left);
    await seen.getByRole("button", { name: words.fewerLetters }).click();
    await expect.poll(letters).toBe(first.parts[0]!.length);
    await current(page).focus();
    await page.keyboard.press("ArrowRight");
    await by(page, "tokens-part").getByText("part 2 of 3").waitFor();
    const stop = () => page.evaluate(() => document.activeElement?.getAttribute("data-strip"));
    await expect.poll(stop).toBe("1000");
    await by(page, "tokens-part").getByRole("button", { name: "Next part" }).click();
    await by(page, "tokens-part").getByText("part 3 of 3").waitFor();
    expect(await chips(page).count()).toBe(500);
    expect(errors).toEqual([]);
    await close();
  });
});
