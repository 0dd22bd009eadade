/** The experiment's link on the clipboard, or at least on screen. */
import { createStore } from "zustand/vanilla";
import type { ExperimentStore } from "../store/experimentState.ts";
import { linkOf } from "../store/links.ts";

/** What came of the last copying; null before the first. */
export type Copied = { link: string; copied: boolean } | null;

export const lastCopy = createStore<{ last: Copied }>(() => ({ last: null }));

export async function copyLink(store: ExperimentStore): Promise<void> {
  const link = new URL(linkOf(store.getState()), location.href).href;
  let copied = true;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    // No permission, or no secure context: the link is shown instead, to be copied by hand.
    copied = false;
  }
  lastCopy.setState({ last: { link, copied } });
}
