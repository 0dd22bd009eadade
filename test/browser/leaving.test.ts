/** Leaving a run that would be lost asks once: by key, by reload, and not where there is nothing to lose. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeFaults } from "./axe.ts";
import {
  by,
  launch,
  openPage,
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

/** Reloads, and says whether the browser asked; stays where it did. */
async function reloadAsks(page: Page): Promise<boolean> {
  let asked = false;
  page.once("dialog", (dialog) => {
    asked = dialog.type() === "beforeunload";
    void dialog.dismiss();
  });
  const reloaded = page.reload({ timeout: 5000 }).catch(() => null);
  await expect.poll(async () => asked || (await reloaded) !== null).toBe(true);
  page.removeAllListeners("dialog");
  return asked;
}

it("asks before a run of more than 10 s is lost, and never twice", async () => {
  const { page, errors, close } = await openPage(browser, `${site.url}#v1/nano?iterations=400`);
  await by(page, "pace").selectOption("1000");
  await by(page, "run").click();
  await expect.poll(() => stateOf(page)).toBe("running");
  await page.waitForTimeout(11_000);

  expect(await reloadAsks(page)).toBe(true);
  expect(await stateOf(page)).toBe("running");
  await by(page, "copy-link").focus();
  await page.keyboard.press("r");
  const dialog = by(page, "leave-dialog");
  await dialog.waitFor();
  // The first button, which has the focus, keeps the run.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Keep the run");
  expect(await page.getByRole("alertdialog", { name: "Discard this run?" }).count()).toBe(1);
  // Keys of the page mean nothing in the dialog.
  await page.keyboard.press("r");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await stateOf(page)).toBe("running");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-testid"))).toBe(
    "copy-link",
  );
  await by(page, "reset").click();
  await by(page, "leave-drop").click();
  await expect.poll(() => stateOf(page)).toBe("idle");
  expect(await reloadAsks(page)).toBe(false);
  expect(errors).toEqual([]);
  await close();
});

it("the question can be read on a phone by night", async () => {
  const { name, viewport, theme: colorScheme } = WINDOWS[1];
  const { page, close } = await openPage(browser, `${site.url}#v1/nano?iterations=400`, {
    ...{ viewport, colorScheme },
  });
  await by(page, "pace").selectOption("1000");
  await by(page, "run").click();
  await page.waitForTimeout(11_000);
  await by(page, "reset").click();
  await by(page, "leave-dialog").waitFor();
  expect(await axeFaults(page, { within: "[role=alertdialog]" })).toEqual([]);
  await takePicture(page, `leaving-${name}.png`);
  await close();
});
