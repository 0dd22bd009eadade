/** What the address shows: the notebook, whose experiment is in the hash, or the machine page. */
import { useSyncExternalStore } from "react";

export type Route = "notebook" | "machine";

/** A plain word, so that it is never taken for an experiment's link. */
export const MACHINE_HASH = "#machine";

export function routeOf(hash: string): Route {
  return hash === MACHINE_HASH ? "machine" : "notebook";
}

export function useRoute(): Route {
  return useSyncExternalStore(onHashChange, () => routeOf(location.hash));
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}
