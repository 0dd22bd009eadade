/**
 * A teacher's notes: `public/notebooks/teacher/NAME.md`, beside the lesson `public/notebooks/NAME.md`. Its headings of the second
 * rank are those of the lesson's steps, to the letter; what stands before the first one belongs to the lesson's first step. No page
 * of the lesson links to it.
 */
import { proseIn } from "../../notebook/cell.ts";
import { parseNotebook } from "../../notebook/document.ts";
import { lessonOf, lessonSteps, type LessonStep } from "../../notebook/cells/lesson/steps.ts";
import { withoutTopHeading } from "../../notebook/topHeading.ts";
import { isWebPage } from "../course/useNotebookTexts.ts";
import { fetchText } from "../experiments.ts";

export interface TaughtStep extends Pick<LessonStep, "kind" | "title"> {
  /** Markdown; "" where there are none. */
  notes: string;
}

export interface TaughtLesson {
  title: string;
  minutes: number;
  steps: readonly TaughtStep[];
  hasNotes: boolean;
}

/** @param notes null: the lesson has none. */
export function taughtLesson(lesson: string, notes: string | null): TaughtLesson {
  const { title, cells } = parseNotebook(lesson).notebook;
  const byTitle = notesByStep(notes ?? "");
  return {
    title,
    minutes: lessonOf(cells)?.minutes ?? 10,
    hasNotes: notes !== null,
    steps: stepsOf(cells).map(({ kind, title: name }) => ({
      kind,
      title: name === "" ? title : name,
      notes: byTitle.get(name) ?? "",
    })),
  };
}

/** Markdown by the title of the step; "" is the first one's. */
export function notesByStep(notes: string): ReadonlyMap<string, string> {
  const { cells } = parseNotebook(notes).notebook;
  return new Map(stepsOf(cells).map((step) => [step.title, proseOf(step)]));
}

const stepsOf = (cells: ReturnType<typeof parseNotebook>["notebook"]["cells"]) =>
  lessonSteps(cells.map((cell, key) => ({ key, cell })));

/** Without the file's own title. */
function proseOf({ cells }: LessonStep): string {
  const texts = proseIn(cells.map(({ cell }) => cell));
  return withoutTopHeading(texts.join("\n\n")).trim();
}

/** Rejects where there is no such lesson. */
export async function fetchTaught(name: string): Promise<TaughtLesson> {
  const [lesson, notes] = await Promise.all([
    fetchText(`notebooks/${name}.md`),
    fetchText(`notebooks/teacher/${name}.md`).catch(() => null),
  ]);
  return taughtLesson(lesson, notes !== null && isWebPage(notes) ? null : notes);
}
