/** The step of a lesson at which a reader is, kept in this tab. */
import { readValue, writeValue } from "../../runtime/shelf/smallValue.ts";

/** Followed by the lesson's title. `public/frame.js` reads it: the build writes it into index.html. */
export const STEP_KEY = "turnbook-lesson:";

/** From 0; the first where none is kept. */
export function readStep(lesson: string): number {
  const step = readValue("tab", STEP_KEY + lesson);
  return Number.isInteger(step) && (step as number) >= 0 ? (step as number) : 0;
}

export function keepStep(lesson: string, step: number): void {
  writeValue("tab", STEP_KEY + lesson, step);
}
