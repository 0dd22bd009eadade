/** The step of a lesson at which a reader is, kept in this tab. */
const KEY = "turnbook-lesson:";

/** From 0; the first where none is kept. */
export function readStep(lesson: string): number {
  try {
    const step = Number(sessionStorage.getItem(KEY + lesson) ?? 0);
    return Number.isInteger(step) && step >= 0 ? step : 0;
  } catch {
    return 0;
  }
}

export function keepStep(lesson: string, step: number): void {
  try {
    sessionStorage.setItem(KEY + lesson, String(step));
  } catch {
    // Storage is full or forbidden: a reload begins anew.
  }
}
