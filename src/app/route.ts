/** What the address shows: the notebook, whose experiment is in the hash, or a page of its own. */
import { useSyncExternalStore } from "react";
import { GLOSSARY_HASH } from "../panels/shared/glossaryLink.ts";

/** In the header's order. */
export const ROUTES = [
  "gallery",
  "own",
  "lens",
  "algorithms",
  "glossary",
  "shop",
  "machine",
] as const;

/** The page's name leads to the notebook, and only links to the last three. */
export type Route = (typeof ROUTES)[number] | "notebook" | "class" | "referee" | "model";

/** Plain words, so that they are never taken for an experiment's link. */
export const MACHINE_HASH = "#machine";
/** The shop's task may follow: see ShopView.tsx. */
export const SHOP_HASH = "#shop";
/** Names of algorithms may follow: see algorithmsAddress.ts. */
export const ALGORITHMS_HASH = "#algorithms";
/** A term's id, or a panel's, may follow. */
export { GLOSSARY_HASH };

/** A line of the referee may follow: see RefereeView.tsx. */
export const REFEREE_HASH = "#referee";

/** The reader's own model. */
export const MODEL_HASH = "#model";

/** A student's result code follows. */
export const CLASS_HASH = "#class/";

/** All notebooks, lessons first. */
export const GALLERY_HASH = "#notebooks";
/** The reader's own alone. */
export const OWN_HASH = "#own";

/** How the addresses of pages begin, and what may follow as a pattern's source. */
const PAGES: readonly (readonly [begins: string, follows: string, route: Route])[] = [
  [MACHINE_HASH, "", "machine"],
  [SHOP_HASH, "(-\\d+-\\d+)?", "shop"],
  [ALGORITHMS_HASH, "(-[\\w@-]*)?", "algorithms"],
  [GLOSSARY_HASH, "(-.*)?", "glossary"],
  [REFEREE_HASH, "(/[\\w/@-]*)?", "referee"],
  [MODEL_HASH, "", "model"],
  [CLASS_HASH, ".*", "class"],
  [GALLERY_HASH, "", "gallery"],
  [OWN_HASH, "", "own"],
];

/** How addresses of notebooks begin: see book/bookAddress.ts. */
const BOOKS = ["#book/", "#lesson/", "#text/", "#url=", "#gh:"];

/** Addresses of pages that do not begin with the opening notebook's frame, as a pattern's source. */
export const FRAMELESS = `^(?:${[...PAGES.map(([begins]) => begins), ...BOOKS].join("|")})|[?&]view=lens(?:&|$)`;

/** What follows the address of another site's notebook is a place only where that has its slashes encoded. */
const LENS =
  /^#((v\d+|book|lesson|text)\/.*[?&]|(url=|gh:)[^/?]+(\/[\w-]+)?\?(.*&)?)view=lens(&|$)/;

export function routeOf(hash: string): Route {
  const page = PAGES.find(([begins, follows]) =>
    new RegExp(`^${begins}${follows}$`, "s").test(hash),
  );
  return page?.[2] ?? (LENS.test(hash) ? "lens" : "notebook");
}

export function useRoute(): Route {
  return useSyncExternalStore(onHashChange, () => routeOf(location.hash));
}

export function useHash(): string {
  return useSyncExternalStore(onHashChange, () => location.hash);
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}
