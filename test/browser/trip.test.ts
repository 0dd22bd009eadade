/** The shop's trip in a real Chromium, over the run that the page ships: what is in sight in each window, and by keyboard alone. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import { by, launch, openPage, servePage, takePicture, type ServedPage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function open(options: BrowserContextOptions) {
  const opened = await openPage(browser, `${site.url}#shop`, options);
  await by(opened.page, "trip").waitFor();
  await by(opened.page, "bar-name").waitFor();
  return opened;
}

const DESK = { viewport: { width: 1440, height: 900 } };
const LAPTOP = { viewport: { width: 1280, height: 720 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Drawn for two windows, in pixels: a part, and its width (0: not asked) and height. */
const AREAS = {
  desk: {
    ".thumb": [127, 184],
    "[data-row=grpo]": [0, 72],
    "[data-row=token-ppo]": [0, 72],
    "[data-row=turn-ppo]": [0, 72],
    "[data-row=truth]": [0, 88],
    "[data-row=shares]": [0, 32],
    "[data-testid=trip-say]": [0, 54],
  },
  laptop: {
    ".thumb": [114, 152],
    "[data-row=grpo]": [0, 49],
    "[data-row=token-ppo]": [0, 49],
    "[data-row=turn-ppo]": [0, 49],
    "[data-row=truth]": [0, 56],
    "[data-row=shares]": [0, 24],
    "[data-testid=trip-say]": [0, 46],
  },
} as const;

/** Top of each part: none moves when something is guessed. */
const tops = (page: Page) =>
  page
    .locator(".trip-row, .thumb, .trip-say, .trip-goal")
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));

/** Texts that reach out of their cell, and bars over their number. */
const crowded = (page: Page) =>
  page.locator(".trip-row > *").evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const box = cell.getBoundingClientRect();
      const out = [...cell.querySelectorAll("small, strong, .trip-number, .trip-method, .thumb")]
        .filter((part) => part.closest(".thumb") === null || part.matches(".thumb"))
        .filter((part) => {
          const { left, right, top, bottom } = part.getBoundingClientRect();
          const over = Math.max(
            box.left - left,
            right - box.right,
            box.top - top,
            bottom - box.bottom,
          );
          return right > left && over > 1;
        });
      const bar = cell.querySelector(".signed-bars i")?.getBoundingClientRect();
      const number = cell.querySelector(".trip-number")?.getBoundingClientRect();
      const isOver = bar && number && bar.height > 0 && bar.bottom > number.top + 1;
      return [...out.map((part) => part.textContent), ...(isOver ? ["a bar over its number"] : [])];
    }),
  );

const WINDOWS = { desk: DESK, laptop: LAPTOP } as const;

describe.each(["desk", "laptop"] as const)("on a %s", (name) => {
  it("shows pages, credits, truth and the answer in one screen, each in its area", async () => {
    const { page, errors, close } = await open(WINDOWS[name]);
    const scrolled = () =>
      page.evaluate(() => {
        const { scrollHeight, scrollWidth } = document.documentElement;
        return [scrollHeight - innerHeight, scrollWidth - innerWidth];
      });
    await expect.poll(scrolled).toEqual([0, 0]);
    for (const [part, [width, height]] of Object.entries(AREAS[name])) {
      const box = (await page.locator(part).first().boundingBox())!;
      if (width > 0) expect(Math.round(box.width), part).toBe(width);
      expect(Math.round(box.height), part).toBe(height);
    }
    // Title and goal.
    const [title, goal] = await Promise.all([
      page.locator("h1").boundingBox(),
      by(page, "trip-goal").boundingBox(),
    ]);
    expect(goal!.y + goal!.height - title!.y).toBeLessThanOrEqual(66);
    expect(await crowded(page)).toEqual([]);
    for (const row of ["grpo", "token-ppo", "turn-ppo"])
      expect(await page.locator(`[data-row=${row}] .trip-number`).count(), row).toBe(
        await by(page, "trip-turn").count(),
      );
    const before = await tops(page);
    expect(await page.locator(".trip-here").count()).toBe(0);
    await page.keyboard.press("2");
    await expect.poll(() => by(page, "trip-say").textContent()).toMatch(/^(Yes|Not turn 2): turn/);
    expect(await tops(page)).toEqual(before);
    expect(await crowded(page)).toEqual([]);
    await expect.poll(scrolled).toEqual([0, 0]);
    expect(await page.locator("[data-row=truth] .trip-number").count()).toBe(
      await by(page, "trip-turn").count(),
    );
    await takePicture(page, `trip-${name}.png`);
    expect(errors).toEqual([]);
    await close();
  });
});

describe("by keyboard alone", () => {
  it("is guessed, walked through, opened at full size, and followed into the lens", async () => {
    const { page, errors, close } = await open(DESK);
    const here = () => page.locator(".trip-heads [aria-current=true]").textContent();
    const attempt = () =>
      page.locator(".trip-tries [aria-pressed=true]").getAttribute("aria-label");
    await expect.poll(() => by(page, "bar-name").textContent()).toBe("shop");
    await page.keyboard.press("ArrowRight");
    await expect.poll(here).toBe("Turn 1");
    await page.keyboard.press("ArrowRight");
    await expect.poll(here).toBe("Turn 2");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(here).toBe("Turn 1");
    // A guess moves the cursor to the turn that the answer speaks of; afterwards digits go to a turn.
    await page.keyboard.press("3");
    await page.locator("[data-row=truth] .trip-number").first().waitFor();
    const [, best] = /turn (\d)/.exec(
      (await by(page, "trip-say").textContent())!.replace("Not turn 3", ""),
    )!;
    await expect.poll(here).toBe(`Turn ${best}`);
    await page.keyboard.press("4");
    await expect.poll(here).toBe("Turn 4");
    await page.locator("h1").focus();
    await page.keyboard.press("Enter");
    await by(page, "trip-full").locator("[data-testid=shop-page]").waitFor();
    await expect.poll(() => by(page, "trip-full").locator("h2").textContent()).toBe("Turn 4");
    await page.keyboard.press("Escape");
    await expect.poll(() => by(page, "trip-full").count()).toBe(0);
    const first = await attempt();
    await page.keyboard.press("l");
    await expect.poll(attempt).not.toBe(first);
    // Another attempt asks again.
    await by(page, "trip").getByText("Your turn").waitFor();
    await page.keyboard.press("h");
    await expect.poll(attempt).toBe(first);
    await page.locator("[data-row=truth] .trip-number").first().waitFor();
    await page.keyboard.press("p");
    await expect.poll(here).toBe("Turn 2");
    await page.keyboard.press("p");
    await by(page, "trip-play").getByText("Play").waitFor();
    const at = (await here())!.replace("Turn ", "");
    await page.keyboard.press("v");
    await page.waitForURL(new RegExp(`#lesson/shop/shop\\?.*view=lens.*at=[^&]*,${at}(&|$)`));
    await by(page, "lens").waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});

describe("for everyone", () => {
  it.each([
    ["desk, light", { ...DESK, colorScheme: "light" as const }],
    ["laptop, dark", { ...LAPTOP, colorScheme: "dark" as const }],
    ["phone, light", { ...PHONE, colorScheme: "light" as const }],
    ["phone, dark", { ...PHONE, colorScheme: "dark" as const }],
  ])(
    "%s: no fault before a guess or after, nothing cut off, the answer in sight",
    async (name, look) => {
      const { page, errors, close } = await open(look);
      const cut = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([await axeFaults(page), await cut()]).toEqual([[], 0]);
      await page.locator(".trip .guess-cover").nth(1).click();
      const say = by(page, "trip-say");
      await say.getByText("Open in the lens").waitFor();
      const bar = (await page.locator(".run-bar").boundingBox())!;
      await expect
        .poll(async () => {
          const box = (await say.boundingBox())!;
          return box.y + box.height;
        })
        .toBeLessThanOrEqual(bar.y + 1);
      // The focus is on the page that the answer speaks of.
      await expect
        .poll(() => page.evaluate(() => document.activeElement!.getAttribute("aria-pressed")))
        .toBe("true");
      expect([await axeFaults(page), await cut()]).toEqual([[], 0]);
      await takePicture(page, `trip-${name.replace(", ", "-")}.png`, { fullPage: true });
      expect(errors).toEqual([]);
      await close();
    },
  );
});
