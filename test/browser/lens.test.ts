/** The lens as a whole in a real Chromium: where it starts, its bar, its keys, and a run that begins. */
import type { Browser, BrowserContextOptions, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { words } from "../../src/panels/lens/words.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { axeFaults } from "./axe.ts";
import { traceDuring } from "./mainThread.ts";
import {
  by,
  launch,
  openPage,
  type ServedPage,
  servePage,
  takePicture,
  shownRecording,
} from "./support.ts";

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
  await shownRecording(opened.page).waitFor();
  await by(opened.page, "cursor").waitFor();
  return opened;
}

const isCovered = async (drawing: Locator) => (await drawing.getAttribute("data-covered")) !== null;

/** Brings its pane to the front; what of it can be seen, picture by picture. */
async function seenOf(drawing: Element): Promise<string[]> {
  const pictures: string[] = [];
  document.querySelector<HTMLElement>("[data-tab=ribbon]")!.click();
  for (let i = 0; i < 60; i++) {
    await new Promise(requestAnimationFrame);
    const hidden = getComputedStyle(drawing).opacity === "0";
    pictures.push(hidden ? "" : drawing.textContent);
  }
  return pictures;
}

/** Adds and removes an element in a part of the page, each followed by its styles. */
async function addAndRemove(part: Element): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const added = document.createElement("p");
  for (const change of [() => part.append(added), () => added.remove()]) {
    await frame();
    change();
    document.body.getBoundingClientRect();
  }
  await frame();
}

describe("the lens", () => {
  it("styles no more than a part that has changed: a :has() on what holds all would style all of it", async () => {
    const { page, errors, close } = await open();
    for (const panel of ["story", "ribbon", "credits", "formula"]) {
      const part = page.locator(`[data-panel=${panel}] .panel`).first();
      await part.waitFor();
      // Others are drawn, too, while it is looked at.
      const restyled = async () =>
        (await traceDuring(browser, page, () => part.evaluate(addAndRemove))).restyled;
      await expect.poll(restyled).toBeLessThan(60);
    }
    expect(await page.locator("#content *").count()).toBeGreaterThan(800);
    expect(errors).toEqual([]);
    await close();
  });

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
    await expect
      .poll(() => bar.getByTestId("turns-episode").textContent())
      .not.toContain("Episode 1 ");
    await page.locator("details[data-panel=turns] > summary").focus();
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

  it("goes to a panel from its bar, by keyboard alone", async () => {
    const { page, errors, close } = await open({}, "&at=turn-ppo,1,99,1");
    await expect.poll(() => by(page, "cursor-missed").textContent()).toContain("episode 99");
    const focused = () =>
      document.activeElement?.closest<HTMLElement>("[data-pane]")?.dataset["pane"];
    await page.keyboard.press("G");
    await page.keyboard.press("Enter");
    await page.locator("[role=menu]:focus, [role=menu] :focus").waitFor();
    await page.keyboard.type("Clip");
    // The menu moves the focus in a task of its own.
    await page.locator("[data-go=clip]:focus").waitFor();
    await page.keyboard.press("Enter");
    await by(page, "clip-panel").waitFor();
    await expect.poll(() => page.evaluate(focused)).toBe("health");
    await by(page, "go-panel").click();
    await page.locator("[data-go=critic]").click();
    await by(page, "critic-panel").waitFor();
    await expect.poll(() => page.evaluate(focused)).toBe("critic");
    expect(await axeFaults(page, { within: ".cursor-bar" })).toEqual([]);
    expect(await axeFaults(page, { within: ".layout-bar" })).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("shows one panel alone, from its button, by key, and from a link that keeps how it is set", async () => {
    const { page, errors, close } = await open({ viewport: { width: 1280, height: 720 } });
    const header = page.locator(".page-header");
    const entries = () => page.evaluate(() => history.length);
    const address = async (part: RegExp) =>
      expect.poll(() => page.evaluate(() => location.hash)).toMatch(part);
    const before = await entries();
    // In a low pane behind its button.
    await by(page, "options-credits").click();
    await by(page, "credits-ratio").check();
    await by(page, "credits-token").check();
    await by(page, "alone-credits").click();
    await header.waitFor({ state: "hidden" });
    await expect.poll(() => by(page, "ribbon-panel").isVisible()).toBe(false);
    // The way back is not under the bar of the cursor.
    await page.locator(".lens-section.alone .lens-alone").click({ trial: true });
    await address(/lens&at=grpo,,5,1&alone=credits&credits:quantity=ratio&credits:grain=token$/);
    await expect.poll(() => entries()).toBe(before);
    // As a frame in another page would open it, with a setting that there is not.
    await page.evaluate(() => (location.hash += "&credits:dance=on"));
    await page.reload();
    await by(page, "credits-panel").waitFor();
    await expect.poll(() => by(page, "ribbon-panel").count()).toBe(0);
    await expect.poll(() => by(page, "credits-ratio").isChecked()).toBe(true);
    await expect.poll(() => by(page, "credits-token").isChecked()).toBe(true);
    const warnings = page.locator(".lens-section.alone [data-testid=warnings]");
    await expect
      .poll(() => warnings.textContent())
      .toContain("credits:dance is not a setting of the lens");
    // Its keys work at once; the cursor is all that is left beside it.
    const bar = by(page, "cursor");
    await bar.getByText("Turn 1 of 3").waitFor();
    const focused = () => (document.activeElement as HTMLElement).dataset["testid"];
    await expect.poll(() => page.evaluate(focused)).toBe("alone-credits");
    await page.keyboard.press("j");
    await bar.getByText("Turn 2 of 3").waitFor();
    await takePicture(page, "lens-alone.png");
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await by(page, "ribbon-panel").waitFor();
    await expect.poll(() => header.isVisible()).toBe(true);
    await address(/lens&at=grpo,,5,2&credits:quantity=ratio&credits:grain=token$/);
    // From its pane: the keys go on working.
    await page.locator("[data-pane=formula]").focus();
    await page.keyboard.press("z");
    await header.waitFor({ state: "hidden" });
    await expect.poll(() => by(page, "formula-panel").isVisible()).toBe(true);
    await bar.getByText("Turn 2 of 3").waitFor();
    await page.keyboard.press("j");
    await bar.getByText("Turn 3 of 3").waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 800 });
    await takePicture(page, "lens-alone-phone.png");
    await page.keyboard.press("z");
    await header.waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("has one pane at a time on a phone, and its cursor in one line in sight", async () => {
    const { page, errors, close } = await open({ viewport: { width: 390, height: 800 } });
    await by(page, "ribbon-panel").waitFor();
    await expect.poll(() => page.locator(".pane").count()).toBe(1);
    await by(page, "go-panel").click();
    await page.locator("[data-go=credits]").click();
    await by(page, "credits-panel").waitFor();
    await expect.poll(() => by(page, "ribbon-panel").isVisible()).toBe(false);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const forward = page.getByRole("button", { name: words.next(words.turn) });
    await expect.poll(() => forward.count()).toBe(1);
    const box = (await by(page, "cursor").boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeLessThan(20);
    expect(box.height).toBeLessThan(60);
    // Nothing is wider than the screen.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await takePicture(page, "lens-phone.png");
    expect(errors).toEqual([]);
    await close();
  });

  it("says what it waits for while a run starts, and shows the old one nowhere when it has", async () => {
    const { page, errors, close } = await open(
      {},
      "&optimisation.iterations=50&layout=r(50-curves~50-ribbon.run)&open=turns",
    );
    const drawing = page.locator("[data-testid=ribbon-panel] > div");
    await expect.poll(() => drawing.textContent()).toContain("Turn 1");
    await expect.poll(() => isCovered(drawing)).toBe(false);
    const old = (await drawing.textContent())!;
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByTestId("pace").selectOption("4000");
    await by(page, "run").click();
    await by(page, "cursor-waiting").waitFor();
    await expect
      .poll(() => by(page, "cursor-waiting").textContent())
      .toMatch(/^Waiting for the first.*Turn-PPO/);
    await expect.poll(() => page.getByText("recorded no episodes").count()).toBe(0);
    // Seen: the rest need not take four seconds each.
    await page.getByTestId("pace").selectOption("1000");
    await expect.poll(() => by(page, "cursor-waiting").count()).toBe(0);
    // Behind a tab it stays as it was, but none of it is seen.
    expect(await isCovered(drawing)).toBe(true);
    await expect.poll(() => drawing.textContent()).toBe(old);
    const seen = await drawing.evaluate(seenOf);
    expect(seen).not.toContain(old);
    expect(seen.at(-1)).toContain("Turn 1");
    expect(errors).toEqual([]);
    await close();
  });
});
