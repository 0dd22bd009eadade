/** The experiment's link on the clipboard, or at least on screen. */
import { createStore } from "zustand/vanilla";
import type { ExperimentStore } from "../store/experimentState.ts";
import { copyText } from "../ui/clipboard.ts";
import { linkOf } from "../store/links.ts";

/** What came of the last copying; null before the first. */
export type Copied = { link: string; copied: boolean } | null;

export const lastCopy = createStore<{ last: Copied }>(() => ({ last: null }));

export async function copyLink(store: ExperimentStore): Promise<void> {
  const link = new URL(linkOf(store.getState()), location.href).href;
  // Where it may not be copied the link is shown, to be copied by hand.
  const copied = await copyText(link);
  lastCopy.setState({ last: { link, copied } });
}
