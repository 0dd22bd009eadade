// @vitest-environment happy-dom
/** What is hidden from readers, or waits for a question, is neither printed nor drawn on the lesson's card. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it } from "vitest";
import { LessonPicture } from "../../src/app/course/LessonPicture.tsx";
import { holdsAnswer } from "../../src/app/lesson/Handout.tsx";
import { parseNotebook } from "../../src/notebook/document.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();
afterEach(() => history.replaceState(null, "", location.pathname));

const TEXT = `# On paper

\`\`\`lesson id=lesson
number: 2
\`\`\`

## Predict: which one?

\`\`\`quiz id=q
question: Who earned it?
options: [the first, the last]
answer: 1
\`\`\`

<!-- cell after=q -->

It was the first.

<!-- cell after=gone -->

Its question is gone.

\`\`\`quiz id=notes hide
question: Only for teachers?
options: [yes, no]
answer: 1
\`\`\`
`;

/** @param head words behind the cell's name */
const figure = (name: string, head: string) =>
  `\n\`\`\`explore id=${name} ${head}\nfigure: ${name}\n\`\`\`\n`;

it("prints no cell that is hidden, and none that waits for a question, even once that is answered", async () => {
  const text = TEXT + figure("clip", "hide") + figure("weights", "after=q") + figure("group", "");
  const address = `#text/${notebookToWord(text)}`;
  const first = await openApp(address);
  await by(first.page, "lesson-next").click();
  await first.page.getByLabel("the first").click();
  await first.page.getByRole("button", { name: "Check" }).click();
  await first.page.getByText("It was the first.").waitFor();
  await first.close();
  history.replaceState(null, "", "?handout");
  const { page, errors, close } = await openApp(address);
  await by(page, "handout").waitFor();
  await by(page, "explore").waitFor();
  expect(await by(page, "explore").count()).toBe(1);
  const printed = await by(page, "handout").textContent();
  expect(printed).toContain("Who earned it?");
  expect(printed).toContain("Its question is gone.");
  expect(printed).not.toContain("It was the first.");
  expect(printed).not.toContain("Only for teachers?");
  expect(errors).toEqual([]);
  await close();
});

const pictureOf = (text: string) => {
  const { cells } = parseNotebook(text).notebook;
  return renderToStaticMarkup(createElement(LessonPicture, { cells, title: "On paper" }));
};

it("draws the first figure that readers see, not one that is hidden or waits", () => {
  const seen = pictureOf(TEXT + figure("group", ""));
  expect(seen).toContain("lesson-picture");
  expect(pictureOf(TEXT + figure("temperature", ""))).not.toBe(seen);
  for (const head of ["hide", "after=q"]) {
    expect(pictureOf(TEXT + figure("temperature", head) + figure("group", ""))).toBe(seen);
    expect(pictureOf(TEXT + figure("temperature", head))).not.toContain("lesson-picture");
  }
});

it("leaves empty what a question asks for, whatever its rounding, and keeps all other numbers", () => {
  const asked = { kind: "number", answer: 10.316, tolerance: 0.01 } as const;
  for (const text of ["+10.32", "10.3161", "−0.04 and +10.31 a turn"])
    expect([text, holdsAnswer(text, [asked])]).toEqual([text, true]);
  for (const text of ["10", "10.3", "−10.32", "10.418", "103.2", "turn 10"])
    expect([text, holdsAnswer(text, [asked])]).toEqual([text, false]);
  const half = { kind: "number", answer: 0.6, tolerance: 0.001 } as const;
  expect([
    holdsAnswer("0.6", [half]),
    holdsAnswer("0.60", [half]),
    holdsAnswer("0.65", [half]),
  ]).toEqual([...[true, true, false]]);
});

it("prints no words about buttons, in place of a step that trains one line", async () => {
  const step = "\n## Train: all\n\nPress **Run**. Wait.\n";
  history.replaceState(null, "", "?handout");
  const { page, close } = await openApp(`#text/${notebookToWord(TEXT + step)}`);
  await by(page, "handout").waitFor();
  const printed = await by(page, "handout").textContent();
  expect(printed).not.toContain("Press Run");
  expect(printed).toContain("This step trains at a screen");
  await close();
});

it("prints the options of an order as the page shows them, not in the right order", async () => {
  const options = ["first", "second", "third"];
  const quiz = `\`\`\`quiz id=order\nkind: order\nquestion: In which order?\noptions: [${options.join(", ")}]\n\`\`\`\n`;
  history.replaceState(null, "", "?handout");
  const { page, close } = await openApp(`#text/${notebookToWord(TEXT + quiz)}`);
  const asked = by(page, "handout-question").last();
  await asked.waitFor();
  const printed = await asked.locator("li").allTextContents();
  expect([...printed].sort()).toEqual([...options].sort());
  expect(printed).not.toEqual(options);
  await close();
});
