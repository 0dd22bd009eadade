/** Present mode, embedded figures and paper: each figure whole, live, and without what is around it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import { by, launch, openPage, servePage, takePicture, type ServedPage } from "./support.ts";

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function open(address = "", options = {}) {
  const opened = await openPage(browser, site.url + address, options);
  await by(opened.page, "opening-turn").first().waitFor();
  await opened.page
    .locator("[data-testid=recording][data-state=shown]")
    .waitFor({ state: "attached" });
  return opened;
}

const shows = (page: Page) => by(page, "present").getAttribute("data-figure-shows");
/** Whether the page is wider than the window. */
const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Buttons of the bar that lie over one another. */
function overlapping(bar: Element): string[] {
  const boxes = [...bar.querySelectorAll("button")].map((button) => ({
    name: button.textContent,
    ...button.getBoundingClientRect().toJSON(),
  }));
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.name} and ${b.name}`),
  );
}

describe("present mode", () => {
  it("shows one figure after another by keys, live, and gives the page back", async () => {
    const { page, errors, close } = await open("#v1/nano?optimisation.iterations=30");
    await page.keyboard.press("F");
    await by(page, "present").waitFor();
    await expect.poll(() => shows(page)).toBe("opening");
    await expect.poll(() => by(page, "run-bar").isVisible()).toBe(false);
    expect(await axeFaults(page)).toEqual([]);
    await takePicture(page, "present.png");
    await page.keyboard.press("2");
    await by(page, "opening-verdict")
      .getByText(/raised the expected reward/)
      .waitFor();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => shows(page)).toBe("learned");
    await expect.poll(() => by(page, "opening").isVisible()).toBe(false);
    await page.locator(".present-run button").press("Enter");
    await by(page, "present-state")
      .getByText(/Live, iteration [1-9]/)
      .waitFor();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => shows(page)).toBe("opening");
    await page.keyboard.press("Escape");
    await by(page, "present").waitFor({ state: "detached" });
    await expect.poll(() => by(page, "run-bar").isVisible()).toBe(true);
    // The guess is still there: the figure was the page's own.
    await expect
      .poll(() => by(page, "opening-verdict").textContent())
      .toMatch(/raised the expected reward/);
    expect(errors).toEqual([]);
    await close();
  });

  it.each([
    { name: "projector", viewport: { width: 853, height: 480 } },
    { name: "phone", viewport: { width: 390, height: 844 } },
    { name: "narrow", viewport: { width: 320, height: 640 } },
  ])("$name: every figure fits the window's width", async ({ viewport }) => {
    const { page, close } = await open("", { viewport });
    await page.keyboard.press("F");
    await by(page, "present").waitFor();
    expect(await page.getByTestId("present").evaluate(overlapping)).toEqual([]);
    const count = Number((await page.locator(".present-count").textContent())!.split(" ").at(-1));
    expect(count).toBeGreaterThan(2);
    // The first is shown twice: what it hides is a step of its own.
    for (let i = 0; i <= count; i++) {
      await expect.poll(() => sideways(page)).toBe(false);
      await page.keyboard.press("ArrowRight");
    }
    await close();
  });
});

it("an embedded figure comes without header and bar, with a way to the page", async () => {
  const { page, errors, close } = await open("?embed=opening#v1/nano?seed=3");
  await page.locator("html[data-embed=opening]").waitFor();
  await expect.poll(() => page.locator(".page-header").isVisible()).toBe(false);
  await expect.poll(() => by(page, "run-bar").isVisible()).toBe(false);
  await expect.poll(() => by(page, "experiment").isVisible()).toBe(false);
  const href = await by(page, "embed").getByRole("link").getAttribute("href");
  expect(href).toMatch(/#v1\/nano\?seed=3$/);
  expect(href).not.toContain("embed");
  // Its numbers are the recorded run's, and it says so there, too.
  await expect.poll(() => by(page, "another-run").textContent()).toMatch(/Seed 3/);
  const top = await by(page, "opening").evaluate((element) => element.getBoundingClientRect().top);
  expect(top).toBeLessThan(120);
  expect(await axeFaults(page)).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

it.each(["#v1/nano?view=lens", "#v1/nano?view=lens&layout=critic", "#glossary"])(
  "a panel that is behind others, or elsewhere, comes to the front where it is embedded: %s",
  async (hash) => {
    const { page, errors, close } = await openPage(
      browser,
      `${site.url}?embed=doctor-panel${hash}`,
    );
    await page.locator("html[data-embed=doctor-panel]").waitFor();
    await by(page, "doctor-panel").waitFor();
    await expect.poll(() => by(page, "run-bar").isVisible()).toBe(false);
    expect(errors).toEqual([]);
    await close();
  },
);

it("present mode says the iteration that its figures show", async () => {
  const { page, close } = await openPage(browser, `${site.url}#v1/nano?view=lens&at=grpo,51,20,1`);
  await by(page, "ribbon-panel").waitFor();
  await page.keyboard.press("F");
  await by(page, "present-state")
    .getByText(/iteration 51 of 100/)
    .waitFor();
  await close();
});

it("paper has every figure, drawn, and no bars", async () => {
  const { page, close } = await open("", { colorScheme: "dark" });
  // A4 less its margins, in CSS pixels; the page is never scrolled.
  await page.setViewportSize({ width: 703, height: 1000 });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("light");
  for (const gone of [".page-header", ".run-bar"])
    await expect.poll(() => page.locator(gone).isVisible()).toBe(false);
  for (const figure of await page.locator("main [data-figure]").all()) {
    await expect.poll(() => figure.isVisible()).toBe(true);
    const cut = await figure.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(cut).toBeLessThanOrEqual(1);
  }
  // Far below, and drawn all the same.
  const curves = by(page, "curves-panel");
  await expect.poll(() => curves.locator("[data-covered]").count()).toBe(0);
  await curves.locator("svg path").first().waitFor({ state: "attached" });
  expect((await page.pdf({ format: "A4", printBackground: true })).length).toBeGreaterThan(20_000);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await close();
});
