/** Lessons on a projector: each step fits, whole or piece by piece; what does not is named here, and scrolls. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COURSE } from "../../src/app/course/course.ts";
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

/** Pixels that may be hidden behind the bar: padding. */
const SLACK = 10;

/** Cells that are taller than the window in their own size, by lesson: long conversations, and panels of many rows. */
const TALL: Readonly<Record<string, readonly string[]>> = {
  model: ["ribbon"],
  credit: ["truth"],
  critic: ["ribbon"],
  turns: ["ribbon"],
  shop: ["trip", "turns", "paid"],
  clip: ["ribbon"],
  truth: ["ribbon", "gradient"],
  drift: ["ribbon", "clip"],
  shaping: ["ribbon"],
  estimator: ["ribbon"],
  table: ["lesson-kind,,prose,prose,prose"],
};

interface Seen {
  /** The step, and the cell or the kind of text that is shown of it. */
  place: string;
  name: string;
  /** Pixels below the top of the bar. */
  over: number;
  wide: number;
}

const look = (page: Page): Promise<Seen> =>
  page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const height = () => document.querySelector("[data-figure-shown]")?.clientHeight;
    // Until what is drawn has had one size for a while.
    for (
      let still = 0, before = height();
      still < 30;
      still = height() === before ? still + 1 : 0
    ) {
      before = height();
      await frame();
    }
    const figure = document.querySelector("[data-figure-shown]")!;
    const bar = document.querySelector(".present-bar")!.getBoundingClientRect();
    const pieces = [...figure.querySelectorAll<HTMLElement>("[data-present-piece]")];
    const name = pieces.map((one) => one.dataset["cell"] ?? one.className.split(" ")[0]).join();
    return {
      place: document.querySelector(".present-dots [aria-current]")!.getAttribute("aria-label")!,
      name: name === "" ? "whole" : name,
      over: Math.round(figure.getBoundingClientRect().bottom - bar.top),
      wide: document.documentElement.scrollWidth - innerWidth,
    };
  });

/** All that a presenter sees by one key, from the lesson's first step to its last. */
async function allOf(page: Page): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (;;) {
    seen.push(await look(page));
    const isEnd = (await by(page, "present-next").getAttribute("aria-disabled")) === "true";
    if (isEnd || seen.length > 80) return seen;
    await page.keyboard.press("ArrowRight");
  }
}

const WINDOWS = [
  ...COURSE.map((lesson) => ({ lesson, viewport: { width: 1280, height: 720 } })),
  ...["credit", "clip", "shop"].map((lesson) => ({
    lesson,
    viewport: { width: 1920, height: 1080 },
  })),
];

it.each(WINDOWS)("$lesson at $viewport.width x $viewport.height", async ({ lesson, viewport }) => {
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/${lesson}`, {
    viewport,
    own: true,
  });
  await by(page, "lesson").waitFor();
  await page.keyboard.press("F");
  await by(page, "present").waitFor();
  const seen = await allOf(page);
  await takePicture(page, `projector/${lesson}-${viewport.width}.png`);
  expect(new Set(seen.map(({ place }) => place)).size).toBeGreaterThan(4);
  const tall = seen.filter(({ over, wide }) => over > SLACK || wide > 0);
  const known = TALL[lesson] ?? [];
  const others = tall.filter(({ name }) => !known.includes(name));
  expect(others.map(({ place, name, over }) => `${place}: ${name}, ${over} px`)).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
