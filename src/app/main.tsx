/**
 * The first script, and a small one: index.html has a frame with the page's first screen, which is
 * painted before anything else is loaded. Then the frame becomes interactive
 * (`first/liveFrame.tsx`), and then the page itself loads (`start.tsx`).
 */
// First, so that later styles override it.
import "./styles/all.ts";
import "../panels/shared/signedBars.css";
import "../panels/opening/opening.css";
import "../panels/shared/moveArrows.css";
import "../ui/termCards.css";
import "./course/course.css";
import "./lesson/lesson.css";

/** Milliseconds after which it no longer waits for a paint: a tab in the background has none. */
const TIME_LIMIT = 400;

// Otherwise public/needs.js shows what is missing.
document.documentElement.dataset["started"] = "";

firstPaint()
  .then(lessonPaint)
  .then(comesToLife)
  .then(() => import("./start.tsx"))
  .catch(() => window.dispatchEvent(new Event("turnbook:lost")));

/** Resolves with the first contentful paint, or if none will come. */
function firstPaint(): Promise<void> {
  const isPainted = () => performance.getEntriesByName("first-contentful-paint").length > 0;
  if (document.hidden || isPainted()) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, TIME_LIMIT);
    try {
      new PerformanceObserver(() => isPainted() && resolve()).observe({ type: "paint" });
    } catch {
      resolve(); // a browser that does not report paints
    }
  });
}

/** Resolves with the paint of a lesson's first step, which public/frame.js requests; it does not wait for a slow server. */
function lessonPaint(): Promise<void> {
  const { turnbookLesson } = window as { turnbookLesson?: Promise<void> };
  const late = new Promise<void>((resolve) => setTimeout(resolve, TIME_LIMIT));
  return turnbookLesson ? Promise.race([turnbookLesson, late]) : Promise.resolve();
}

/** Views other than the first screen wait for the page; so does a frame whose script fails to load. */
async function comesToLife(): Promise<void> {
  if (document.documentElement.dataset["frame"] !== undefined) return;
  await import("./first/liveFrame.tsx").then(
    ({ bringToLife }) => bringToLife(),
    () => {},
  );
}
