/** A reader's progress in each lesson, kept in this browser. */
import { readValue, writeValue } from "../../runtime/shelf/smallValue.ts";
import { z } from "../../spec/zod.ts";

export interface LessonProgress {
  /** Number of opened steps. */
  seen: number;
  /** Number of the lesson's steps then. */
  of: number;
}

const KEY = "turnbook-course";
/** Limit of remembered lessons. */
const MOST = 100;

const kept = z.record(
  z.string().check(z.maxLength(40)),
  z.object({
    seen: z.int().check(z.gte(1), z.lte(1000)),
    of: z.int().check(z.gte(1), z.lte(1000)),
  }),
);

/** By the lesson's name. Anything that is not progress counts as none. */
export function readProgress(): ReadonlyMap<string, LessonProgress> {
  const read = kept.safeParse(readValue("site", KEY));
  return new Map(Object.entries(read.data ?? {}).slice(0, MOST));
}

/** Going back loses no progress. @param step from 0 */
export function keepProgress(lesson: string, step: number, of: number): void {
  const all = new Map(readProgress());
  const seen = Math.min(of, Math.max(step + 1, all.get(lesson)?.seen ?? 0));
  all.set(lesson, { seen, of });
  writeValue("site", KEY, Object.fromEntries(all));
}
