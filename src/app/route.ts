/** What the address shows: the notebook, whose experiment is in the hash, or a page of its own. */
import { useSyncExternalStore } from "react";

export type Route = "notebook" | "lens" | "algorithms" | "machine" | "shop";

/** Plain words, so that they are never taken for an experiment's link. */
export const MACHINE_HASH = "#machine";
/** The shop's task may follow: see shopAddress.ts. */
export const SHOP_HASH = "#shop";
/** Names of algorithms may follow: see algorithmsAddress.ts. */
export const ALGORITHMS_HASH = "#algorithms";

export function routeOf(hash: string): Route {
  if (hash === MACHINE_HASH) return "machine";
  if (/^#shop(-\d+-\d+)?$/.test(hash)) return "shop";
  if (/^#algorithms(-[\w-]*)?$/.test(hash)) return "algorithms";
  return /^#v\d+\/.*[?&]view=lens(&|$)/.test(hash) ? "lens" : "notebook";
}

export function useRoute(): Route {
  return useSyncExternalStore(onHashChange, () => routeOf(location.hash));
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}
