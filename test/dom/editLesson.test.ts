// @vitest-environment happy-dom
/** A copy of a lesson, made by the pencil: it opens at the step where one was, solutions stay folded, no press is lost. */
import { expect, it } from "vitest";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

const TEXT = `# A lesson

\`\`\`lesson id=lesson
number: 2
\`\`\`

## Predict: which one?

Guess.

## Exercise: write it

Replace the 0.

\`\`\`code id=mine
0 + 0
\`\`\`

\`\`\`code id=solution fold
1 + 1
\`\`\`
`;

it("goes on at the step's code; the solution is folded until it is written; a press selects when it ends", async () => {
  const { page, errors, close } = await openApp(`#text/${notebookToWord(TEXT)}`);
  await by(page, "lesson-next").click();
  await by(page, "lesson-next").click();
  await page.getByText("Replace the 0.").waitFor();
  await by(page, "edit-copy").click();
  await by(page, "edit").waitFor();
  const cells = page.locator("[data-testid=edit-cell]");
  const isSelected = (n: number) => cells.nth(n).getAttribute("data-selected");
  const at = async (id: string) => {
    const labels = await cells.evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label") ?? ""),
    );
    return labels.findIndex((label) => label.includes(id));
  };
  const [mine, solution] = [await at("mine"), await at("solution")];
  await expect.poll(() => isSelected(mine)).toBe("true");
  await expect
    .poll(() => cells.nth(solution).locator("details").count(), { message: "folded" })
    .toBe(1);
  await cells.nth(solution).evaluate((cell) => {
    cell.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  });
  expect(await isSelected(solution)).toBe("false");
  await cells.nth(solution).evaluate((cell) => {
    cell.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  });
  await expect.poll(() => isSelected(solution)).toBe("true");
  await expect
    .poll(() => cells.nth(solution).locator("details").count(), { message: "unfolded" })
    .toBe(0);
  expect(errors).toEqual([]);
  await close();
});
