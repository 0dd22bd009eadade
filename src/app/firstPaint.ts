/** When the frame of the page has been painted. */

/** Milliseconds after which it is not waited for: a tab in the background paints nothing. */
const PATIENCE = 400;

/** Resolves with the first contentful paint, or where there is none to come. */
export function firstPaint(): Promise<void> {
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
