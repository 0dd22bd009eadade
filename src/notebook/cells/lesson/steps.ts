/** A notebook as a lesson: its steps, each from one second-level heading to the next. */
import { capital } from "../../../numeric/counted.ts";
import { readFields, type FieldsOf } from "../../cellFields.ts";
import { cellsWith, hasFact, isTyped, type Cell, type TypedCell } from "../../cell.ts";
import { cutAtHeadings, plainTitle } from "../../headings.ts";
import { withoutTopHeading } from "../../topHeading.ts";

/** The purpose of a step, if its heading gives it: "Predict: what will GRPO credit?" */
const STEP_KINDS = ["Predict", "Look", "Compute", "Train", "Exercise", "Sum up"] as const;
type LessonStepKind = (typeof STEP_KINDS)[number];

/** A cell, or a part of a prose cell. */
export interface StepCell {
  key: string | number;
  cell: Cell;
}

export interface LessonStep {
  /** Null for the first, which has the lesson's own title. */
  kind: LessonStepKind | null;
  /** Without its kind. */
  title: string;
  cells: readonly StepCell[];
}

/** The fields of the lesson's cell; null if the notebook is not a lesson. */
export function lessonOf(cells: readonly Cell[]): FieldsOf<"lesson"> | null {
  const cell = cells.find(isLesson);
  return cell ? readFields("lesson", cell.body).value : null;
}

const isLesson = (cell: Cell): cell is TypedCell => cell.type === "lesson";

/**
 * Whether a cell is seen by a reader who has answered nothing: it is not hidden, and waits for none
 * of the notebook's questions.
 * @param cells of the whole notebook
 */
export function seenAtFirst(cells: readonly Cell[]): (cell: Cell) => boolean {
  const questions = new Set(cellsWith(cells, "isQuestion").map(({ id }) => id));
  return (cell) =>
    !(isTyped(cell) && cell.flags.includes("hide")) &&
    !(cell.after !== undefined && questions.has(cell.after));
}

/** At least one step. The lesson's own cell is in none. */
export function lessonSteps(cells: readonly StepCell[]): LessonStep[] {
  const steps: { heading: string | null; cells: StepCell[] }[] = [{ heading: null, cells: [] }];
  for (const { key, cell } of cells) {
    if (isLesson(cell)) continue;
    if (isTyped(cell)) {
      steps.at(-1)!.cells.push({ key, cell });
      continue;
    }
    cutAtHeadings(cell.markdown).forEach(({ heading, markdown }, i) => {
      if (heading !== null) steps.push({ heading, cells: [] });
      if (markdown.trim() === "") return;
      const part = { ...cell, markdown };
      steps.at(-1)!.cells.push({ key: i === 0 ? key : `${key}/${i}`, cell: part });
    });
  }
  const filled = steps.filter((step) => step.heading !== null || step.cells.length > 0);
  return (filled.length > 0 ? filled : steps).map(({ heading, ...rest }) => ({
    ...titleOfStep(heading),
    ...rest,
  }));
}

/** Words to be read in steps: of prose without its formulas, and of questions with their options. */
export function wordsToRead(steps: readonly LessonStep[]): number {
  const texts = steps.flatMap(({ cells }) => cells.map(({ cell }) => textOf(cell)));
  return texts.join(" ").match(/[\p{L}\p{N}]+(?:[’'.,-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}

function textOf(cell: Cell): string {
  if (!isTyped(cell)) return cell.markdown.replace(/\$\$[^$]*\$\$|\$[^$\n]*\$|\]\([^)]*\)/g, " ");
  const quiz = cell.type === "quiz" ? readFields("quiz", cell.body).value : null;
  return quiz ? [quiz.question, ...quiz.options].join(" ") : "";
}

/** Key of the cell that a step is about: its first code, else its first cell; null if it has none of its own. */
export function cellOfStep(
  cells: readonly { key: number; cell: Cell }[],
  at: number,
): number | null {
  const own = lessonSteps(cells)[at]?.cells.filter(({ key }) => typeof key === "number") ?? [];
  const about = own.find(({ cell }) => hasFact(cell, "isCode")) ?? own[0];
  return about === undefined ? null : (about.key as number);
}

function titleOfStep(heading: string | null): Pick<LessonStep, "kind" | "title"> {
  if (heading === null) return { kind: null, title: "" };
  const title = plainTitle(heading);
  const kind = STEP_KINDS.find((one) => title.startsWith(`${one}:`)) ?? null;
  return { kind, title: kind === null ? title : capital(title.slice(kind.length + 1).trim()) };
}

/** Without the top-level heading: the lesson's title is above the step already. */
export function withoutTitle({ key, cell }: StepCell): StepCell {
  if (isTyped(cell)) return { key, cell };
  return { key, cell: { ...cell, markdown: withoutTopHeading(cell.markdown) } };
}
