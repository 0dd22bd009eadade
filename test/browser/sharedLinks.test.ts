/** A shared link never shows another run's numbers as its own: the page says whose numbers it shows. What it says of which link is in ../dom. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
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

async function open(address: string) {
  const opened = await openPage(browser, site.url + address);
  const known = [
    "[data-testid=recording]:not([data-state=loading])",
    "[data-recording]:not([data-recording=loading])",
  ];
  await opened.page.locator(known.join()).first().waitFor({ state: "attached" });
  return opened;
}

const notice = (page: Page) => by(page, "another-run");

it.each([
  ["in the notebook", "#v1/nano?seed=7&algorithms=grpo"],
  ["in the lens", "#v1/nano?seed=7&view=lens&at=turn-ppo,12,1,4"],
])("a link to a run with other settings says so in order for axe, %s", async (_, hash) => {
  const { page, errors, close } = await open(`${hash}&iterations=9`);
  await notice(page).waitFor();
  expect(await axeFaults(page, { within: "[data-testid=another-run]" })).toEqual([]);
  await by(page, "run").click();
  await page.locator("[data-testid=run-bar][data-run-iteration='9']").waitFor();
  await expect.poll(() => notice(page).count()).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("a link to a run with other settings says so as the recorded run comes: what is below does not move later", async () => {
  const { page, close } = await openPage(browser, "about:blank");
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/runs\/nano\//, (route) => released.then(() => route.continue()));
  const part = page.waitForResponse(/AnotherRunNotice/);
  await page.goto(`${site.url}#v1/nano?seed=7&view=lens`);
  // No numbers are there yet, and the words about them are.
  await (await part).finished();
  await by(page, "lens").waitFor();
  expect(await notice(page).count()).toBe(0);
  const moved = page.evaluate(async (shown) => {
    const bar = () => document.querySelector(".layout-bar")!.getBoundingClientRect().y;
    await new Promise<void>((resolve) => {
      const look = () => document.querySelector(shown) && (watch.disconnect(), resolve());
      const watch = new MutationObserver(look);
      watch.observe(document.body, { subtree: true, childList: true, attributes: true });
      look();
    });
    const before = bar();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return bar() - before;
  }, "[data-recording=shown]");
  release();
  await notice(page).waitFor();
  expect(await moved).toBe(0);
  await close();
});

it.each(["?embed=opening#v1/nano?seed=7", "?embed=learned#v1/nano?seed=7"])(
  "a figure in another page says so above it, %s",
  async (address) => {
    const { page, close } = await openPage(browser, site.url + address);
    await page.locator("[data-figure-shown]").waitFor();
    await notice(page).waitFor();
    await expect.poll(() => notice(page).isVisible()).toBe(true);
    await expect.poll(() => page.locator(".page-header").isVisible()).toBe(false);
    await close();
  },
);

it("a link with curves shows the sender's as broad bands behind the reader's lines, in order for axe", async () => {
  const sender = await openPage(browser, `${site.url}#v1/nano?iterations=20`);
  await by(sender.page, "run").click();
  await sender.page.locator("[data-testid=run-bar][data-run-state=finished]").waitFor();
  await by(sender.page, "copy-link").click();
  await by(sender.page, "link-curves").check();
  const link = () => by(sender.page, "copied").getAttribute("data-link");
  await expect.poll(link).toContain("curves=reward");
  const { hash } = new URL((await link())!);
  await sender.close();
  const { page, errors, close } = await openPage(browser, site.url + hash);
  const band = by(page, "shared-reward").locator("[data-curve=sender-grpo] path").first();
  await band.waitFor({ state: "attached" });
  await expect.poll(() => band.getAttribute("stroke-width")).toBe("7");
  await takePicture(page, "shared-before.png");
  await by(page, "run-shared").click();
  await page.locator("[data-testid=verdict][data-kind=exact]").waitFor();
  await by(page, "shared-reward")
    .locator("[data-curve=grpo] path")
    .first()
    .waitFor({ state: "attached" });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFaults(page, { within: "[data-testid=shared-run]" })).toEqual([]);
    await takePicture(page, `shared-${colorScheme}.png`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await takePicture(page, "shared-phone.png");
  const overflow = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  await expect.poll(overflow).toBe(0);
  expect(errors).toEqual([]);
  await close();
});

it("a link to a place in its own run shows the recorded run as what it is", async () => {
  const { page, close } = await open("#v1/nano-fair?view=lens&at=turn-ppo,12,1,4");
  await by(page, "bar-state").getByText("Recorded run").waitFor();
  await expect.poll(() => notice(page).count()).toBe(0);
  await close();
});
