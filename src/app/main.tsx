/**
 * The first script, and a small one: index.html has a frame with the page's first screen, which is painted before anything else is
 * asked for. Then the frame comes to life (`first/liveFrame.tsx`), and behind it the page itself (`start.tsx`).
 */
// First: what comes later overrules it.
import "./styles/all.ts";
import "../panels/shared/signedBars.css";
import "../panels/opening/opening.css";
import "../panels/shared/moveArrows.css";
import "../ui/termCards.css";
import "./course/course.css";
import "./lesson/lesson.css";

/** Milliseconds after which a paint is not waited for: a tab in the background has none. */
const TIME_LIMIT = 400;

// Otherwise public/needs.js says what is missing.
document.documentElement.dataset["started"] = "";

firstPaint()
  .then(lessonPaint)
  .then(comesToLife)
  .then(() => import("./start.tsx"))
  .catch(() => window.dispatchEvent(new Event("turnbook:lost")));

/** Resolves with the first contentful paint, or where there is none to come. */
function firstPaint(): Promise<void> {
  const isPainted = () => performance.getEntriesByName("first-contentful-paint").length > 0;
  if (document.hidden || isPainted()) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, TIME_LIMIT);
    try {
      new PerformanceObserver(() => isPainted() && resolve()).observe({ type: "paint" });
    } catch {
      resolve(); // a browser that does not say when it paints
    }
  });
}

/** Resolves with the paint of a lesson's first step, which public/frame.js asks for; a slow server is not waited for. */
function lessonPaint(): Promise<void> {
  const { turnbookLesson } = window as { turnbookLesson?: Promise<void> };
  const late = new Promise<void>((resolve) => setTimeout(resolve, TIME_LIMIT));
  return turnbookLesson ? Promise.race([turnbookLesson, late]) : Promise.resolve();
}

/** Other views than the first screen wait for the page; so does a frame whose script does not come. */
async function comesToLife(): Promise<void> {
  if (document.documentElement.dataset["frame"] !== undefined) return;
  await import("./first/liveFrame.tsx").then(
    ({ bringToLife }) => bringToLife(),
    () => {},
  );
}
