/** The experiment's link on the clipboard, or at least on screen. */
import { createStore } from "zustand/vanilla";
import type { ExperimentStore } from "../store/experimentState.ts";
import { copyText } from "../ui/clipboard.ts";
import { hasEnded, linkOf } from "../store/links.ts";

/** What came of the last copying; null before the first. */
export type Copied = {
  link: string;
  /** Null while the browser has not said. */
  copied: boolean | null;
  store: ExperimentStore;
  /** Whether the run's curves travel along; null where there are none that could. */
  curves: boolean | null;
} | null;

export const lastCopy = createStore<{ last: Copied }>(() => ({ last: null }));

/** @param curves whether the run's curves are to travel along, where it has any. */
export async function copyLink(store: ExperimentStore, curves = false): Promise<void> {
  const state = store.getState();
  const link = new URL(linkOf(state, { curves }), location.href).href;
  const last = { link, store, curves: hasEnded(state) ? curves : null };
  lastCopy.setState({ last: { ...last, copied: null } });
  // Where it may not be copied the link is shown, to be copied by hand.
  const copied = await copyText(link);
  lastCopy.setState({ last: { ...last, copied } });
}
