/** Leaving a run that the browser cannot keep asks once: by key, by reload, and not where there is nothing to lose. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import {
  by,
  launch,
  openPage,
  type PageOptions,
  type ServedPage,
  servePage,
  takePicture,
  WINDOWS,
} from "./support.ts";

let site: ServedPage;
let browser: Browser;

const stateOf = (page: Page) => by(page, "status").getAttribute("data-state");

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** A run under way, eleven seconds after it began: by the page's clock, which is moved on. */
async function openUnderWay(options: PageOptions = {}) {
  const opened = await openPage(browser, "about:blank", { ...options, own: true });
  const { page } = opened;
  await page.clock.install();
  await page.addInitScript(() => {
    // As private windows of some browsers have it.
    IDBFactory.prototype.open = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  });
  await page.goto(`${site.url}#v1/nano?iterations=400`);
  await by(page, "pace").selectOption("1000");
  await by(page, "run").click();
  await expect.poll(() => stateOf(page)).toBe("running");
  // Something to lose.
  await page.locator("[data-testid=origin][data-origin=live]").first().waitFor();
  await page.clock.fastForward(11_000);
  return opened;
}

/** Reloads, and says whether the browser asked; stays where it did. */
async function reloadAsks(page: Page): Promise<boolean> {
  const asked = page.waitForEvent("dialog").then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type() === "beforeunload";
  });
  // If it stays, the reload never ends, so the test does not wait for it.
  const reloaded = page.reload().then(
    () => false,
    () => asked,
  );
  asked.catch(() => {});
  return Promise.race([asked, reloaded]);
}

it("asks before a run of more than 10 s is lost, and never twice", async () => {
  const { page, errors, close } = await openUnderWay();
  await by(page, "not-kept")
    .getByText(/lost with the page: the browser forbids storage/)
    .waitFor();
  expect(await reloadAsks(page)).toBe(true);
  await expect.poll(() => stateOf(page)).toBe("running");
  await by(page, "copy-link").focus();
  await page.keyboard.press("r");
  const dialog = by(page, "leave-dialog");
  await dialog.waitFor();
  // The first button, which has the focus, keeps the run.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe("Keep the run");
  await expect
    .poll(() => page.getByRole("alertdialog", { name: "Discard this run?" }).count())
    .toBe(1);
  // Keys of the page mean nothing in the dialog.
  await page.keyboard.press("r");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => stateOf(page)).toBe("running");
  await page.locator("[data-testid=copy-link]:focus").waitFor();
  await by(page, "reset").click();
  await by(page, "leave-drop").click();
  await expect.poll(() => stateOf(page)).toBe("idle");
  expect(await reloadAsks(page)).toBe(false);
  expect(errors).toEqual([]);
  await close();
});

it("the question can be read on a phone by night", async () => {
  const { name, viewport, theme: colorScheme } = WINDOWS[1];
  const { page, close } = await openUnderWay({ viewport, colorScheme });
  await by(page, "reset").click();
  await by(page, "leave-dialog").waitFor();
  expect(await axeFaults(page, { within: "[role=alertdialog]" })).toEqual([]);
  await takePicture(page, `leaving-${name}.png`);
  await close();
});
