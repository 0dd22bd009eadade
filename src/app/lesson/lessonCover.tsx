/**
 * Beside a lesson's first words: its picture, and the step in which the reader moves that figure.
 */
import type { ReactNode } from "react";
import type { LessonStep } from "../../notebook/cells/lesson/steps.ts";
import { lessonFigure } from "../course/lessonFigure.ts";
import { LessonPicture } from "../course/LessonPicture.tsx";
import { words } from "./words.ts";

/** Null if the lesson has no figure with handles. */
export function lessonCover(title: string, steps: readonly LessonStep[]): ReactNode {
  const cells = steps.flatMap((step) => step.cells.map(({ cell }) => cell));
  const figure = lessonFigure(cells);
  if (!figure) return null;
  const step = steps.findIndex((one) => one.cells.some(({ cell }) => cell === figure.cell));
  return (
    <figure className="lesson-cover">
      <LessonPicture cells={cells} title={title} />
      <figcaption>{words.cover(step + 1)}</figcaption>
    </figure>
  );
}
