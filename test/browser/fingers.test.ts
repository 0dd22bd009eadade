/** On a touch screen every control is 44 px high or answers to a finger as far as that: of lens, lessons, notebooks and algorithms. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { by, launch, openPage, openPanel, type ServedPage, servePage } from "./support.ts";

let browser: Browser;
let site: ServedPage;
beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Less what rounding takes. */
const TALL = 43.5;

/** In the page: controls that are smaller, but for words of a running text, by what they are. */
function small(tall: number): string[] {
  const controls = "button:not(.term, .token-chip), select, input, summary, [role=tab]";
  const found = new Set<string>();
  for (const one of document.querySelectorAll<HTMLInputElement>(controls)) {
    const isShown = one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!isShown || one.closest(".visually-hidden, [aria-hidden=true]")) continue;
    one.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    if (Math.min(width, height) < 2 || height >= tall) continue;
    const answers = (by: number) => {
      const at = document.elementFromPoint(left + width / 2, top + height / 2 + by);
      return at !== null && (one.contains(at) || one.labels?.[0]?.contains(at) === true);
    };
    if (answers(2 - tall / 2) && answers(tall / 2 - 2)) continue;
    const name = one.dataset["testid"] ?? one.closest("[class]")!.className;
    found.add(`${name}: ${Math.round(height)} px, ${one.textContent.trim().slice(0, 20)}`);
  }
  return [...found];
}

const toStep = (step: number) => async (page: Page) => {
  await by(page, "lesson").waitFor();
  for (let i = 0; i < step; i++) await by(page, "lesson-next").click();
  await expect.poll(() => page.locator(".lesson [aria-busy=true]").count()).toBe(0);
};

const PLACES: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ["#v1/nano?view=lens", (page) => openPanel(page, "formula")],
  ["#v1/nano?view=lens", (page) => openPanel(page, "group")],
  ["#algorithms", (page) => page.locator("table").first().waitFor()],
  ["#lesson/clip", toStep(2)],
  ["#lesson/shop", toStep(2)],
  [
    "#notebooks",
    async (page) => {
      await by(page, "new-notebook").click();
      await by(page, "add-code").last().click();
      await page.locator(".cm-focused").waitFor();
    },
  ],
];

it.each(PLACES)("%s", async (hash, arrange) => {
  const { page, errors, close } = await openPage(browser, `${site.url}${hash}`, {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await arrange(page);
  const all = expect.poll(() => page.evaluate(small, TALL), { timeout: 15_000 });
  await all.toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
