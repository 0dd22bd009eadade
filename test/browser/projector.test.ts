/** Lessons on a projector: each step fits, whole or piece by piece; a panel that does not is paged by the same key. Panels have type of 24 px. */
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

/** Pixels of type that a hall can read, less what rounding takes. */
const LEGIBLE = 23.5;

interface Seen {
  /** The step, and the cell or the kind of text that is shown of it. */
  place: string;
  name: string;
  /** Pixels below the top of the bar. */
  over: number;
  wide: number;
  /** Text of the figures that is smaller, with its pixels. */
  small: string[];
}

const look = (page: Page): Promise<Seen> =>
  page.evaluate(async (legible) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const height = () => document.querySelector("[data-figure-shown]")?.clientHeight;
    // Until what is drawn has had one size for longer than a step that is too tall waits before it is split (LOAD_LIMIT of present/figures.ts).
    let before = height();
    let since = performance.now();
    for (let still = 0; still < 10 || performance.now() - since < 300; still++) {
      await frame();
      if (height() === before) continue;
      [before, since, still] = [height(), performance.now(), 0];
    }
    const figure = document.querySelector("[data-figure-shown]")!;
    const bar = document.querySelector(".present-bar")!.getBoundingClientRect();
    const pieces = [...figure.querySelectorAll<HTMLElement>("[data-present-piece]")];
    const name = pieces.map((one) => one.dataset["cell"] ?? one.className.split(" ")[0]).join();
    const texts = [...figure.querySelectorAll<HTMLElement>(".lesson-figures *")].filter(
      (one) =>
        [...one.childNodes].some(
          (node) => node.nodeType === 3 && node.textContent!.trim() !== "",
        ) &&
        one.checkVisibility({ checkVisibilityCSS: true }) &&
        one.getBoundingClientRect().width > 2 &&
        !one.closest(".visually-hidden, .katex"),
    );
    const sized = texts.map((one) => ({
      px: parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom,
      name: `${one.closest<HTMLElement>("[data-cell]")?.dataset["cell"]}: ${one.textContent.slice(0, 20)}`,
    }));
    return {
      small: sized
        .filter(({ px }) => px < legible)
        .map(({ px, name }) => `${name} ${px.toFixed(1)}`),
      place: document.querySelector(".present-dots [aria-current]")!.getAttribute("aria-label")!,
      name: name === "" ? "whole" : name,
      over: Math.round(figure.getBoundingClientRect().bottom - bar.top),
      wide: document.documentElement.scrollWidth - innerWidth,
    };
  }, LEGIBLE);

/** Milliseconds in which a busy machine draws what a figure loads, and splits the step that is then too tall. */
const SETTLES = 20_000;

/** A whole step that is too tall is split, and what cannot be read is made larger: what is seen before that does not last. */
async function settled(page: Page): Promise<Seen> {
  for (const since = performance.now(); ;) {
    const seen = await look(page);
    const isPassing = seen.small.length > 0 || (seen.name === "whole" && seen.over > SLACK);
    if (!isPassing || performance.now() - since > SETTLES) return seen;
  }
}

/** All that a presenter sees by one key, from the lesson's first step to its last. */
async function allOf(page: Page): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (;;) {
    seen.push(await settled(page));
    const isEnd = (await by(page, "present-next").getAttribute("aria-disabled")) === "true";
    if (isEnd || seen.length > 80) return seen;
    await page.keyboard.press("ArrowRight");
  }
}

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
];

async function expectFits(page: Page): Promise<void> {
  const seen = await allOf(page);
  expect(new Set(seen.map(({ place }) => place)).size).toBeGreaterThan(4);
  expect(seen.filter(({ wide }) => wide > 0).map(({ place, name }) => `${place}: ${name}`)).toEqual(
    [],
  );
  // The next key shows the rest of what is too tall.
  const cut = seen.filter(({ over, place, name }, i) => {
    const next = seen[i + 1];
    return over > SLACK && (next?.place !== place || next.name !== name || next.over >= over);
  });
  expect(cut.map(({ place, name, over }) => `${place}: ${name}, ${over} px`)).toEqual([]);
  expect(seen.flatMap(({ small }) => small)).toEqual([]);
}

it.each(COURSE)("%s", async (lesson) => {
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/${lesson}`, {
    viewport: SIZES[0]!,
  });
  await by(page, "lesson").waitFor();
  await page.keyboard.press("F");
  await by(page, "present").waitFor();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await by(page, "present-dot").first().click();
    await expectFits(page);
    await takePicture(page, `projector/${lesson}-${size.width}.png`);
  }
  expect(errors).toEqual([]);
  await close();
});
