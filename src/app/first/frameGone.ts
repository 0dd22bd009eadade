/** The frame of index.html gives way to the page. */

/** Milliseconds in which the page draws a lesson's first step at the latest. */
const TIME_LIMIT = 5000;

/** What waits for its words is not drawn yet. */
const isDrawn = () =>
  document.querySelector("#root .lesson-foot") !== null &&
  document.querySelector("#root .lesson .prose-waiting") === null;

/** At once, or where it shows a lesson's first step, when the page has drawn the same. Returns what stops the waiting. */
export function takeFrameAway(): () => void {
  const frame = document.getElementById("frame");
  const gone = () => {
    frame?.remove();
    stop();
  };
  // Once the frame has gone nothing is watched any more.
  const observer = new MutationObserver(() => isDrawn() && gone());
  const timer = setTimeout(gone, TIME_LIMIT);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const waits = frame && document.documentElement.dataset["frame"] === "lesson" && !isDrawn();
  if (waits) observer.observe(document.getElementById("root")!, { childList: true, subtree: true });
  else gone();
  return stop;
}
