/** Opens a panel of the lens and moves the reader to it, from anywhere in the page. */
import type { ExperimentStore } from "../../store/experimentState.ts";
import { setLens, withAlone, withPanel } from "../../store/lens.ts";
import { openLinkOf } from "../../store/links.ts";

export function goToPanel(store: ExperimentStore, id: string): void {
  setLens(store, (lens) => withPanel(withAlone(lens, null), id, true));
  location.hash = openLinkOf(store.getState(), "lens");
  whenThere(id);
}

/** Milliseconds after which it stops waiting for a panel. */
const TIME_LIMIT = 5000;

/** The lens is loaded when first shown, and an inactive pane is activated first. */
function whenThere(id: string): void {
  const look = () => {
    const panel = document.querySelector<HTMLElement>(`details[data-panel="${id}"]`);
    // After the lens has focused its own heading.
    if (panel?.checkVisibility()) requestAnimationFrame(() => bringTo(panel));
    return panel?.checkVisibility() === true;
  };
  if (look()) return;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  setTimeout(() => observer.disconnect(), TIME_LIMIT);
}

/** Its title, or its pane if the panel is first there and the pane has the title. */
function bringTo(panel: HTMLElement): void {
  const pane = panel.closest<HTMLElement>("[data-pane]");
  const title = panel.querySelector<HTMLElement>(":scope > summary");
  (pane?.firstElementChild === panel ? pane : title)?.focus();
  panel.scrollIntoView({ block: "nearest" });
}
