// @vitest-environment happy-dom
/** What Run means: the experiment that one looks at, by its name, or nothing. */
import { expect, it } from "vitest";
import { opened, runQueue } from "../../src/store/runQueue.ts";
import { openApp, usesApp } from "./app.tsx";
import { by, openSettings, type DomPage } from "./page.ts";

usesApp();

const bars = (page: DomPage) => by(page, "run-bar").count();
const running = () => [...opened].filter(({ store }) => store.getState().state !== "idle");
const idOf = (of: { id: string }) => of.id;

/** Goes on until the step has such a part. */
async function stepWith(page: DomPage, part: string): Promise<void> {
  while ((await page.locator(part).count()) === 0) await by(page, "lesson-next").click();
}

it("in a lesson nothing trains but what its step shows: no bar, no key", async () => {
  const { page, errors, close } = await openApp("#lesson/credit");
  await by(page, "lesson").waitFor();
  await by(page, "lesson-next").waitFor();
  expect(await bars(page)).toBe(0);
  await page.keyboard.press("Space");
  await page.keyboard.press(".");
  await stepWith(page, "[data-cell=live]");
  await expect.poll(() => by(page, "bar-name").textContent()).toBe("live");
  await page.keyboard.press("Space");
  expect(running()).toEqual([]);
  // It must not end while the step before is drawn.
  [...opened].find(({ id }) => id === "live")!.session.setPace(60_000);
  await by(page, "run").click();
  await expect.poll(() => running().map(idOf)).toEqual(["live"]);
  // A step before has none to show: then the bar is that of what trains.
  await by(page, "lesson-back").click();
  await expect.poll(() => by(page, "bar-name").textContent()).toBe("live");
  expect(errors).toEqual([]);
  await close();
});

it("on pages about no experiment there is a bar only while one trains, which names it", async () => {
  const { page, errors, close } = await openApp("");
  await expect.poll(() => by(page, "bar-name").textContent()).toBe("first");
  for (const view of ["algorithms", "machine", "gallery"]) {
    await by(page, `to-${view}`).click();
    await expect.poll(() => bars(page)).toBe(0);
  }
  // The shop shows a trip of a run, which the bar names.
  await by(page, "to-shop").click();
  await expect.poll(() => by(page, "bar-name").textContent()).toBe("shop");
  await by(page, "to-notebook").click();
  await openSettings(page);
  await by(page, "field-optimisation.iterations").fill("500");
  await by(page, "run").click();
  await page.locator("[data-run-state=running]").waitFor();
  await by(page, "to-shop").click();
  await expect.poll(() => by(page, "bar-name").textContent()).toBe("shop");
  await by(page, "to-algorithms").click();
  expect(await by(page, "bar-name").textContent()).toBe("first");
  await by(page, "run").click();
  await expect.poll(() => runQueue.getState().current).toBe(null);
  await expect.poll(() => bars(page)).toBe(0);
  expect(errors).toEqual([]);
  await close();
});
