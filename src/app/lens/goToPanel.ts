/** Opens a panel of the lens and takes the reader to it, from anywhere in the page. */
import type { ExperimentStore } from "../../store/experimentState.ts";
import { setLens, withAlone, withPanel } from "../../store/lens.ts";
import { openLinkOf } from "../../store/links.ts";

export function goToPanel(store: ExperimentStore, id: string): void {
  setLens(store, (lens) => withPanel(withAlone(lens, null), id, true));
  location.hash = openLinkOf(store.getState(), "lens");
  whenThere(id);
}

/** Milliseconds after which a panel that did not come is given up. */
const TIME_LIMIT = 5000;

/** The lens is loaded when it is first shown, and a pane that was behind another comes to the front first. */
function whenThere(id: string): void {
  const look = () => {
    const panel = document.querySelector<HTMLElement>(`details[data-panel="${id}"]`);
    // After the lens has taken the focus for its own heading.
    if (panel?.checkVisibility()) requestAnimationFrame(() => bringTo(panel));
    return panel?.checkVisibility() === true;
  };
  if (look()) return;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  setTimeout(() => observer.disconnect(), TIME_LIMIT);
}

/** Its title, or its pane where it is the first there and that has the title. */
function bringTo(panel: HTMLElement): void {
  const pane = panel.closest<HTMLElement>("[data-pane]");
  const title = panel.querySelector<HTMLElement>(":scope > summary");
  (pane?.firstElementChild === panel ? pane : title)?.focus();
  panel.scrollIntoView({ block: "nearest" });
}
