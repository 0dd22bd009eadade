/** The conversation of a model that thinks in words: its keys, and a phone. */
import { describe, expect, it } from "vitest";
import { words as layouts } from "../../src/app/lens/words.ts";
import { words } from "../../src/figures/tokens/words.ts";
import { talkerRecording } from "../fixtures/talkerRun.ts";
import { lensPanel, LOOKS } from "./lensPanel.ts";
import { words as ask } from "../../src/panels/shared/ask/words.ts";
import { by, openPanel } from "./support.ts";

const panel = lensPanel("tokens", talkerRecording());
const PLACE = "&layout=words&at=token-ppo,2,1,2";

describe("a conversation in words", () => {
  it("opens and folds thoughts by key, and keeps every row in its place", async () => {
    const { page, errors, close } = await panel.open(PLACE);
    const turn = (h: number) => page.locator(`.chat-turn[data-turn="${h}"]`);
    const open = () =>
      page
        .locator(".chat-turn[data-open=true]")
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["turn"]));
    await turn(1).locator(".chat-thought").waitFor();
    await expect.poll(() => open()).toEqual(["1"]);
    const height = (await turn(1).boundingBox())!.height;
    await page.keyboard.press("b");
    await turn(1).locator(".chat-thought-line").waitFor();
    await expect.poll(() => open()).toEqual([]);
    expect((await turn(1).boundingBox())!.height).toBe(height);
    await page.keyboard.press("Shift+B");
    await expect.poll(open).toEqual(["0", "1", "2", "3", "4"]);
    await page.keyboard.press("Shift+B");
    await expect.poll(open).toEqual([]);
    await page.keyboard.press("b");
    await expect.poll(open).toEqual(["1"]);
    await page.keyboard.press("n");
    await turn(1).locator(".token-chip[aria-current]").waitFor();
    await expect(turn(1).getByText(words.marks.says("Down")).count()).resolves.toBe(1);
    await turn(0).getByText(words.marks.misreads).waitFor();
    await turn(3).getByText(words.marks.open).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("hides the truth until a guess by key, and moves no row", async () => {
    const { page, errors, close } = await panel.open(PLACE, LOOKS.light);
    await openPanel(page, "fork");
    await by(page, "fork-panel").getByRole("button", { name: ask.load }).click();
    await page.getByRole("button", { name: layouts.layout.words, exact: true }).click();
    await by(page, "cursor").getByRole("button", { name: ask.truth }).click();
    const table = by(page, "credits-table");
    const truth = table.locator("tr[data-row=truth]");
    await truth.locator(".guess-cover").nth(4).waitFor();
    const rows = () =>
      table.locator("tr").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    const before = await rows();
    await page.keyboard.press("2");
    await expect
      .poll(() => by(page, "credits-table-guess").textContent())
      .toMatch(/^(Not turn 2|Yes).* of continuations solve the task, after it /);
    await expect.poll(() => truth.locator("td.number").count()).toBe(5);
    expect(await rows()).toEqual(before);
    await page.keyboard.press("4");
    await table.locator("th[data-column='4'][aria-current]").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("shows on a phone one turn, chosen by its board", async () => {
    const { page, errors, close } = await panel.open(PLACE, {
      ...LOOKS.phone,
      isMobile: true,
      hasTouch: true,
    });
    const seen = page.locator(".chat-turn:visible");
    await seen.first().waitFor();
    await expect.poll(() => seen.count()).toBe(1);
    const heads = page.locator(".chat-heads button");
    await expect.poll(() => heads.locator("svg:visible").count()).toBeGreaterThan(4);
    for (const target of [heads.nth(3), seen.locator("button.chat-who"), seen.locator("summary")])
      expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await heads.nth(3).click();
    await expect.poll(() => seen.getAttribute("data-turn")).toBe("3");
    expect((await seen.locator(".chat-seen svg").first().boundingBox())!.height).toBeGreaterThan(
      60,
    );
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wide).toBe(0);
    await expect.poll(() => by(page, "tokens-numbers").isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });
});

panel.looks(["phone"], PLACE, (page) => page.locator(".chat-thought").first().waitFor());
