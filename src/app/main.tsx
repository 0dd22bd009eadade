/**
 * The first script, and a small one: index.html has a frame with the page's first screen, which is painted before anything else is
 * asked for. Then the frame comes to life (`first/liveFrame.tsx`), and behind it the page itself (`start.tsx`).
 */
// First: what comes later overrules it.
import "./styles/all.ts";
import "../panels/shared/signedBars.css";
import "../panels/opening/opening.css";
import "../panels/shared/moveArrows.css";

/** Milliseconds after which the frame is not waited for: a tab in the background paints nothing. */
const PATIENCE = 400;

// Otherwise public/needs.js says what is missing.
document.documentElement.dataset["started"] = "";

firstPaint()
  .then(comesToLife)
  .then(() => import("./start.tsx"))
  .catch(() => window.dispatchEvent(new Event("turnbook:lost")));

/** Resolves with the first contentful paint, or where there is none to come. */
function firstPaint(): Promise<void> {
  const isPainted = () => performance.getEntriesByName("first-contentful-paint").length > 0;
  if (document.hidden || isPainted()) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE);
    try {
      new PerformanceObserver(() => isPainted() && resolve()).observe({ type: "paint" });
    } catch {
      resolve(); // a browser that does not say when it paints
    }
  });
}

/** Other views than the first screen wait for the page; so does a frame whose script does not come. */
async function comesToLife(): Promise<void> {
  if (document.documentElement.dataset["frame"] !== undefined) return;
  await import("./first/liveFrame.tsx").then(
    ({ bringToLife }) => bringToLife(),
    () => {},
  );
}
