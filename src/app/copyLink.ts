/** A link on the clipboard, or at least on screen: of an experiment, or of a whole notebook. */
import { createStore } from "zustand/vanilla";
import type { ExperimentStore } from "../store/experimentState.ts";
import { copyText } from "../ui/clipboard.ts";
import { hasEnded, linkOf } from "../store/links.ts";

/** What came of the last copying; null before the first. */
export type Copied = {
  link: string;
  /** Null while the browser has not said. */
  copied: boolean | null;
  /** Copies the link anew, with the run's curves or without. */
  again: (curves: boolean) => void;
  /** Whether the run's curves travel along; null where there are none that could. */
  curves: boolean | null;
} | null;

export const lastCopy = createStore<{ last: Copied }>(() => ({ last: null }));

/** @param curves whether the run's curves are to travel along, where it has any. */
export async function copyLink(store: ExperimentStore, curves = false): Promise<void> {
  const link = (withCurves: boolean) =>
    new URL(linkOf(store.getState(), { curves: withCurves }), location.href).href;
  await copyMade(link, hasEnded(store.getState()) ? curves : null);
}

/** @param make the whole address; @param curves null where there are none that could travel along. @returns whether it was copied. */
export async function copyMade(
  make: (curves: boolean) => string,
  curves: boolean | null,
): Promise<boolean> {
  const link = make(curves === true);
  const again = (wanted: boolean) => void copyMade(make, wanted);
  lastCopy.setState({ last: { link, again, curves, copied: null } });
  // Where it may not be copied the link is shown, to be copied by hand.
  const copied = await copyText(link);
  lastCopy.setState({ last: { link, again, curves, copied } });
  return copied;
}
