/** Opens a panel of the lens and moves the reader to it, from anywhere in the page. */
import type { ExperimentStore } from "../../store/experimentState.ts";
import { setLens, withAlone, withPanel } from "../../store/lens.ts";
import { openLinkOf } from "../../store/links.ts";

/** `part`: a selector of what in it should be in view. */
export function goToPanel(store: ExperimentStore, id: string, part?: string): void {
  setLens(store, (lens) => withPanel(withAlone(lens, null), id, true));
  location.hash = openLinkOf(store.getState(), "lens");
  whenThere(id, part);
}

/** Milliseconds after which it stops waiting for a panel. */
const TIME_LIMIT = 5000;

/** The lens is loaded when first shown, and an inactive pane is activated first. */
function whenThere(id: string, part?: string): void {
  const look = () => {
    const panel = document.querySelector<HTMLElement>(`details[data-panel="${id}"]`);
    const shown = part === undefined ? panel : panel?.querySelector(part);
    if (!panel?.checkVisibility() || !shown?.checkVisibility()) return false;
    // After the lens has focused its own heading.
    requestAnimationFrame(() => bringTo(panel, shown));
    return true;
  };
  if (look()) return;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  setTimeout(() => observer.disconnect(), TIME_LIMIT);
}

/** Its title, or its pane if the panel is first there and the pane has the title. */
function bringTo(panel: HTMLElement, shown: Element): void {
  const pane = panel.closest<HTMLElement>("[data-pane]");
  const title = panel.querySelector<HTMLElement>(":scope > summary");
  (pane?.firstElementChild === panel ? pane : title)?.focus();
  shown.scrollIntoView({ block: "nearest" });
}
