/**
 * Copies a link to the clipboard, or at least shows it: of an experiment, or of a whole notebook.
 */
import { createStore } from "zustand/vanilla";
import type { ExperimentStore } from "../store/experimentState.ts";
import { copyText } from "../ui/clipboard.ts";
import { hasEnded, linkOf } from "../store/links.ts";

/** The result of the last copy; null before the first. */
export type Copied = {
  link: string;
  /** Null until the browser has answered. */
  copied: boolean | null;
  /** Copies the link again, with or without the run's curves. */
  again: (curves: boolean) => void;
  /** Whether the link contains the run's curves; null if there are none. */
  curves: boolean | null;
} | null;

export const lastCopy = createStore<{ last: Copied }>(() => ({ last: null }));

/** @param curves whether the link should contain the run's curves, if it has any. */
export async function copyLink(store: ExperimentStore, curves = false): Promise<void> {
  const link = (withCurves: boolean) =>
    new URL(linkOf(store.getState(), { curves: withCurves }), location.href).href;
  await copyMade(link, hasEnded(store.getState()) ? curves : null);
}

/** @param make the whole address; @param curves null if there are none to include. @returns whether it was copied. */
export async function copyMade(
  make: (curves: boolean) => string,
  curves: boolean | null,
): Promise<boolean> {
  const link = make(curves === true);
  const again = (wanted: boolean) => void copyMade(make, wanted);
  lastCopy.setState({ last: { link, again, curves, copied: null } });
  // If copying is not allowed, the link is shown, to be copied by hand.
  const copied = await copyText(link);
  lastCopy.setState({ last: { link, again, curves, copied } });
  return copied;
}
