/** How a shop page is used: interactively, where presses become actions, or watched. */
import { createContext, useContext } from "react";
import type { ElementKey } from "../../../reading/shop/trip.ts";

interface PageUse {
  /** Performs an action by its text; null while a page is only watched. */
  act: ((text: string) => void) | null;
  /** The element that the watched turn uses, or that is selected so far; null if there is none. */
  target: ElementKey | null;
  /** The initial text of the search box: for a watched turn its query. */
  typed: string | null;
  /** A model's probability of actions, by their texts. */
  chances?: ReadonlyMap<string, number> | null;
}

export const PageUseContext = createContext<PageUse>({ act: null, target: null, typed: null });

export function usePage(): PageUse {
  return useContext(PageUseContext);
}
