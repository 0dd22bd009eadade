/** What a reader unfolds comes into sight, above the run bar. */

/** Returns what ends that. Only what is pressed: what opens by itself moves nothing. */
export function followUnfolding(): () => void {
  const hear = ({ target }: MouseEvent) => {
    const summary = target instanceof Element ? target.closest("summary") : null;
    const details = summary?.closest("details");
    // Its content is there after the press.
    if (details) setTimeout(() => details.open && details.scrollIntoView({ block: "nearest" }));
  };
  document.addEventListener("click", hear);
  return () => document.removeEventListener("click", hear);
}
