/** The course: its lessons in order. Everything about a lesson is in its own file, `public/notebooks/NAME.md`. */

/** Set at build time, from the numbers in these files (`build/course.mjs`). */
declare const __COURSE__: readonly string[];

export const COURSE: readonly string[] = __COURSE__;

/** Eight questions, asked before lesson 1 and after lesson 5: `public/notebooks/quiz.md`. */
export const QUIZ = "quiz";

/** For teachers: `public/notebooks/guide.md`. */
export const GUIDE = "guide";

interface Neighbours {
  /** Null for the first. */
  before: string | null;
  /** Null for the last. */
  after: string | null;
}

/** The lessons before and after a lesson in the course; none for other notebooks. */
export function neighboursOf(name: string | null): Neighbours {
  const at = name === null ? -1 : COURSE.indexOf(name);
  if (at < 0) return { before: null, after: null };
  return { before: COURSE[at - 1] ?? null, after: COURSE[at + 1] ?? null };
}
