/** Removes the frame of index.html once the page is there. */

/** Maximum milliseconds until the page draws a lesson's first step. */
const TIME_LIMIT = 5000;

/** Content waiting for its text is not drawn yet. */
const isDrawn = () =>
  document.querySelector("#root .lesson-foot") !== null &&
  document.querySelector("#root .lesson .prose-waiting") === null;

/** At once, or if it shows a lesson's first step, when the page has drawn the same. Returns the function that stops waiting. */
export function takeFrameAway(): () => void {
  const frame = document.getElementById("frame");
  const gone = () => {
    frame?.remove();
    stop();
  };
  // Once the frame is gone, nothing is observed any more.
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
