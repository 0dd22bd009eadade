/** Keeps the address bar and the open experiment in sync, in both directions. */
import type { ExperimentStore } from "../store/experimentState.ts";
import { isExperimentHash, openLinkOf, receiveLink } from "../store/links.ts";
import { bookPart, isBookHash } from "./book/bookAddress.ts";
import { routeOf } from "./route.ts";

/** Typing a number should not write the address at every key. */
const DELAY = 300;

/** What a link stores besides the experiment, and what delays its writing. */
const KEPT = ["choice", "curves", "lens", "waitingLink"] as const;

/** Views whose address is the experiment's link. */
const SCREENS: readonly string[] = ["notebook", "lens"];

const isScreen = (hash: string) => SCREENS.includes(routeOf(hash));

/** The part of `window` that is used. */
export type PageWindow = Pick<
  Window,
  "location" | "history" | "addEventListener" | "removeEventListener"
>;

/** Opens the address's experiment, then follows it; returns the function that stops it. */
export function syncHash(store: ExperimentStore, page: PageWindow = window): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The address of another notebook is not for this one.
  const isOurs = (hash: string) => {
    const { home } = store.getState();
    return home === null ? !isBookHash(hash) : bookPart(hash) === bookPart(home);
  };
  const read = () => {
    const { hash } = page.location;
    if (!isScreen(hash) || !isOurs(hash)) return;
    if (isExperimentHash(hash)) receiveLink(store, hash);
    // A place in the notebook names no experiment, but the reader has left the lens.
    else store.setState({ screen: "notebook" });
  };
  // Coming back from another view is not a new link.
  const change = () => {
    if (page.location.hash !== openLinkOf(store.getState())) read();
  };
  const write = () => {
    const { location, history } = page;
    if (!isScreen(location.hash) || !isOurs(location.hash)) return;
    // While a link waits for the reader's decision, the address is that link.
    if (store.getState().waitingLink) return;
    const link = openLinkOf(store.getState());
    if (location.hash !== link) history.replaceState(history.state, "", link);
  };
  read();
  const unsubscribe = store.subscribe((now, before) => {
    if (now.draft.spec === before.draft.spec && KEPT.every((key) => now[key] === before[key]))
      return;
    clearTimeout(timer);
    timer = setTimeout(write, DELAY);
  });
  page.addEventListener("hashchange", change);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    page.removeEventListener("hashchange", change);
  };
}
