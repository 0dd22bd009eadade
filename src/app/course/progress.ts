/** How far a reader came in each lesson, kept in this browser. */
import { readValue, writeValue } from "../../runtime/shelf/smallValue.ts";
import { z } from "zod";

export interface LessonProgress {
  /** Steps that were opened, from 1. */
  seen: number;
  /** Steps of the lesson then. */
  of: number;
}

const KEY = "turnbook-course";
/** Lessons that are remembered at most. */
const MOST = 100;

const kept = z.record(
  z.string().max(40),
  z.object({ seen: z.int().min(1).max(1000), of: z.int().min(1).max(1000) }),
);

/** By the lesson's name. What is no progress counts as none. */
export function readProgress(): ReadonlyMap<string, LessonProgress> {
  const read = kept.safeParse(readValue("site", KEY));
  return new Map(Object.entries(read.data ?? {}).slice(0, MOST));
}

/** Going back takes nothing away. @param step from 0 */
export function keepProgress(lesson: string, step: number, of: number): void {
  const all = new Map(readProgress());
  const seen = Math.min(of, Math.max(step + 1, all.get(lesson)?.seen ?? 0));
  all.set(lesson, { seen, of });
  writeValue("site", KEY, Object.fromEntries(all));
}
