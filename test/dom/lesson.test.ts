// @vitest-environment happy-dom
/** A notebook as a lesson: its steps, its figures with handles, and the way through it. */
import { expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

const TEXT = `# Better than its siblings

What a group knows.

\`\`\`lesson id=lesson
number: 2
minutes: 12
\`\`\`

## Predict: what does it get?

Seven fail.

\`\`\`quiz id=q
question: Which?
options: [a, b]
answer: 1
\`\`\`

## Look: grow the group

\`\`\`explore id=group
figure: group
set: {size: 8, chance: 0.5}
hide: [draw]
source: Made up.
\`\`\`
`;

it("is gone through step by step, by buttons and by its bar, and moves its figure's handles", async () => {
  const { page, errors, close } = await openApp(`#text/${notebookToWord(TEXT)}`);
  const lesson = by(page, "lesson");
  await lesson.waitFor();
  await expect.poll(() => lesson.textContent()).toContain("Lesson 2: Better than its siblings");
  await expect
    .poll(() => by(page, "lesson-left").textContent())
    .toBe("Step 1 of 3, 13 words to read");
  expect(await by(page, "lesson-back").isDisabled()).toBe(true);
  await by(page, "lesson-next").click();
  await by(page, "quiz").waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe("What does it get?");
  // Its question is skipped.
  await expect.poll(() => by(page, "lesson-next").textContent()).toBe("Skip");
  await expect.poll(() => lesson.textContent()).toContain("Answer, or skip the question");
  await by(page, "lesson-next").click();
  await by(page, "explore").waitFor();
  expect(await by(page, "handle-draw").count()).toBe(0);
  await expect.poll(() => by(page, "explore-says").textContent()).toContain("of 8 solved");
  await by(page, "handle-size").fill("12");
  await expect.poll(() => by(page, "explore-says").textContent()).toContain("of 12 solved");
  await by(page, "explore-reset").click();
  await expect.poll(() => by(page, "explore-says").textContent()).toContain("of 8 solved");
  expect(await by(page, "lesson-next").count()).toBe(0);
  await by(page, "lesson-back").click();
  await expect.poll(() => by(page, "lesson-next").textContent()).toBe("Next");
  await expect.poll(() => lesson.textContent()).toContain("Next: Grow the group");
  await page.getByRole("button", { name: "Step 1 of 3" }).click();
  await expect.poll(() => lesson.getAttribute("data-step")).toBe("1");
  expect(errors).toEqual([]);
  await close();
});

const WAITING = `# Waiting

\`\`\`quiz id=q
question: Which?
options: [the first, the last]
answer: 1
\`\`\`

<!-- cell after=q -->

It was the first.

\`\`\`explore id=group after=q
figure: group
\`\`\`

\`\`\`explore id=answers hide
figure: clip
\`\`\`
`;

for (const how of ["answers", "skips"] as const)
  it(`shows what waits for a question to who ${how} it, and nothing that is hidden`, async () => {
    const { page, errors, close } = await openApp(`#text/${notebookToWord(WAITING)}`);
    await by(page, "quiz").waitFor();
    await by(page, "cell-waits").first().waitFor();
    expect(await by(page, "explore").count()).toBe(0);
    if (how === "skips")
      await page.getByRole("button", { name: "Skip the question" }).first().click();
    else {
      await page.getByLabel("the last").click();
      await page.getByRole("button", { name: "Check" }).click();
    }
    await page.getByText("It was the first.").waitFor();
    await by(page, "explore").waitFor();
    expect(await by(page, "explore").count()).toBe(1);
    expect(await by(page, "cell-waits").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

it("locks a cell until the notebook is unlocked, and lets a cell wait for a question", async () => {
  const { page, errors, close } = await openApp("#notebooks");
  await by(page, "new-notebook").click();
  await by(page, "mode-edit").click();
  await by(page, "add-more").last().click();
  await by(page, "add-quiz").click();
  await by(page, "cell-form").waitFor();
  await by(page, "cell-lock").click();
  await by(page, "cell-locked").waitFor();
  expect(await by(page, "cell-form").count()).toBe(0);
  await by(page, "edit-cell").nth(1).click();
  await by(page, "cell-after").selectOption("quiz");
  await expect.poll(() => by(page, "cell-after").inputValue()).toBe("quiz");
  await by(page, "edit-cell").last().click();
  await by(page, "cell-locked").waitFor();
  await by(page, "book-menu").click();
  await by(page, "unlock-cells").click();
  await by(page, "cell-form").waitFor();
  expect(errors).toEqual([]);
  await close();
});
