/** A lesson's first step as HTML, made from the lesson's text; the build runs it (`../build/frame.ts`). */
import { proseIn } from "../../notebook/cell.ts";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server.edge";
import { lessonSteps, withoutTitle, type LessonStep } from "../../notebook/cells/lesson/steps.ts";
import { readLesson } from "../course/lessonFile.ts";
import { lessonCover } from "../lesson/lessonCover.tsx";
import { LessonFoot, LessonHead, StepPlace } from "../lesson/LessonParts.tsx";
import { ProseText } from "../ProseText.tsx";

/**
 * Drawn as in `LessonView`; the page replaces it. Null for a text that is not a lesson, or whose
 * first step has more than words.
 * @param name the lesson's file without its ending
 */
export function lessonMarkup(name: string, text: string): string | null {
  const { title, lesson, cells } = readLesson(text);
  const steps = lessonSteps(cells.map((cell, key) => ({ key, cell })));
  const prose = proseOf(steps[0]!);
  if (!lesson || !prose) return null;
  const [at, onGo] = [0, () => {}];
  const html = renderToStaticMarkup(
    createElement(
      "article",
      { className: "notebook lesson", "data-lesson": title },
      createElement(LessonHead, { lesson, title, name, steps, at, onGo }),
      createElement(
        StepPlace,
        { step: steps[0]!, title, figures: lessonCover(title, steps) },
        prose.map((markdown, key) => createElement(ProseText, { key, markdown })),
      ),
      createElement(LessonFoot, { steps, at, isOpen: false, onGo }),
    ),
  );
  // A part of the page is named only once.
  return html.replaceAll(/ (data-testid|data-figure|data-figure-title)="[^"]*"/g, "");
}

/** Null if it also has something else. */
function proseOf({ cells }: LessonStep): string[] | null {
  const texts = proseIn(cells.map((one) => withoutTitle(one).cell));
  return texts.length === cells.length ? texts : null;
}
