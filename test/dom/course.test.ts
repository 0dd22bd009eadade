// @vitest-environment happy-dom
/** The index of the course: every lesson that is served, how far its reader is, and the way from one to the next. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { COURSE } from "../../src/app/course/course.ts";
import { keepProgress, readProgress } from "../../src/app/course/progress.ts";
import { lessonSteps, wordsToRead } from "../../src/notebook/cells/lesson/steps.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();
afterEach(() => localStorage.clear());

const notebooks = join(import.meta.dirname, "../../public/notebooks");
/** Steps and words of a lesson's file. */
function lengthOf(lesson: string): string {
  const { cells } = parseNotebook(readFileSync(join(notebooks, `${lesson}.md`), "utf8")).notebook;
  const steps = lessonSteps(cells.map((cell, key) => ({ key, cell })));
  return `${steps.length} steps, ${wordsToRead(steps)} words`;
}
const served = COURSE.filter((name) => existsSync(join(notebooks, `${name}.md`)));

it("lists the lessons in order with picture, length and steps done, and leads through them", async () => {
  const { page, errors, close } = await openApp("#notebooks");
  const names = () =>
    by(page, "lesson-card").evaluateAll((all) => all.map((one) => one.getAttribute("data-lesson")));
  await expect.poll(names).toEqual(served);
  expect(await by(page, "lesson-picture").count()).toBeGreaterThan(0);
  const grpo = page.locator("[data-lesson=grpo]");
  await expect.poll(() => grpo.textContent()).toContain("2. Better than its siblings");
  expect(await grpo.textContent()).toContain(lengthOf("grpo"));
  await grpo.locator("a").click();
  await by(page, "lesson").waitFor();
  await by(page, "lesson-next").click();
  await expect.poll(() => by(page, "lesson").getAttribute("data-step")).toBe("2");
  expect(readProgress().get("grpo")?.seen).toBe(2);
  location.hash = "#notebooks";
  await expect.poll(() => grpo.textContent()).toContain("Step 2 of");
  await grpo.locator("a").click();
  while ((await by(page, "lesson-next").count()) > 0) await by(page, "lesson-next").click();
  const next = by(page, "course-weights");
  await next.waitFor();
  await expect.poll(() => next.textContent()).toBe("Next lesson: 3. From credit to weights");
  await next.click();
  await expect.poll(() => by(page, "lesson").textContent()).toContain("Lesson 3:");
  expect(await by(page, "lesson").getAttribute("data-step")).toBe("1");
  location.hash = "#notebooks";
  await expect.poll(() => grpo.textContent()).toContain("Done");
  expect(errors).toEqual([]);
  await close();
});

it("forgets no step by going back, and takes nothing strange from the storage", () => {
  keepProgress("grpo", 3, 7);
  keepProgress("grpo", 0, 7);
  expect(readProgress().get("grpo")).toEqual({ seen: 4, of: 7 });
  keepProgress("grpo", 6, 5);
  expect(readProgress().get("grpo")).toEqual({ seen: 5, of: 5 });
  for (const text of ["{", "[]", '{"grpo":{"seen":"x","of":1}}', '{"grpo":{"seen":0,"of":1}}']) {
    localStorage.setItem("turnbook-course", text);
    expect(readProgress().size).toBe(0);
  }
});
