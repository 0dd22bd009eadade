/** The metadata of a lesson's file. */
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { isTyped, type Cell } from "../../notebook/cell.ts";
import { parseNotebook } from "../../notebook/document.ts";
import { lessonOf, seenAtFirst } from "../../notebook/cells/lesson/steps.ts";

interface LessonFile {
  title: string;
  lesson: FieldsOf<"lesson"> | null;
  cells: readonly Cell[];
  /** The first paragraph, without marks. */
  about: string;
}

export function readLesson(text: string): LessonFile {
  const { title, cells } = parseNotebook(text).notebook;
  return { title, lesson: lessonOf(cells), cells, about: aboutOf(cells) };
}

/** Text that waits for an answer would give it away. */
function aboutOf(cells: readonly Cell[]): string {
  const parts = cells
    .filter(seenAtFirst(cells))
    .flatMap((cell) =>
      !isTyped(cell) ? cell.markdown.split("\n\n").filter((part) => !isEmpty(part)) : [],
    );
  return plainText(parts[0] ?? "");
}

const isEmpty = (part: string) => part.trim() === "" || part.startsWith("#");

/** Markdown without its marks, as far as a card needs. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\[\^[^\]]*\]/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]/g, "");
}
