/** Scrolls content that a reader opens into view, above the run bar. */

/**
 * Returns the function that stops it. Only after a press: content that opens by itself moves
 * nothing.
 */
export function followUnfolding(): () => void {
  const hear = ({ target }: MouseEvent) => {
    const summary = target instanceof Element ? target.closest("summary") : null;
    const details = summary?.closest("details");
    // Its content is rendered after the press.
    if (details) setTimeout(() => details.open && details.scrollIntoView({ block: "nearest" }));
  };
  document.addEventListener("click", hear);
  return () => document.removeEventListener("click", hear);
}
