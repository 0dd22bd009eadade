/** The lens as a whole in a real Chromium: where it starts, its bar, its keys, and a run that begins. */
import type { Browser, BrowserContextOptions, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { words } from "../../src/panels/lens/words.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { axeFaults } from "./axe.ts";
import { by, launch, openPage, type ServedPage, servePage, takePicture } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  browser = await launch();
  // Only the third episode and those after it have a second turn.
  const recording = creditRecording((episode) => {
    const [turn] = episode.turns;
    return { ...episode, turns: episode.trajectory < 2 ? [turn!] : [turn!, turn!, turn!] };
  });
  site = await servePage({ worker: "fake", recording });
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

async function open(options: BrowserContextOptions = {}, rest = "") {
  const opened = await openPage(browser, `${site.url}#v1/nano?view=lens${rest}`, options);
  await opened.page.locator("[data-testid=recording][data-state=shown]").waitFor();
  await by(opened.page, "cursor").waitFor();
  return opened;
}

const isCovered = async (drawing: Locator) => (await drawing.getAttribute("data-covered")) !== null;

/** Brings it into view; what of it can be seen, picture by picture. */
async function seenOf(drawing: Element): Promise<string[]> {
  const pictures: string[] = [];
  drawing.scrollIntoView({ block: "center" });
  for (let i = 0; i < 60; i++) {
    await new Promise(requestAnimationFrame);
    const hidden = getComputedStyle(drawing).opacity === "0";
    pictures.push(hidden ? "" : drawing.textContent);
  }
  return pictures;
}

describe("the lens", () => {
  it("starts on an episode with a second turn, and has the keys of turns on its summaries", async () => {
    const { page, errors, close } = await open();
    const bar = by(page, "cursor");
    await bar.getByText("Turn 1 of 3").waitFor();
    // GRPO's first group earned the same; of the second every method has something to say.
    await expect.poll(() => page.url()).toContain("at=grpo,,5,1");
    // The page's heading has the focus at first.
    await page.keyboard.press("j");
    await bar.getByText("Turn 2 of 3").waitFor();
    await page.keyboard.press("k");
    await bar.getByText("Turn 1 of 3").waitFor();
    expect(await bar.getByTestId("turns-episode").textContent()).not.toContain("Episode 1 ");
    await page.locator("details[data-panel=group] > summary").focus();
    await page.keyboard.press("j");
    await bar.getByText("Turn 2 of 3").waitFor();
    await page.keyboard.press("?");
    await by(page, "help-dialog").waitFor();
    await page.keyboard.press("Escape");
    await by(page, "help-dialog").waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await bar.getByText("Turn 3 of 3").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("goes to a panel from its bar", async () => {
    const { page, errors, close } = await open({}, "&at=turn-ppo,1,99,1");
    expect(await by(page, "cursor-missed").textContent()).toContain("There is no episode 99 here");
    await page.keyboard.press("G");
    await page.keyboard.type("Clip");
    await page.keyboard.press("Enter");
    await by(page, "clip-panel").waitFor();
    await by(page, "go-panel").selectOption("critic");
    await by(page, "go").click();
    await by(page, "critic-panel").waitFor();
    const focused = () => document.activeElement?.closest("details")?.dataset["panel"];
    expect(await page.evaluate(focused)).toBe("critic");
    expect(await axeFaults(page, { within: ".cursor-bar" })).toEqual([]);
    await takePicture(by(page, "cursor"), "lens-bar.png");
    expect(errors).toEqual([]);
    await close();
  });

  it("shows one panel alone, from its button, by key, and from a link that keeps how it is set", async () => {
    const { page, errors, close } = await open({ viewport: { width: 1280, height: 720 } });
    const header = page.locator(".page-header");
    const entries = () => page.evaluate(() => history.length);
    const address = async (part: RegExp) =>
      expect.poll(() => page.evaluate(() => location.hash), { timeout: 5000 }).toMatch(part);
    const before = await entries();
    await page.locator("details[data-panel=credits] > summary").click();
    await by(page, "credits-ratio").check();
    await by(page, "credits-token").check();
    await by(page, "alone-credits").click();
    await header.waitFor({ state: "hidden" });
    expect(await by(page, "curves-panel").isVisible()).toBe(false);
    await address(/&open=credits&alone=credits&credits:quantity=ratio&credits:grain=token$/);
    expect(await entries()).toBe(before);
    // As a frame in another page would open it, with a setting that there is not.
    await page.evaluate(() => (location.hash += "&credits:dance=on"));
    await page.reload();
    await by(page, "credits-panel").waitFor();
    expect(await by(page, "curves-panel").count()).toBe(0);
    expect(await by(page, "credits-ratio").isChecked()).toBe(true);
    expect(await by(page, "credits-token").isChecked()).toBe(true);
    const warnings = page.locator(".lens-section.alone [data-testid=warnings]");
    expect(await warnings.textContent()).toContain("credits:dance is not a setting of the lens");
    // Its keys work at once; the line of the turn is all that is left of the bar.
    const bar = page.locator(".cursor-turn");
    await bar.getByText("Turn 1 of 3").waitFor();
    const focused = () => (document.activeElement as HTMLElement).dataset["testid"];
    expect(await page.evaluate(focused)).toBe("alone-credits");
    await page.keyboard.press("j");
    await bar.getByText("Turn 2 of 3").waitFor();
    await takePicture(page, "lens-alone.png");
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await by(page, "curves-panel").waitFor();
    expect(await header.isVisible()).toBe(true);
    expect(await page.locator("details[data-panel=credits]").getAttribute("open")).not.toBeNull();
    await address(/&open=credits&credits:quantity=ratio&credits:grain=token$/);
    // From the title, which goes out of sight: the keys go on working, and the panel is seen from its top.
    await page.locator("details[data-panel=critic] > summary").focus();
    await page.keyboard.press("z");
    await by(page, "critic-panel").waitFor();
    await header.waitFor({ state: "hidden" });
    await bar.getByText("Turn 2 of 3").waitFor();
    await page.keyboard.press("j");
    await bar.getByText("Turn 3 of 3").waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 800 });
    await takePicture(page, "lens-alone-phone.png");
    await page.keyboard.press("z");
    await header.waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("keeps one line in sight on a phone", async () => {
    const { page, errors, close } = await open({ viewport: { width: 390, height: 800 } });
    await page.locator("details[data-panel=speed] > summary").scrollIntoViewIfNeeded();
    const forward = page.getByRole("button", { name: words.next(words.turn) });
    expect(await forward.count()).toBe(1);
    const box = (await page.locator(".cursor-turn").boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeLessThan(20);
    expect(box.height).toBeLessThan(60);
    await takePicture(page, "lens-phone.png");
    expect(errors).toEqual([]);
    await close();
  });

  it("says what it waits for while a run starts, and shows the old one nowhere when it has", async () => {
    const { page, errors, close } = await open({}, "&optimisation.iterations=50&open=ribbon");
    const drawing = page.locator("[data-testid=ribbon-panel] > div");
    // As what is above it is drawn, it moves down again.
    const bring = () => drawing.scrollIntoViewIfNeeded();
    await expect.poll(async () => (await bring(), drawing.textContent())).toContain("Turn 1");
    await expect.poll(async () => (await bring(), isCovered(drawing))).toBe(false);
    const old = (await drawing.textContent())!;
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByTestId("pace").selectOption("4000");
    await by(page, "run").click();
    await by(page, "cursor-waiting").waitFor();
    expect(await by(page, "cursor-waiting").textContent()).toMatch(
      /^Waiting for the first.*Turn-PPO/,
    );
    expect(await by(page, "turns-panel").textContent()).toContain("Waiting for the first");
    expect(await page.getByText("recorded no episodes").count()).toBe(0);
    await by(page, "turn").first().waitFor();
    expect(await by(page, "cursor-waiting").count()).toBe(0);
    // Below the screen it stays as it was, but none of it is seen.
    expect(await isCovered(drawing)).toBe(true);
    expect(await drawing.textContent()).toBe(old);
    const seen = await drawing.evaluate(seenOf);
    expect(seen).not.toContain(old);
    expect(seen.at(-1)).toContain("Turn 1");
    expect(errors).toEqual([]);
    await close();
  });
});
