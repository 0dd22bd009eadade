/** Present mode with a teacher's window: two windows of one origin, a picture that holds, and a spotlight. */
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

const stepOf = (page: Page) => by(page, "lesson").first().getAttribute("data-step");

/** The projector's window, which presents, and the teacher's, which it has opened. */
async function present(options = {}) {
  const opened = await openPage(browser, `${site.url}#lesson/grpo`, { own: true, ...options });
  const { page } = opened;
  await by(page, "lesson").waitFor();
  await by(page, "present-button").click();
  await by(page, "present").waitFor();
  const popup = page.waitForEvent("popup");
  await by(page, "present-teacher").click();
  const teacher = await popup;
  await teacher.getByText("The projector follows this window.").waitFor();
  return { ...opened, teacher };
}

it("the projector follows the teacher's window, which has notes and what comes next", async () => {
  const { page, errors, teacher, close } = await present();
  await expect
    .poll(() => by(teacher, "teacher-then").textContent())
    .toContain("One score for four turns");
  await by(teacher, "teacher-next").click();
  await expect.poll(() => stepOf(page)).toBe("2");
  await expect.poll(() => by(page, "present-title").textContent()).toBe("One score for four turns");
  await expect.poll(() => by(teacher, "teacher-notes").textContent()).toContain("Answer: 3");
  expect(await page.locator("body").textContent()).not.toContain("Answer: 3");
  // The other way round, by the projector's own keys.
  // A step that is too tall for its window has several pieces.
  await expect
    .poll(async () => {
      await page.keyboard.press("ArrowRight");
      return by(teacher, "teacher").getAttribute("data-step");
    })
    .toBe("3");
  await by(teacher, "teacher-start").click();
  await expect.poll(() => by(teacher, "teacher-clock").textContent()).not.toBe("0:00");
  expect(await axeFaults(teacher)).toEqual([]);
  await takePicture(teacher, "teacher.png");
  await takePicture(page, "present-lesson.png");
  await page.keyboard.press("Escape");
  await teacher.getByText("No projector").waitFor();
  expect(errors).toEqual([]);
  await close();
});

it("holds its picture while the teacher moves on, and lets go", async () => {
  const { page, teacher, close } = await present();
  await teacher.keyboard.press("ArrowRight");
  await expect.poll(() => stepOf(page)).toBe("2");
  await page.getByText("What credit does GRPO give this turn?").waitFor();
  await page.locator(".lesson input[type=radio]").first().check();
  await teacher.keyboard.press("f");
  const held = page.locator(".held");
  await held.waitFor();
  await teacher.keyboard.press("ArrowRight");
  await expect.poll(() => stepOf(page)).toBe("3");
  await expect.poll(() => by(teacher, "teacher-state").textContent()).toContain("holds step 2");
  await expect.poll(() => held.locator("[data-testid=lesson]").getAttribute("data-step")).toBe("2");
  await expect.poll(() => held.locator("input[type=radio]").first().isChecked()).toBe(true);
  // What is seen in the middle of the window is the picture.
  const seen = await page.evaluate(() => {
    const { style } = document.querySelector<HTMLElement>(".held")!;
    style.pointerEvents = "auto";
    document.querySelector<HTMLElement>(".held")!.inert = false;
    return document.elementFromPoint(innerWidth / 2, 200)?.closest(".held") !== null;
  });
  expect(seen).toBe(true);
  await teacher.keyboard.press("f");
  await held.waitFor({ state: "detached" });
  await expect.poll(() => stepOf(page)).toBe("3");
  await close();
});

it("has a spotlight, moved by pointer and by keys, in both windows", async () => {
  const { page, teacher, close } = await present();
  const light = by(page, "spotlight");
  const place = () =>
    light.evaluate((one) =>
      ["--light-x", "--light-y"].map((name) =>
        parseFloat((one as HTMLElement).style.getPropertyValue(name)),
      ),
    );
  await page.keyboard.press("l");
  await light.waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(place).toEqual([54, 50]);
  await page.mouse.move(128, 72);
  await expect.poll(async () => (await place()).map(Math.round)).toEqual([10, 10]);
  await by(teacher, "teacher-pad").focus();
  await teacher.keyboard.press("ArrowDown");
  await expect.poll(async () => (await place()).map(Math.round)).toEqual([10, 14]);
  await by(teacher, "teacher-light").click();
  await light.waitFor({ state: "detached" });
  await close();
});
